"""`lessons hook`: answers one hook event, payload on stdin, answer on stdout."""

import click

from lessons.errors import Refused
from lessons.hook.main import SERVER, run


@click.command(
    "hook", short_help="Answer one hook event (agents run this)", context_settings={"ignore_unknown_options": True}
)
@click.argument("event", default="")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def command(event: str, options: tuple[str, ...]) -> None:
    """Answer one hook event (agents run this): the payload on stdin, the answer on stdout, exit code 0.

    What `lessons install` writes into an agent's settings starts the same code several times faster.
    """
    if not event:
        # Not a usage error: an agent takes exit code 2 as "block this call".
        raise Refused("Give the event, such as PreToolUse. `lessons install` writes the right commands.")
    if event != SERVER:
        run(event, list(options))
