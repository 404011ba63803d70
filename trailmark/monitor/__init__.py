"""Rules and later pages -> what broke, and rules repaired (Vertex, section IV)."""
