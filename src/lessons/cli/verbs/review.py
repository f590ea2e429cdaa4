"""`lessons review`: goes through the candidates on a terminal."""

from typing import TYPE_CHECKING

import click

from lessons import config
from lessons.cli import render
from lessons.cli.home import data_home
from lessons.errors import Refused

if TYPE_CHECKING:
    from lessons.candidate import Tier


@click.command("review", short_help="Go through the candidates and decide")
@click.option("--all", "everything", is_flag=True, help="Include those with weaker evidence, seen in one session only.")
@click.option(
    "--tier", type=click.IntRange(1, 3), help="Only tier 1 (tags), 2 (failures and fixes) or 3 (corrections)."
)
def command(everything: bool, tier: "Tier | None") -> int:
    """Go through the candidates and decide, one key for each: those with the best evidence first.

    Every screen shows what failed, what worked instead, and what a lesson about it would have done in your own
    history. n and v page through its occurrences, ? explains every key. Every decision is saved at once: quit at
    any time, the next review continues from there. It needs a terminal; `lessons candidates --json` and
    `lessons promote` are for programs.
    """
    if not render.can_ask():
        raise Refused("`lessons review` needs a terminal. Without one use `lessons candidates` and `lessons promote`.")
    # Imported late: they need rich and much else.
    from lessons.cli.review.summary import finish
    from lessons.cli.review.walk import Walk
    from lessons.promote.review.cases import waiting

    home = data_home()
    found = waiting(home, config.load(home), everything, tier)
    if not found.cases:
        render.note(_nothing(found.hidden))
        return 0
    walk = Walk(home, found.cases)
    try:
        whole = walk.run()
    except KeyboardInterrupt:
        render.note("\nYour decisions are saved. The next review continues from there.")
        raise
    finish(walk, whole, found.hidden)
    return 0


def _nothing(hidden: int) -> str:
    from lessons.cli.candidate_text import NONE_LEFT, weaker

    return f"{weaker(hidden)}: add --all." if hidden else NONE_LEFT
