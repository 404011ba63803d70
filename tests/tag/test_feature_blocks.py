"""What a model is told of a word is what the plain definitions say, however it was gathered."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from trailmark.sequence.block_crf import NOTHING
from trailmark.tag.attribute_tables import Table
from trailmark.tag.feature_blocks import VIEWS, Described, Document, Window, described, sequences_of, vocabulary_of
from trailmark.tag.lexicon import Lexicon
from trailmark.tag.line_features import FAR, layout_attributes, layout_of, line_attributes
from trailmark.tag.word_features import near_attributes, trimmed, word_attributes
from trailmark.tag.words import Word

LEXICON = Lexicon({"ada": ("given:most",), "press": ("publisher:much", "title:some")})
TEXTS = st.sampled_from(
    ("Ada", "Lovelace,", "Press,", "1843.", "In", "in", "\u0661\u0662", "M\u00fcller", "(eds.)", "-")
)
WORDS = st.builds(Word, TEXTS, size=st.sampled_from((0.0, 1.0, 1.4)), bold=st.booleans(), y=st.sampled_from((0.1, 0.2)))
DOCUMENTS = st.lists(st.lists(st.lists(WORDS, max_size=7), max_size=4), max_size=4)


def attributes(documents: list[list[list[Word]]], window: Window) -> dict[tuple[str, int], list[list[str]]]:
    """(View, step) -> what each word is told of it, read back from the blocks of a model."""
    found = described(documents, LEXICON, window)
    vocabulary = vocabulary_of(found, least=1)
    blocks = sequences_of(found, vocabulary, window).blocks
    told = {}
    for (view, step), block in zip(window.blocks, blocks, strict=True):
        names = vocabulary.names[view]
        things = [[names[at] for at in block.matrix[[row]].indices] for row in range(block.matrix.shape[0])]
        told[view, step] = [[] if row == NOTHING else things[row] for row in block.rows.tolist()]
    return told


def moved(things: list[list[str]], lengths: list[int], step: int) -> list[list[str]]:
    ends = [sum(lengths[: number + 1]) for number in range(len(lengths))]
    owner = [number for number, length in enumerate(lengths) for _ in range(length)]
    places = [place + step for place in range(sum(lengths))]
    return [
        things[there] if 0 <= there < ends[-1] and owner[there] == owner[here] else []
        for here, there in enumerate(places)
    ]


@settings(max_examples=80, deadline=None)
@given(DOCUMENTS, st.sampled_from((Window(1, 2, 0), Window(1, 2, 1))))
def test_blocks_say_what_the_definitions_say(documents: list[list[list[Word]]], window: Window) -> None:
    told = attributes(documents, window)
    words = [word.text for document in documents for line in document for word in line]
    lengths = [sum(map(len, document)) for document in documents]
    plain = {
        "word": [list(dict.fromkeys(word_attributes(text, LEXICON))) for text in words],
        "near": [list(dict.fromkeys(near_attributes(text, LEXICON))) for text in words],
    }
    for (view, step), found in told.items():
        if view in plain:
            assert found == moved(plain[view], lengths, step)
    assert told["layout", 0] == layouts(documents)
    if window.lines:
        of_lines = [line_attributes([w.text for w in line], LEXICON) for d in documents for line in d for _ in line]
        assert told["line", 0] == of_lines
    else:
        # A word somewhere else must have been seen often to be in the vocabulary; here nothing is.
        assert told["around", 0] == [[] for _ in words]


def layouts(documents: list[list[list[Word]]]) -> list[list[str]]:
    found = []
    for document in documents:
        above: Word | None = None
        for line in document:
            found += [list(layout_attributes(layout_of(word, above))) for word in line]
            above = line[0] if line else above
    return found


@settings(max_examples=60, deadline=None)
@given(st.lists(TEXTS, max_size=40))
def test_words_before_and_behind_are_told_once_each(texts: list[str]) -> None:
    table = _around([[[Word(text) for text in texts]]])
    small = [trimmed(text) for text in texts]
    for place in range(len(texts)):
        before = [f"<{word}" for word in small[max(0, place - FAR) : place]]
        behind = [f">{word}" for word in small[place + 1 : place + 1 + FAR]]
        row = int(table.rows[place])
        names = [table.names[at] for at in table.flat[table.starts[row] : table.starts[row + 1]]]
        assert names == list(dict.fromkeys(before + behind))


def test_attributes_are_counted_by_words_and_not_by_distinct_words() -> None:
    found = described([[[Word("Ada"), Word("Ada"), Word("In")]]], LEXICON, Window(1, 2, 0))
    counts = dict(zip(found.tables["word"].names, found.tables["word"].counts(), strict=True))
    assert (counts["w=ada"], counts["w=in"], counts["n=3"]) == (2, 1, 2)
    assert set(found.tables) == set(VIEWS)


def test_the_same_documents_give_the_same_arrays() -> None:
    documents: list[Document] = [[[Word("Ada"), Word("Press,")], [Word("In")]]]
    one, other = (_arrays(described(documents, LEXICON, Window())) for _ in range(2))
    assert one == other


def _around(documents: list[list[list[Word]]]) -> Table:
    return described(documents, LEXICON, Window(1, 2, 0)).tables["around"]


def _arrays(found: Described) -> list[tuple[object, ...]]:
    return [
        (table.names, table.flat.tolist(), table.starts.tolist(), table.rows.tolist())
        for table in found.tables.values()
    ]
