"""`lessons review`: goes through the candidates on a terminal."""

from typing import TYPE_CHECKING

import click

from lessons import config
from lessons.cli import render
from lessons.cli.home import data_home
from lessons.errors import Refused

if TYPE_CHECKING:
    from lessons.candidate import Tier
    from lessons.learn.accept import PendingLesson


@click.command("review", short_help="Go through the candidates and decide")
@click.option("--all", "everything", is_flag=True, help="Include those with weaker evidence, seen in one session only.")
@click.option(
    "--tier", type=click.IntRange(1, 3), help="Only tier 1 (tags), 2 (failures and fixes) or 3 (corrections)."
)
@click.option("--yes", is_flag=True, help="Accept every lesson that was learned and passed the test.")
@render.json_option
def command(everything: bool, tier: "Tier | None", yes: bool, as_json: bool) -> int:
    """Go through the candidates and decide, one key for each: those with the best evidence first.

    Lessons that `lessons learn` brought and that passed the test on your history come first, all on one screen.

    Every other screen shows what failed, what worked instead, and what a lesson about it would have done in your own
    history. n and v page through its occurrences, ? explains every key. Every decision is saved at once: quit at
    any time, the next review continues from there. Without a terminal and with --json it lists what was learned;
    `lessons candidates --json` and `lessons promote` are for programs.
    """
    home = data_home()
    learned = _learned(home) if tier is None else []
    if yes or as_json or not render.can_ask():
        return _without_person(home, learned, yes, as_json)
    # Imported late: they need rich and much else.
    from lessons.cli import review_learned
    from lessons.cli.review import Walk, finish
    from lessons.promote.review_case import waiting

    try:
        if not review_learned.decide(home, learned):
            return 0
        found = waiting(home, config.load(home), everything, tier)
        walk = Walk(home, review_learned.split(learned, found.cases)[1])
        whole = walk.run()
    except KeyboardInterrupt:
        render.note("\nYour decisions are saved. The next review continues from there.")
        raise
    if walk.cases:
        finish(walk, whole, found.hidden)
    elif found.hidden or not learned:
        render.note(_nothing(found.hidden))
    return 0


def _learned(home: str) -> "list[PendingLesson]":
    from lessons.learn.accept import pending
    from lessons.store.history.history import History

    with History.for_reading(home) as history:
        return pending(history)


def _without_person(home: str, learned: "list[PendingLesson]", yes: bool, as_json: bool) -> int:
    import msgspec

    from lessons.cli import review_learned

    if not (yes or as_json or learned):
        raise Refused("`lessons review` needs a terminal. Without one use `lessons candidates` and `lessons promote`.")
    done = review_learned.accept(home, learned) if yes else ""
    document = {"accepted" if yes else "learned": msgspec.to_builtins(learned)}
    render.emit(as_json, document, lambda: render.say(done) if yes else review_learned.show(learned))
    return 0


def _nothing(hidden: int) -> str:
    from lessons.cli.candidate_text import NONE_LEFT, weaker

    return f"{weaker(hidden)}: add --all." if hidden else NONE_LEFT
