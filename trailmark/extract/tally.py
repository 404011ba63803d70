"""What a run of extraction found, counted while pages go by: for a person to see what is there and where to look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trailmark.extract.extract_report import ExtractReport, KeptRecords, SparseField, UnsureField
from trailmark.extract.lifter import LiftedPage

EXAMPLES = 3
SHOWN = 20
"""Pages of a kind that are named; the others are counted."""
USUAL = 0.9
"""A page that lacks a field which at least this share of the pages of its rules have is worth a look; a field that fewer records have is one."""


class Tally:
    """Memory for counts, and for a few names of each kind."""

    def __init__(self, fields: Mapping[str, Sequence[str]]) -> None:
        """Fields of each set of rules."""
        self.fields = fields
        self.outcomes: Counter[str] = Counter()
        self.records: Counter[str] = Counter()
        self.fresh = self.unchanged = self.lifted_pages = 0
        self.pages: dict[str, list[str]] = {}
        self.of_rules: Counter[str] = Counter()
        self.filled: Counter[tuple[str, str]] = Counter()
        self.lacking: dict[tuple[str, str], list[str]] = {}
        self.doubted: Counter[str] = Counter()
        self.examples: dict[str, dict[str, None]] = {}

    def pass_over(self, url: str) -> None:
        """A page of a site without rules."""
        self.outcomes["none"] += 1
        self._name("none", url)

    def count(self, url: str, lifted: LiftedPage, *, fresh: bool) -> None:
        """A page of a site with rules; `fresh` where it was not known from an earlier run."""
        self.outcomes[lifted.outcome] += 1
        self.lifted_pages += bool(lifted.records)
        self.fresh += fresh
        self.unchanged += not fresh
        if lifted.outcome not in ("records", "borrowed", "unasked"):
            self._name(lifted.outcome, f"{url} ({lifted.note})" if lifted.note else url)
        for record in lifted.records:
            self.records[lifted.outcome] += 1
            self.of_rules[lifted.rules] += 1
            self.doubted.update(record.unsure)
            for name, values in record.fields.items():
                self.filled[lifted.rules, name] += 1
                self._example(name, values[0])
            for name in self.fields.get(lifted.rules, ()):
                if name not in record.fields and len(urls := self.lacking.setdefault((lifted.rules, name), [])) < SHOWN:
                    urls.append(url)

    def report(self, kept: KeptRecords = KeptRecords()) -> ExtractReport:  # noqa: B008 - frozen
        """All that was counted; `kept` reads the records of the workspace, for whoever wants them as a table."""
        filled: Counter[str] = Counter()
        looked: Counter[str] = Counter()
        for rules, names in self.fields.items():
            for name in names:
                filled[name] += self.filled[rules, name]
                looked[name] += self.of_rules[rules]
        return ExtractReport(
            records=self.records["records"],
            pages=self.outcomes["records"] + self.outcomes["empty"],
            empty=self.outcomes["empty"],
            borrowed=self.records["borrowed"],
            without_rules=self.outcomes["none"],
            failed=self.outcomes["failed"],
            extracted=self.fresh,
            unchanged=self.unchanged,
            fields=dict(filled),
            fill={name: round(filled[name] / looked[name], 4) if looked[name] else 0.0 for name in looked},
            examples={name: tuple(values) for name, values in self.examples.items()},
            unsure=tuple(self._unsure()),
            sparse=tuple(self._sparse(filled, looked)),
            unsure_values=dict(sorted(self.doubted.items())),
            named={kind: tuple(urls) for kind, urls in self.pages.items()},
            lifted_pages=self.lifted_pages,
            unasked=self.outcomes["unasked"],
            kept=kept,
        )

    def add(self, notes: Mapping[str, Any], *, fresh: bool) -> None:
        """What another tally noted of other pages, after what was counted here; not `fresh` where that was in an earlier run."""
        self.outcomes.update(notes["outcomes"])
        self.records.update(notes["records"])
        self.of_rules.update(notes["of_rules"])
        self.doubted.update(notes["doubted"])
        self.lifted_pages += notes["lifted_pages"]
        self.fresh += notes["counted"] if fresh else 0
        self.unchanged += 0 if fresh else notes["counted"]
        for kind, pages in notes["pages"].items():
            for page in pages:
                self._name(kind, page)
        for rules, name, count in notes["filled"]:
            self.filled[rules, name] += count
        for rules, name, urls in notes["lacking"]:
            known = self.lacking.setdefault((rules, name), [])
            known += urls[: SHOWN - len(known)]
        for name, values in notes["examples"].items():
            for value in values:
                self._example(name, value)

    def notes(self) -> dict[str, Any]:
        """All that was counted, as JSON."""
        return {
            "outcomes": dict(self.outcomes),
            "records": dict(self.records),
            "of_rules": dict(self.of_rules),
            "doubted": dict(self.doubted),
            "lifted_pages": self.lifted_pages,
            "counted": self.fresh + self.unchanged,
            "pages": self.pages,
            "filled": [[rules, name, count] for (rules, name), count in self.filled.items()],
            "lacking": [[rules, name, urls] for (rules, name), urls in self.lacking.items()],
            "examples": {name: list(values) for name, values in self.examples.items()},
        }

    def _name(self, kind: str, page: str) -> None:
        named = self.pages.setdefault(kind, [])
        if len(named) < SHOWN:
            named.append(page)

    def _example(self, field: str, value: str) -> None:
        seen = self.examples.setdefault(field, {})
        if len(seen) < EXAMPLES:
            seen[value] = None

    def _sparse(self, filled: Mapping[str, int], looked: Mapping[str, int]) -> Iterator[SparseField]:
        """Fields that many of the records lack which could have them, with some of their pages."""
        for name, records in looked.items():
            if filled[name] < USUAL * records:
                lacking = [url for (_, field), urls in self.lacking.items() if field == name for url in urls]
                yield SparseField(name, filled[name], records, tuple(dict.fromkeys(lacking))[:SHOWN])

    def _unsure(self) -> Iterator[UnsureField]:
        """Fields that nearly all pages of their rules have, with the pages that lack them."""
        for (rules, name), urls in self.lacking.items():
            share = self.filled[rules, name] / self.of_rules[rules]
            if share >= USUAL:
                lacking = self.of_rules[rules] - self.filled[rules, name]
                yield UnsureField(rules, name, lacking, round(share, 4), tuple(urls))
