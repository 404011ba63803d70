"""Known-item search: of two ways to rank, which one puts the item that a query was made from higher.

    python -m evals.known_items --data DIR
    python -m evals.known_items --data DIR --bodies

`citations`: every paper of DIR/matching.*.jsonl is an item with the text of its first reference; each other way in which it is cited is a query of a few of its words.
`messages`: the first messages of DIR/topics/20news.docs.jsonl.xz are items with their text alone; the query is the subject, words of which need not stand there.
`--bodies`: longer messages in two parts, their first words as a paper's abstract and the rest as its running text, which counts so much of the former; the weight is chosen without each fifth of the
messages in turn, and the figure is that of the fifths that were left out.
Words of a query are all optional, as where no item has all of them. A figure is the mean of one over the place of the right item; `first`: how often that is 1.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random

from evals.topics import message_item
from trailmark.organise.query import read_query
from trailmark.store import search_results
from trailmark.store.full_text import refresh_index
from trailmark.store.organised import StoredItem, bring_to_form, put_items
from trailmark.store.search_match import plan_query, with_some
from trailmark.store.search_results import Ranking, find_items
from trailmark.store.search_words import words_of

RANKINGS: tuple[Ranking, ...] = ("bm25", "log-frequency")
DEEPEST = 50
"""Places that are looked at; an item behind them counts nothing."""
MESSAGES = 2_000
WORDS = 6
"""Words of a query."""
FIRST = 80
"""Words of a message that stand for an abstract."""
BODY_WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0)
FOLDS = 5


@dataclass(frozen=True, slots=True)
class KnownItems:
    """Items by key with their texts, and queries with the key of the item that each was made from."""

    texts: dict[str, str]
    queries: list[tuple[str, str]]
    bodies: Mapping[str, str] = field(default_factory=dict)


def citations(folder: Path, rng: Random) -> KnownItems:
    """Papers by their first reference; queries from words of the others."""
    texts: dict[str, str] = {}
    queries = []
    for file in sorted(folder.glob("matching.*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            known = texts.setdefault(row["paper"], row["text"])
            words = [word for word in words_of(row["text"]) if len(word) > 3]
            if row["text"] != known and words:
                queries.append((" ".join(rng.sample(words, min(WORDS, len(words)))), row["paper"]))
    return KnownItems(texts, queries)


def messages(folder: Path, most: int) -> KnownItems:
    """Messages by their text; the subject of each is a query."""
    texts: dict[str, str] = {}
    queries = []
    with lzma.open(folder / "topics" / "20news.docs.jsonl.xz", "rt", encoding="utf-8") as file:
        for line in islice(file, most):
            row = json.loads(line)
            item = message_item(row["id"], row["text"])
            texts[item.id] = item.text
            words = [word for word in dict.fromkeys(words_of(item.title)) if len(word) > 2][:WORDS]
            if words:
                queries.append((" ".join(words), item.id))
    return KnownItems(texts, queries)


def parted(known: KnownItems) -> KnownItems:
    """Items whose texts are long -> the same, the words behind the first ones being their bodies."""
    words = {key: text.split() for key, text in known.texts.items()}
    long = {key: each for key, each in words.items() if len(each) >= 2 * FIRST}
    texts = {key: " ".join(each[:FIRST]) for key, each in long.items()}
    bodies = {key: " ".join(each[FIRST:]) for key, each in long.items()}
    return KnownItems(texts, [(query, key) for query, key in known.queries if key in long], bodies)


def body_weights(known: KnownItems) -> None:
    """The figure of each weight of a body, and that of weights chosen by other items."""
    found = {}
    for weight in BODY_WEIGHTS:
        search_results.WEIGHTS = f"8.0, 5.0, 1.0, 1.0, {weight}"
        found[weight] = list(places(known, "bm25"))
        mean, first = figures(found[weight])
        print(
            f"bodies {len(known.texts):6,} items {len(known.queries):6,} queries  weight {weight:4}  {mean:.3f}  first {first:.3f}",
            flush=True,
        )
    left_out: list[int] = []
    for fold in range(FOLDS):
        best = max(
            BODY_WEIGHTS,
            key=lambda weight: figures([place for number, place in enumerate(found[weight]) if number % FOLDS != fold])[
                0
            ],
        )
        print(f"bodies without fifth {fold + 1}: weight {best}")
        left_out += found[best][fold::FOLDS]
    print("bodies, what was left out: {:.3f}  first {:.3f}".format(*figures(left_out)))


def places(known: KnownItems, ranking: Ranking) -> Iterator[int]:
    """The place of each query's item; 0 where it is behind all that are looked at."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    bring_to_form(connection)
    put_items(
        connection,
        (
            StoredItem(
                key, "x", "", "", None, "", "", {}, text, "", body=zlib.compress(known.bodies.get(key, "").encode())
            )
            for key, text in known.texts.items()
        ),
    )
    refresh_index(connection)
    for query, key in known.queries:
        plan = with_some(plan_query(connection, read_query(query).query))
        keys = [hit.key for hit in find_items(connection, plan, ranking=ranking, limit=DEEPEST).hits]
        yield keys.index(key) + 1 if key in keys else 0


def figures(found: Sequence[int]) -> tuple[float, float]:
    """Places -> the mean of one over each, and the share of first ones."""
    count = max(1, len(found))
    return sum(1 / place for place in found if place) / count, sum(place == 1 for place in found) / count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR")
    parser.add_argument("--messages", type=int, default=MESSAGES)
    parser.add_argument("--bodies", action="store_true", help="What the running text of a document should count.")
    options = parser.parse_args()
    if options.bodies:
        body_weights(parted(messages(options.data, options.messages)))
        return
    sets = {"citations": citations(options.data, Random(7)), "messages": messages(options.data, options.messages)}
    for name, known in sets.items():
        for ranking in RANKINGS:
            mean, first = figures(list(places(known, ranking)))
            print(
                f"{name:10s} {len(known.texts):6,} items {len(known.queries):6,} queries  {ranking:14s} {mean:.3f}  first {first:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
