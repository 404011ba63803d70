"""Whether the versions that are pinned in constraints.txt have known vulnerabilities; never part of the product."""
