"""`lessons candidates`: lists the mistakes that could become lessons, those with the best evidence first."""

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from lessons import config, paths
from lessons.cli import render
from lessons.cli.options import complete_candidate

if TYPE_CHECKING:
    from lessons.candidate import Tier
    from lessons.promote.queue import Shown


@click.command("candidates", short_help="List the mistakes that could become lessons")
@click.argument("names", nargs=-1, metavar="[N|ID...]", shell_complete=complete_candidate)
@click.option("--all", "everything", is_flag=True, help="Include those with weaker evidence, seen in one session only.")
@click.option(
    "--tier", type=click.IntRange(1, 3), help="Only tier 1 (tags), 2 (failures and fixes) or 3 (corrections)."
)
@click.option("--reject", "is_rejection", is_flag=True, help="Reject the named ones: they are not shown again.")
@click.option("--reason", default="", help="With --reject: why, for the record.")
@render.json_option
def command(
    names: tuple[str, ...],
    everything: bool,
    tier: "Tier | None",
    is_rejection: bool,
    reason: str,
    as_json: bool,
) -> None:
    """List the mistakes that could become lessons, those with the best evidence first.

    They come from the transcripts that `lessons scan` has read. Lists those seen in two sessions or more; --all adds
    the others. Those whose fix followed soonest come first, then those that cost most. The number of a candidate is its
    place in the whole queue: name it to see that candidate alone, with its scope, its back-test and what the agent
    wrote after its failed calls.

    Candidates that say nearly the same are listed separately here, and are one decision in `lessons review` and with
    --reject. `lessons undo` undoes a rejection.
    """
    # Imported late: `lessons scan` imports this verb too.
    from lessons.promote import queue
    from lessons.promote.decide import settle
    from lessons.promote.queue import shown
    from lessons.store.history.history import History

    home = paths.data_home()
    if is_rejection:
        _reject(home, names, reason, as_json)
        return
    if names:
        _show_named(home, names, as_json)
        return
    if not os.path.exists(paths.history_file(home)):
        document = {"generatedAt": _now(), "candidates": []}
        render.emit(as_json, document, lambda: render.note("No candidates yet. Run `lessons scan` first."))
        return
    settle(home)
    step = render.progress(True, "Computing triggers", "candidates")
    with History.for_reading(home) as history, step as watch:
        found = shown(history, config.load(home), everything, tier, watch)
    queue.remember(home, found.queue)
    render.emit(as_json, _document(found), lambda: _print(home, found))


def _show_named(home: str, names: tuple[str, ...], as_json: bool) -> None:
    import msgspec

    from lessons.cli.candidate_text import About, described
    from lessons.promote import decide
    from lessons.promote.decide import Choice, selected
    from lessons.promote.review_case import Answers, diagnoses_of, pair_of
    from lessons.store import lesson_file
    from lessons.store.history.history import History

    groups = selected(home, names)
    settings, known, answers = config.load(home), lesson_file.read(home).lessons(), Answers(home)
    with History.for_reading(home) as history:
        found = [
            About(
                each,
                pair_of(history, each),
                diagnoses_of(history, each),
                decide.draft(history, settings, each, Choice(), known, alike).report,
                answers.of(each),
            )
            for each, *alike in groups
        ]
    document = [
        {**msgspec.to_builtins(each.candidate), "diagnoses": msgspec.to_builtins(each.diagnoses)} for each in found
    ]

    def show() -> None:
        for number, each in enumerate(found):
            render.say("") if number else None
            render.fields(described(each))

    render.emit(as_json, {"generatedAt": _now(), "candidates": document}, show)


def _document(found: "Shown") -> dict[str, object]:
    import msgspec

    return {"generatedAt": _now(), "candidates": msgspec.to_builtins(found.candidates)}


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _print(home: str, found: "Shown") -> None:
    from lessons.cli import candidate_text
    from lessons.cli.candidate_text import weaker
    from lessons.promote.review_case import Answers

    if not found.candidates:
        render.note(_nothing(found.hidden))
        return
    if render.is_terminal():
        candidate_text.draw(found.candidates, Answers(home, with_pack=False))
    else:
        render.table(candidate_text.COLUMNS, [candidate_text.row(each) for each in found.candidates], "")
    if found.hidden:
        render.note(f"{weaker(found.hidden)}: add --all.")
    if render.is_terminal():
        render.note("Next: `lessons review` to decide, `lessons promote N` to make one a lesson.")


def _nothing(hidden: int) -> str:
    from lessons.cli.candidate_text import NONE_LEFT, weaker

    return f"{weaker(hidden)}: add --all." if hidden else NONE_LEFT


def _reject(home: str, names: tuple[str, ...], reason: str, as_json: bool) -> None:
    """Rejects candidates and their near duplicates."""
    import msgspec

    from lessons.promote.decide import archive, selected

    if not names:
        raise click.UsageError("Name what to reject: a number of the list that was shown last, or a fingerprint.")
    groups = selected(home, names)
    marks = dict.fromkeys(each.fingerprint for group in groups for each in group)
    done = [archive(home, mark, reason) for mark in marks]
    document = {"rejected": [msgspec.to_builtins(each) for each in done]}
    render.emit(as_json, document, lambda: _print_rejected(list(marks)))


def _print_rejected(marks: list[str]) -> None:
    for mark in marks:
        render.say(f"Rejected {mark}. `lessons undo` undoes it.")
