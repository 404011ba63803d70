"""Rules of some sites -> annotations on others of their kind: the cold start."""
