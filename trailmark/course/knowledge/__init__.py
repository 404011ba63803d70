"""The texts of courses -> their key phrases, how these stand to one another, and the sentences behind it: a knowledge map, as SKOS, GraphML and a picture."""
