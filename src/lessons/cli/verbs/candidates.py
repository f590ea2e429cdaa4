"""`lessons candidates`: lists the mistakes that could become lessons, those with the best evidence first."""

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from lessons import config, paths
from lessons.cli import render
from lessons.cli.options.candidates import complete_candidate

if TYPE_CHECKING:
    from lessons.candidate import Tier
    from lessons.promote.queue.queue import Shown


@click.command("candidates", short_help="List the mistakes that could become lessons")
@click.argument("names", nargs=-1, metavar="[N|ID...]", shell_complete=complete_candidate)
@click.option("--all", "everything", is_flag=True, help="Include those with weaker evidence, seen in one session only.")
@click.option("--protocol", is_flag=True, help="List those about the agent's own tool rules instead.")
@click.option(
    "--tier", type=click.IntRange(1, 3), help="Only tier 1 (tags), 2 (failures and fixes) or 3 (corrections)."
)
@render.json_option
def command(names: tuple[str, ...], everything: bool, protocol: bool, tier: "Tier | None", as_json: bool) -> None:
    """List the mistakes that could become lessons, those with the best evidence first.

    They come from the transcripts that `lessons scan` has read. Lists those seen in two sessions or more, and those
    whose error names the cause if a remedy is known; --all adds the others. Those without a remedy come last. Otherwise
    those whose fix followed soonest come first, then those that cost most. The number of a candidate is its place in
    the whole queue: name it to see that candidate alone, with its scope, its back-test and what the agent wrote after
    its failed calls.

    Candidates that say nearly the same are listed separately here, and are one decision in `lessons review`.
    """
    # Imported late: `lessons scan` imports this verb too.
    from lessons.cli.progress_bar import watching
    from lessons.promote.promotion.steps import settle
    from lessons.promote.queue import numbers
    from lessons.promote.queue.queue import shown
    from lessons.store.history.history import History

    home = paths.data_home()
    if names:
        _show_named(home, names, as_json)
        return
    if not os.path.exists(paths.history_file(home)):
        document = {"generatedAt": _now(), "candidates": []}
        render.emit(as_json, document, lambda: render.note("No candidates yet. Run `lessons scan` first."))
        return
    settle(home)
    with History.for_reading(home) as history, watching(True, "Computing triggers", "candidates") as watch:
        found = shown(history, config.load(home), everything, protocol, tier, watch)
    numbers.remember(home, found.queue, protocol)
    render.emit(as_json, _document(found), lambda: _print(home, found))


def _show_named(home: str, names: tuple[str, ...], as_json: bool) -> None:
    import msgspec

    from lessons.cli.candidate_text import About, described
    from lessons.promote.intake import rivals
    from lessons.promote.promotion import promotion
    from lessons.promote.promotion.promotion import Choice
    from lessons.promote.queue.selection import selected
    from lessons.promote.review.answered import Answers
    from lessons.promote.review.diagnoses import diagnoses_of
    from lessons.promote.review.pair import pair_of
    from lessons.store.history.history import History

    groups = selected(home, names)
    settings, known, answers = config.load(home), rivals.read(home), Answers(home)
    with History.for_reading(home) as history:
        found = [
            About(
                each,
                pair_of(history, each),
                diagnoses_of(history, each),
                promotion.draft(history, settings, each, Choice(), known, alike).report,
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
    from lessons.promote.review.answered import Answers

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
