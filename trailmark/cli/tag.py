"""`trailmark tag`"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from trailmark.cli.printing import FILE, Printer, archive_option, json_option, on_option
from trailmark.quoting import count_of
from trailmark.scale.cluster import check_place
from trailmark.scale.places import taggers_on
from trailmark.tag.model_choice import CRF, HMM, ModelChoice
from trailmark.tag.tag_report import TagReport, TrainReport
from trailmark.verbs.correct_document import tagged_files
from trailmark.verbs.learn_corrections import learn_corrections
from trailmark.verbs.tag import tag
from trailmark.verbs.train_tagger import train_tagger
from trailmark.workspace import Workspace

MODEL_NAMES = {CRF: "conditional random field", HMM: "hidden Markov model"}
NAMED = 5
"""Documents that are named to a person; --json names more."""


@click.command("tag")
@click.argument("files", type=FILE, nargs=-1, metavar="[FILE]...")
@archive_option("Tag the documents of this web archive (repeatable; default: all that the workspace fetched).")
@click.option("--model", metavar="NAME", help="Tag with this tagger alone (default: headers and references of papers).")
@click.option(
    "--out", type=FILE, metavar="FILE", help="Write the records to this file too: .jsonl, .json, .csv or .bib."
)
@click.option("--sources", is_flag=True, help="Write beside each value where it stands: page and box, or characters.")
@click.option("--jobs", type=click.IntRange(0, 256), help="Processes side by side (0: one for each core).")
@click.option("--again", is_flag=True, help="Tag documents again although neither they nor the taggers have changed.")
@click.option("--train", type=FILE, metavar="TAGGED", help="Learn a tagger from this file of tagged text instead.")
@click.option(
    "--learn", is_flag=True, help="First learn from what was corrected in the app, then tag everything again."
)
@click.option("--name", metavar="NAME", help="What the tagger that is learnt is called.")
@click.option(
    "--bibtex",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="With --train: learn from this BibTeX file (.bib, .bib.xz) what words are used for (repeatable).",
)
@on_option
@json_option
@click.pass_obj
def verb(
    folder: Path,
    files: tuple[Path, ...],
    archives: tuple[Path, ...],
    model: str | None,
    out: Path | None,
    sources: bool,
    jobs: int | None,
    again: bool,
    train: Path | None,
    learn: bool,
    name: str | None,
    bibtex: tuple[Path, ...],
    place: str,
    as_json: bool,
) -> None:
    """Turn documents into records: titles, authors and references of papers.

    Without taggers of its own in the workspace, those that come with Trailmark are used; they learnt from generated papers, and taggers that
    learn from tagged text (--train) are better.

    PDF, PostScript (where Ghostscript is installed), HTML and text are read. A document that was tagged before by the same taggers,
    and has not changed, is not tagged again; its records are in the file all the same.

    \b
    trailmark -w my-project tag --train headers.jsonl --name headers --bibtex library.bib
    trailmark -w my-project tag paper.pdf --out papers.bib
    trailmark -w my-project tag --archive site.warc.gz --out records.jsonl
    trailmark -w my-project tag --on ray
    """
    if (train is None) != (name is None):
        raise click.UsageError("--train TAGGED.jsonl and --name NAME belong together.")
    if train is not None and (files or archives or model or out):
        raise click.UsageError(
            "--train learns a tagger and tags nothing: leave out files, --archive, --model and --out."
        )
    if bibtex and train is None:
        raise click.UsageError("--bibtex FILE belongs to --train: it teaches a tagger what words are used for.")
    if learn and (train is not None or files or archives or model):
        raise click.UsageError(
            "--learn tags all that was tagged before: leave out files, --archive, --model and --train."
        )
    check_place(place)
    printer = Printer(as_json)
    with Workspace.open(folder) as workspace:
        if train is not None and name is not None:
            learnt = train_tagger(workspace, train, name, bibtex=bibtex)
            printer.say(
                f"'{name}' was learnt from {count_of(learnt.documents, 'document')} with {count_of(learnt.words, 'word')}: {learnt.file}"
            )
            printer.say(choice_text(learnt.choice))
            _print_beside(printer, learnt, given=bool(bibtex))
            for problem in learnt.problems[:NAMED]:
                printer.say(f"{problem.place}: {problem.reason}")
            if (rest := len(learnt.problems) - NAMED) > 0:
                printer.say(f"{count_of(rest, 'more line was', 'more lines were')} left out; --json names all.")
            printer.report(learnt)
            return
        learnt_from: dict[str, int] = {}
        if learn:
            learnt_from = learn_corrections(workspace)
            for name_learnt, count in learnt_from.items():
                printer.say(
                    f"'{name_learnt}' learnt from {count_of(count, 'correction')} beside what it learnt from before."
                )
            files, archives = tagged_files(workspace), tuple(workspace.archives())
        with taggers_on(place) as crew:
            report = tag(
                workspace, files, archives, model=model, out=out, sources=sources, jobs=jobs, again=again, progress=printer.progress, crew=crew
            )  # fmt: skip
    report = replace(report, corrections=sum(learnt_from.values()))
    _print_tagged(printer, report)
    if out:
        printer.say(f"The records are in {out}.")
    printer.report(report)


def choice_text(choice: ModelChoice) -> str:
    """The kind of model that was kept, and the figures that speak for it."""
    if not choice.errors:
        return f"It is a {MODEL_NAMES[choice.model]}; there is too little tagged text to measure which kind of model errs least on it."
    told = ", ".join(
        f"the {MODEL_NAMES[each.model]} got {100 * each.word_error:.1f} % of the words wrong" for each in choice.errors
    )
    return (
        f"The {MODEL_NAMES[choice.model]} is kept: where each of {choice.parts} parts of {choice.documents} documents was tagged by what the "
        f"others taught, {told}."
    )


def _print_beside(printer: Printer, learnt: TrainReport, *, given: bool) -> None:
    """What else a tagger was learnt from."""
    if learnt.generated:
        printer.say(f"{learnt.generated} papers that Trailmark set itself taught it what a first page looks like.")
    if learnt.bibtex_words:
        printer.say(f"It knows from BibTeX what {learnt.bibtex_words} words are used for.")
    elif given and learnt.choice.model == CRF:
        printer.say(
            "It learnt no words from the BibTeX that was given: that has no entries with a word that stands there twice."
        )
    elif learnt.choice.model == CRF:
        printer.say("It knows no words of bibliographies; --bibtex FILE teaches it names, journals and publishers.")


def _print_tagged(printer: Printer, report: TagReport) -> None:
    """The report for a person."""
    if report.articles or report.old_articles:
        printer.say(
            f"{count_of(report.articles, 'article')} of a wiki kept, {report.old_articles} known and unchanged; "
            "to search them: trailmark organise, then trailmark search."
        )
        if not report.documents:
            return
    printer.say(
        f"{count_of(report.records, 'record')} from {count_of(report.documents, 'document')}: {count_of(report.papers, 'paper')}, "
        f"{count_of(report.references, 'reference')}."
    )
    if report.ready:
        printer.say(
            f"Tagged by what comes with Trailmark ({' and '.join(report.ready)}), learnt from generated papers. "
            "For better ones: trailmark tag --train TAGGED.jsonl --name headers, or make models; see docs/how-to/tag.md."
        )
    if report.no_papers:
        printer.say(f"{count_of(report.no_papers, 'document is no paper', 'documents are no papers')}.")
    if report.unchanged:
        printer.say(
            f"{count_of(report.unchanged, 'document was', 'documents were')} known from an earlier run and unchanged."
        )
    if report.unsure:
        printer.say(
            f"{count_of(report.unsure, 'record has', 'records have')} values that are worth a look; they are named under 'unsure'."
        )
    if report.failed:
        printer.say(f"{count_of(report.failed, 'document')} could not be read:")
        for problem in report.problems[:NAMED]:
            printer.say(f"  {problem.place}: {problem.reason}")
