"""Annotated pages of a template -> rules, and by them what a page says: texts, attributes, lists of records, structured data."""

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
