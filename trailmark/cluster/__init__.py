"""Pages -> clusters of one template each, and which pages of each are worth annotating (Vertex, section III)."""

from trailmark.cluster.group_name import group_name
from trailmark.cluster.page_groups import PageGroups, group_pages
from trailmark.cluster.page_matcher import Matcher
from trailmark.cluster.sampling import PageNodes, annotation_order, page_nodes
from trailmark.cluster.signature import Signature, sign_page, sign_tags
from trailmark.cluster.site_clusters import EachPage, KnownCluster, find_clusters, site_of
from trailmark.cluster.template import Template, assign
from trailmark.cluster.url_pattern import url_pattern

__all__ = [
    "EachPage",
    "KnownCluster",
    "Matcher",
    "PageGroups",
    "PageNodes",
    "Signature",
    "Template",
    "annotation_order",
    "assign",
    "find_clusters",
    "group_name",
    "group_pages",
    "page_nodes",
    "sign_page",
    "sign_tags",
    "site_of",
    "url_pattern",
]
