"""`lessons candidates`: lists the mistakes that could become lessons, those with the best evidence first."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime

import click
import msgspec
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from lessons import config, paths
from lessons.candidate import Tier
from lessons.cli import render
from lessons.cli.candidate_text import counts_of, note_hidden, quotation, scope_words, trigger_words
from lessons.cli.options import complete_candidate, tier_option
from lessons.lesson_fields import WORDS
from lessons.promote import decide, queue
from lessons.promote.backtest_report import sentence
from lessons.promote.candidate import Candidate, notes_on
from lessons.promote.catalog import describe
from lessons.promote.draft import Choice, Draft
from lessons.promote.review_case import Answers, Pair, diagnoses_of, pair_of
from lessons.store.history.history import History

_COLUMNS = ("index", "kind", "times", "sessions", "projects", "minutes lost", "problem", "solution", "trigger")
_MARGIN = 5
_MOST_DIAGNOSES = 5


@click.command("candidates", short_help="List the mistakes that could become lessons")
@click.argument("names", nargs=-1, metavar="[N|ID...]", shell_complete=complete_candidate)
@click.option("--all", "everything", is_flag=True, help="Include those with weaker evidence, seen in one session only.")
@tier_option
@click.option("--reject", "is_rejection", is_flag=True, help="Reject the named ones: they are not shown again.")
@click.option("--reason", default="", help="With --reject: why, for the record.")
@render.json_option
def command(names: tuple[str, ...], everything: bool, tier: Tier | None, is_rejection: bool, reason: str) -> None:
    """List the mistakes that could become lessons, those with the best evidence first.

    They come from the transcripts that `lessons scan` has read. Lists those seen in two sessions or more; --all adds
    the others. Those whose fix followed soonest come first, then those that cost most. The number of a candidate is its
    place in the whole queue: name it to see that candidate alone, with its scope, its back-test and what the agent
    wrote after its failed calls.

    Candidates that say nearly the same are listed separately here, and are one decision in `lessons review` and with
    --reject. `lessons undo` undoes a rejection.
    """
    home = paths.data_home()
    if is_rejection:
        _reject(home, names, reason)
    elif names:
        _show_named(home, names)
    else:
        _list(home, everything, tier)


def _list(home: str, everything: bool, tier: Tier | None) -> None:
    if not os.path.exists(paths.history_file(home)):
        empty = "No candidates yet. Run `lessons scan` first."
        render.emit(_document([]), lambda: render.note(empty))
        return
    decide.settle(home)
    with History.for_reading(home) as history, render.progress("Computing triggers", "candidates") as watch:
        found = queue.shown(history, config.load(home), everything, tier, watch)
    queue.remember(home, found.queue)

    def print_all() -> None:
        if not found.candidates:
            note_hidden(found.hidden, is_empty=True)
        elif render.is_terminal():
            _draw(found.candidates, Answers(home, with_pack=False))
            note_hidden(found.hidden)
            render.note("Next: `lessons review` to decide, `lessons promote N` to make one a lesson.")
        else:
            render.table(_COLUMNS, [_row(each) for each in found.candidates], "")
            note_hidden(found.hidden)

    render.emit(_document(msgspec.to_builtins(found.candidates)), print_all)


def _document(candidates: list[object]) -> dict[str, object]:
    return {"generatedAt": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}", "candidates": candidates}


def _row(candidate: Candidate) -> tuple[object, ...]:
    counts = (candidate.occurrence_count, candidate.session_count, candidate.project_count)
    words = (candidate.problem, candidate.solution, trigger_words(candidate.proposed_trigger))
    return (candidate.index, candidate.kind, *counts, f"{candidate.minutes_lost:g}", *words)


def _draw(candidates: Sequence[Candidate], answers: Answers) -> None:
    """Prints kind and counts of each candidate, the problem, what worked instead, its trigger and what answers it."""
    console = Console(highlight=False)
    for candidate in candidates:
        heading = Text(f"{candidate.index:>3}  ", style="bold")
        heading.append(render.one_line(candidate.kind), style="not bold cyan")
        heading.append("  " + counts_of(candidate), style="not bold dim")
        console.print(heading, no_wrap=True, overflow="ellipsis")
        answer, trigger = answers.of(candidate), trigger_words(candidate.proposed_trigger)
        for words, style in (
            (candidate.problem, ""),
            (candidate.solution and f"→ {candidate.solution}", "green"),
            (trigger and f"when {trigger}", "dim"),
            (answer and f"answered {answer.sentence()}", "yellow"),
        ):
            if words:
                text = Text(render.one_line(words), style=style)
                text.truncate(2 * (console.width - _MARGIN) - 10, overflow="ellipsis")
                console.print(Padding(text, (0, 0, 0, _MARGIN), expand=False))


def page_of(home: str, draft: Draft, candidate: Candidate, *alike: Candidate) -> list[tuple[str, object]]:
    """Returns what is known about a candidate, and the lesson that it would become."""
    with History.for_reading(home) as history:
        pair, diagnoses = pair_of(history, candidate), diagnoses_of(history, candidate)
    document, answer = draft.document, Answers(home).of(candidate)
    triggers = document.get("triggers")
    tested = sentence(draft.report) if draft.report else "shown when a session starts, not at a call"
    pairs: list[tuple[str, object]] = [
        ("candidate", f"{candidate.index} {candidate.fingerprint} ({candidate.kind})"),
        ("seen", counts_of(candidate, *alike)),
        *((field.name, document.get(field.name) or "unknown") for field in WORDS),
        ("fires", trigger_words(triggers if isinstance(triggers, dict) else None)),
        ("no trigger", "" if candidate.proposed_trigger else candidate.no_trigger),
        ("scope", scope_words(candidate.scope)),
        ("effect", f"{describe(document)}{', in shadow' if document.get('stage') == 'shadow' else ''}"),
        ("history", tested),
        ("answered", answer.sentence() if answer else ""),
        *(_what_happened(pair) if candidate.evidence else ()),
        *(("agent", quotation(each)) for each in diagnoses[:_MOST_DIAGNOSES]),
        *(("with it", f"a near duplicate, merged into it: {each.problem}") for each in alike),
        *(("note", note) for note in (*notes_on(candidate), *draft.warnings)),
    ]
    return [(name, value) for name, value in pairs if value]


def _what_happened(pair: Pair) -> list[tuple[str, object]]:
    return [("failed", pair.failed), ("error", pair.error), ("worked", pair.worked or "no later call worked")]


def _show_named(home: str, names: tuple[str, ...]) -> None:
    groups = decide.selected(home, names)
    with History.for_reading(home) as history:
        diagnoses = [msgspec.to_builtins(diagnoses_of(history, candidate)) for candidate, *_ in groups]
    documents: list[object] = [
        {**msgspec.to_builtins(group[0]), "diagnoses": found} for group, found in zip(groups, diagnoses, strict=True)
    ]

    def print_all() -> None:
        for number, (candidate, *alike) in enumerate(groups):
            if number:
                render.say("")
            render.fields(page_of(home, decide.preview(home, candidate, Choice(), alike), candidate, *alike))

    render.emit(_document(documents), print_all)


def _reject(home: str, names: tuple[str, ...], reason: str) -> None:
    """Rejects candidates and their near duplicates."""
    if not names:
        raise click.UsageError("Name what to reject: a number of the list that was shown last, or a fingerprint.")
    marks = dict.fromkeys(each.fingerprint for group in decide.selected(home, names) for each in group)
    document = {"rejected": [msgspec.to_builtins(each) for each in decide.archive(home, marks, reason)]}
    done = "\n".join(f"Rejected {mark}. `lessons undo` undoes it." for mark in marks)
    render.emit(document, lambda: render.say(done))
