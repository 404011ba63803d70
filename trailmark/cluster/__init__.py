"""Pages to clusters of one template each.

signature.py       page tree -> shingle vector, tag paths, places, title words
masked_vector.py   shingle vectors with wild cards
grouping.py        algorithm 1 of Vertex: its three passes
likeness.py        sets of tag paths compared and linked
evidence.py        one group -> two templates, where title and structure agree
page_groups.py     the above in order: signatures -> templates with their pages
template.py        what is kept of a cluster, and `assign`: a new page joins without clustering again
url_pattern.py     URLs of a cluster -> a regular expression
sampling.py        which pages to annotate: algorithm 2 of Vertex
site_clusters.py   pages of many sites -> clusters, walk by walk
page_matcher.py    a page -> the cluster it belongs to
"""

from trailmark.cluster.page_groups import PageGroups, group_pages
from trailmark.cluster.page_matcher import Matcher
from trailmark.cluster.sampling import PageNodes, annotation_order, page_nodes
from trailmark.cluster.signature import Signature, sign_page, sign_tags
from trailmark.cluster.site_clusters import KnownCluster, find_clusters, site_of
from trailmark.cluster.template import Template, assign
from trailmark.cluster.url_pattern import url_pattern

__all__ = [
    "KnownCluster",
    "Matcher",
    "PageGroups",
    "PageNodes",
    "Signature",
    "Template",
    "annotation_order",
    "assign",
    "find_clusters",
    "group_pages",
    "page_nodes",
    "sign_page",
    "sign_tags",
    "site_of",
    "url_pattern",
]
