"""Rules and pages -> records."""
