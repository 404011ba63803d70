"""`tag --learn`: what people put right in documents, as tagged text, and taggers that learn from it beside what they learnt from before.

A tagger of one's own learns from its file of tagged text again; one that came with Trailmark from generated papers. A correction counts several
times: it is of the very documents that are to be tagged, and one among hundreds would say nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from trailmark.errors import InputError
from trailmark.quoting import json_text
from trailmark.store.json_lines import written_whole
from trailmark.store.tag_corrections import CorrectedWord, Correction, read_corrections
from trailmark.tag.model_choice import CRF
from trailmark.tag.models import HEADERS, REFERENCES, file_name, learn_tagger
from trailmark.tag.tagged_text import TaggedDocument
from trailmark.tag.words import Word
from trailmark.verbs.ready_taggers import SEED, learnt, tagged_papers
from trailmark.verbs.train_tagger import base_key, bibtex_text, layout_papers, taught
from trailmark.workspace import Workspace

WEIGHT = 12
"""Times that each correction is learnt from: taggers leave out what they see less often than that."""
PAPERS = 60
"""Generated papers that a tagger learns from again where it has no tagged text of one's own."""


def write_corrections(workspace: Workspace, name: str, target: Path) -> int:
    """What people put right for a tagger, as a file of tagged text that `tag --train` reads -> how many headers or references it holds."""
    chosen = [each for each in read_corrections(workspace.database) if each.model == name]
    with written_whole(target) as file:
        for correction in chosen:
            lines = [[[word.text, word.label] for word in line] for line in correction.lines]
            file.write(json_text({"lines": lines}).encode("utf-8", "replace") + b"\n")
    return len(chosen)


def learn_corrections(workspace: Workspace, *, papers: int = PAPERS) -> dict[str, int]:
    """Every tagger that was corrected learns anew -> its name, and how many corrected headers, references or documents it had."""
    corrections = read_corrections(workspace.database)
    names = sorted({each.model for each in corrections})
    if not names:
        raise InputError(
            "Nothing was corrected yet: put fields right under Documents in the app, then learn from that."
        )
    for name in names:
        chosen = [_tagged(each) for each in corrections if each.model == name]
        target = workspace.folder / "models" / file_name(name)
        body = _learnt(workspace, name, chosen, papers)
        write_corrections(workspace, name, target.with_suffix(".corrections.jsonl"))
        with written_whole(target) as file:
            file.write(body)
    return {name: sum(each.model == name for each in corrections) for name in names}


def _learnt(workspace: Workspace, name: str, chosen: Sequence[TaggedDocument], papers: int) -> bytes:
    base = json.loads(workspace.database.meta(base_key(name)) or "{}")
    own = (workspace.folder / "models" / file_name(name)).is_file()
    more = list(chosen) * WEIGHT
    if base.get("file"):
        documents = _taught(Path(base["file"]), name)
        bibtex, model = [bibtex_text(Path(file)) for file in base["bibtex"]], base.get("model", CRF)
        return learn_tagger([*documents, *layout_papers(name, documents), *more], name, bibtex, model=model)
    if name not in (HEADERS, REFERENCES) or (own and not base.get("generated")):
        raise InputError(
            f"It is not known which tagged text '{name}' was learnt from; learn it once more: trailmark tag --train TAGGED.jsonl --name {name}"
        )
    workspace.database.set_meta(base_key(name), json.dumps({"generated": papers}))
    return learnt(name, [*tagged_papers(papers, SEED)[name], *more])


def _taught(file: Path, name: str) -> list[TaggedDocument]:
    try:
        return taught(file)[0]
    except InputError as error:
        raise InputError(
            f"{file}, from which '{name}' was learnt, can't be read any more ({error.__cause__}); "
            f"name it again: trailmark tag --train TAGGED.jsonl --name {name}"
        ) from error


def _tagged(correction: Correction) -> TaggedDocument:
    words = tuple(tuple(map(_word, line)) for line in correction.lines)
    return TaggedDocument(words, tuple(tuple(word.label for word in line) for line in correction.lines))


def _word(word: CorrectedWord) -> Word:
    return Word(word.text, word.size, word.bold, word.italic, word.x, word.y, word.page)
