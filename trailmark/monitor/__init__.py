"""Rules and later pages -> what broke, and rules repaired (Vertex, section IV).

bellwether.py        pages that are visited again, and what was lifted off them: golden extractions
field_trait.py       whether a field's values stay, whether every page has it
field_verdict.py     the field test
breakage.py          that and the shingle test, for a cluster
watched_cluster.py   a cluster with its bellwethers as they are now -> the same after both tests
reuse.py             which old rules serve a changed site
carried_rules.py     that for all changed clusters, and what is golden once repaired rules are in use
repair.py            new rules from golden values: field_repair.py, list_repair.py, value_place.py
cluster_finding.py   what is said of a cluster
monitor_report.py    what is said of all of them
"""
