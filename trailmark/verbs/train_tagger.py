"""`tag --train`: a file of tagged text -> a tagger of that name in the workspace.

Tagged text says nothing of how a page looks. Where a tagger of headers is learnt, papers that Trailmark sets itself are learnt from too: in them
a title is large and an abstract stands below its heading, whatever the words are.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Sequence
from pathlib import Path

from trailmark.errors import InputError
from trailmark.read.written_lines import Problem
from trailmark.store.json_lines import written_whole
from trailmark.tag.models import HEADERS, choose_model, file_name, learn_tagger, read_tagger
from trailmark.tag.tag_report import TagProblem, TrainReport
from trailmark.tag.tagged_text import NO_FIELD, TaggedDocument, parse_tagged
from trailmark.tag.tagger_file import MOST_LABELS
from trailmark.verbs.ready_taggers import tagged_papers
from trailmark.workspace import Workspace

GENERATED, SEED = 200, 99
"""Papers that teach layout."""
MOST_BIBTEX = 200_000_000
"""Letters of one file of BibTeX, unpacked."""


def train_tagger(
    workspace: Workspace, tagged: str | Path, name: str, *, bibtex: Sequence[str | Path] = ()
) -> TrainReport:
    """A file of tagged text, a name, and BibTeX files that say what words are used for -> a tagger of that name in the workspace."""
    source, target = Path(tagged), workspace.folder / "models" / file_name(name)
    texts = [bibtex_text(Path(file)) for file in bibtex]
    documents, problems = taught(source)
    if not documents:
        first = f" (line {problems[0].line}: {problems[0].reason})" if problems else ""
        raise InputError(f"{source} holds no tagged text{first}; its three forms are in docs/how-to/tag.md.")
    labels = {label for document in documents for row in document.labels for label in row}
    if len(labels) < 2:
        why = f"every word of it is '{next(iter(labels))[:60]}'" if labels else "it has no words"
        raise InputError(
            f"{source} teaches nothing: {why}. Tag words of two fields or more, those of none as {NO_FIELD}."
        )
    if len(labels) > MOST_LABELS:
        raise InputError(
            f"{source} has {len(labels):,} different labels; a tagger takes {MOST_LABELS} at most. A label is the name of a field, not its value."
        )
    choice = choose_model(documents, name, texts)
    generated = layout_papers(name, documents)
    body = learn_tagger([*documents, *generated], name, texts, model=choice.model)
    with written_whole(target) as file:
        file.write(body)
    base = {"file": str(source.resolve()), "bibtex": [str(Path(file).resolve()) for file in bibtex]}
    workspace.database.set_meta(base_key(name), json.dumps(base | {"model": choice.model}))
    words = sum(len(line) for document in documents for line in document.lines)
    told = tuple(TagProblem(f"{source}:{each.line}", each.reason) for each in problems)
    learnt = read_tagger(body, str(target))
    return TrainReport(
        name, len(documents), words, learnt.labels, str(target), len(generated), known_words(learnt), choice, told
    )


def taught(source: Path) -> tuple[list[TaggedDocument], list[Problem]]:
    """A file of tagged text -> its documents, and the lines that are none."""
    try:
        body = source.read_bytes()
        lines = body.decode("utf-8-sig").split("\n")  # other ends of lines may stand in a string
    except OSError as error:
        raise InputError(f"{source} can't be read ({error.strerror}); name a file of tagged text.") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(f"{source}, line {line}: it is no UTF-8 text; save the file as UTF-8.") from error
    return parse_tagged(lines, str(source))


def layout_papers(name: str, documents: Sequence[TaggedDocument]) -> list[TaggedDocument]:
    """Papers that teach a tagger of headers layout beside its tagged text; none where that is so little that they would drown it."""
    return tagged_papers(GENERATED, SEED)[HEADERS] if name == HEADERS and len(documents) >= GENERATED else []


def base_key(name: str) -> str:
    """Under which the workspace remembers what a tagger was learnt from: corrections are learnt beside that."""
    return f"tagger {name} learnt from"


def known_words(tagger: object) -> int:
    """Words whose use a tagger knows from bibliographies."""
    lexicon = getattr(tagger, "lexicon", None)
    return 0 if lexicon is None else len(lexicon.uses)


def bibtex_text(file: Path) -> str:
    """A BibTeX file, packed with xz or not -> its text."""
    try:
        with lzma.open(file) if file.suffix == ".xz" else file.open("rb") as opened:
            return opened.read(MOST_BIBTEX).decode("utf-8", "replace")
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise InputError(f"{file} can't be read ({error}); name a BibTeX file, packed with xz or not.") from error
