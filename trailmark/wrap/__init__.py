"""Annotated pages of a template to rules, and rules to records.

node_address.py       a node -> the XPath that selects it alone
node_table.py         page tree -> the texts of a page, in one pass
element_columns.py    what can be said of an element
node_columns.py       what can be said of a text: features by type and level
annotation_match.py   a marked value -> the places that may be meant
rule.py               rules, and how those of a field vote
rule_search.py        algorithm 3 of Vertex, for many small rules at once
field_learning.py     annotations of a field -> its rules
range_pruner.py       which part of a text is the value
value_type.py         prices, dates, telephone numbers and the like
rule_text.py          a rule as XPath and as a sentence
plain_rules.py        rules as XPaths and regular expressions, for programs of others
rules_stylesheet.py   the same as XSLT
rules_program.py      the same as a Python program
rule_set.py           all fields of a cluster: learnt, kept, applied
"""

from trailmark.wrap.node_table import NodeTable
from trailmark.wrap.rule import Feature, FieldRules, Found, Rule
from trailmark.wrap.rule_set import AnnotatedPage, RuleSet, learn_rules, rules_from_json, rules_to_json
from trailmark.wrap.rule_text import rule_sentence, rule_xpath

__all__ = [
    "AnnotatedPage",
    "Feature",
    "FieldRules",
    "Found",
    "NodeTable",
    "Rule",
    "RuleSet",
    "learn_rules",
    "rule_sentence",
    "rule_xpath",
    "rules_from_json",
    "rules_to_json",
]
