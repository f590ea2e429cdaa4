"""`lessons scan`: nothing in yet; the background scan of a session start finds a verb that answers."""

import click

from lessons.errors import Refused


@click.command("scan", short_help="Read new transcripts")
@click.option("--auto", is_flag=True, help="In the background of a session: say nothing.")
def command(auto: bool) -> None:
    """Read new transcripts. This version does not read transcripts yet."""
    if not auto:
        raise Refused("This version does not read transcripts yet: write lessons with `lessons add`.")
