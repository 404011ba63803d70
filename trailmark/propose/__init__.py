"""Rules of some sites -> annotations on others (cold start).

site_slots.py      pages nobody annotated -> texts that stand in the same place page after page
slot_traits.py     what can be said of such a slot
site_kind.py       the same of a site, with the fields that its rules know
slot_likeness.py   how like a known field a slot is
kind_weights.py    what that is worth
proposal.py        fields of a new site, proposed through known sites of its kind
"""
