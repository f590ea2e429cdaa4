"""`lessons review`: the candidates of the history in, a person's decisions about them out."""

from typing import TYPE_CHECKING

import click

from lessons import config
from lessons.cli import render
from lessons.cli.verbs.home import data_home
from lessons.errors import Refused

if TYPE_CHECKING:
    from lessons.candidate import Tier


@click.command("review", short_help="Walk through the candidates and decide")
@click.option("--all", "everything", is_flag=True, help="Also those that were seen in one session only.")
@click.option("--tier", type=click.IntRange(1, 3), help="Only 1: tags, 2: failures and fixes, 3: people's corrections.")
def command(everything: bool, tier: "Tier | None") -> int:
    """Walk through the candidates and decide, one key for each: the most rewarding first.

    Every screen shows what failed, what worked instead, and what a lesson about it would have done in your own
    history. Every decision is kept at once: leave whenever you like, the next review goes on from there. It needs a
    terminal; `lessons candidates --json` and `lessons promote` are for programs.
    """
    if not render.can_ask():
        raise Refused("A review needs a terminal: `lessons candidates` lists, `lessons promote` decides without one.")
    # Loaded only now: they need rich and much else.
    from lessons.cli.review.queue import waiting
    from lessons.cli.review.summary import finish
    from lessons.cli.review.walk import Walk

    home = data_home()
    found = waiting(home, config.load(home), everything, tier)
    if not found.cases:
        render.note(found.nothing())
        return 0
    walk = Walk(home, found.cases)
    try:
        whole = walk.run()
    except KeyboardInterrupt:
        render.note("\nWhat was decided is kept: the next review goes on from there.")
        raise
    finish(walk, whole, found.hidden)
    return 0
