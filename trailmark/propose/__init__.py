"""Rules of some sites -> annotations proposed on others of their kind: the cold start."""
