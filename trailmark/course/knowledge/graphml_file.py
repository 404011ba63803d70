"""A knowledge map -> GraphML, which programs for graphs read."""

from __future__ import annotations

from lxml import etree

from trailmark.course.knowledge.knowledge_map import KnowledgeMap
from trailmark.course.package.xml_tree import child, xml_bytes

_SPACE = "http://graphml.graphdrawing.org/xmlns"
_NODE_KEYS = {"label": "string", "score": "double", "count": "int", "when": "double", "courses": "string"}
_EDGE_KEYS = {"kind": "string", "strength": "double", "why": "string", "sentences": "string"}


def graphml(found: KnowledgeMap) -> bytes:
    """A map -> its file: phrases are nodes, relations edges with their kind; the direction of `related` means nothing, and is there since readers take no graph with both."""
    root = etree.Element(f"{{{_SPACE}}}graphml", nsmap={None: _SPACE})
    for element, keys in (("node", _NODE_KEYS), ("edge", _EDGE_KEYS)):
        for name, kind in keys.items():
            made = child(root, "key", id=f"{element}-{name}")
            for key, value in (("for", element), ("attr.name", name), ("attr.type", kind)):
                made.set(key, value)
    graph = child(root, "graph", id="map", edgedefault="directed")
    for phrase in found.phrases:
        node = child(graph, "node", id=phrase.id)
        values = (phrase.label, phrase.score, phrase.count, phrase.when, ", ".join(phrase.courses))
        for name, value in zip(_NODE_KEYS, map(str, values), strict=True):
            child(node, "data", value, key=f"node-{name}")
    for relation in found.relations:
        edge = child(graph, "edge", source=relation.first, target=relation.second)
        told = (relation.kind, relation.strength, relation.why, " / ".join(each.sentence for each in relation.evidence))
        for name, value in zip(_EDGE_KEYS, map(str, told), strict=True):
            child(edge, "data", value, key=f"edge-{name}")
    return xml_bytes(root)
