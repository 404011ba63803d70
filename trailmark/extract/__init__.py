"""Rules and pages -> records.

crew.py             work on items side by side in processes, which may die
page_scope.py       which pages are wanted
lifter.py           a page -> its records, by the rules of its cluster
tally.py            what was found, counted while pages go by
extract_report.py   the same for a person
record_frame.py     records -> a pandas DataFrame
"""
