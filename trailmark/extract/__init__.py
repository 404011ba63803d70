"""Rules and pages -> records: which pages are wanted, what each gives, counted while they go by."""
