"""Annotated pages of a template to rules, and rules to records.

node_address.py       a node -> the XPath that selects it alone
node_table.py         page tree -> the texts of a page, in one pass
node_layer.py         the same of attributes and of whole elements; inner_text.py
element_columns.py    what can be said of an element
value_code.py         a string -> the number that stands for it in a column
node_columns.py       what can be said of a text: features by type and level
annotation_match.py   a marked value -> the places that may be meant
field_layer.py        where a field's values stand: texts, elements, attributes
rule.py               rules, and how those of a field vote
rule_search.py        algorithm 3 of Vertex, for many small rules at once
rule_fallback.py      where no rule is exact: positions, then a vote on weak_features.py
field_learning.py     annotations of a field -> its rules
range_pruner.py       which part of a text is the value
value_type.py         prices, dates, telephone numbers and the like
value_list.py         fields with many values a page
value_doubt.py        when to keep silent
rule_text.py          a rule as XPath and as a sentence
plain_rules.py        rules as XPaths and regular expressions, for programs of others
rules_stylesheet.py   the same as XSLT
rules_program.py      the same as a Python program
rule_set.py           all fields of a cluster: learnt, kept, applied

entry_groups.py       annotations of a list page -> which belong to one entry
entry_items.py        what stands side by side in an element, and its runs
entry_rule.py         where entries stand, and each as a small page
entry_search.py       marked entries -> the rule for all of them
entry_field.py        fields of an entry; entry_heading.py: those that stand above a group
list_evidence.py      a list of records, or one record in a repeated block?
record_list.py        all of it: a list learnt and applied; record_list_json.py

structured_data.py    JSON-LD, microdata, RDFa, meta -> flat items; structured_data_json.py
structured_data_rule.py   fields from them, and annotations for free
"""

from trailmark.wrap.page.node_table import NodeTable
from trailmark.wrap.rules.rule import Feature, FieldRules, FoundValue, Rule
from trailmark.wrap.rules.rule_set import MAKER, AnnotatedPage, RuleSet, learn_rules, rules_from_json, rules_to_json
from trailmark.wrap.structured.structured_data import structured_items
from trailmark.wrap.structured.structured_data_rule import UNCONFIRMED, free_annotations
from trailmark.wrap.writing.rule_text import rule_sentence, rule_xpath

__all__ = [
    "MAKER",
    "UNCONFIRMED",
    "AnnotatedPage",
    "Feature",
    "FieldRules",
    "FoundValue",
    "NodeTable",
    "Rule",
    "RuleSet",
    "free_annotations",
    "learn_rules",
    "rule_sentence",
    "rule_xpath",
    "rules_from_json",
    "rules_to_json",
    "structured_items",
]
