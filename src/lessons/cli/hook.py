"""`lessons hook`: an event's name and a payload on stdin in, the hook's answer on stdout out."""

import click

from lessons.hook.main import run


@click.command(
    "hook",
    short_help="Answer one hook event (agents run this)",
    context_settings={"ignore_unknown_options": True},
)
@click.argument("event")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def command(event: str, options: tuple[str, ...]) -> None:
    """Answer one hook event: the payload on stdin, the answer on stdout, always exit code 0.

    What `lessons install` writes into an agent's settings starts the same code several times faster.
    """
    run(event, list(options))
