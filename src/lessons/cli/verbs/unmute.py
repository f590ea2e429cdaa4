"""`lessons unmute`: ends a mute before its time."""

import click

from lessons.cli import render
from lessons.cli.options.slugs import slug_argument
from lessons.cli.verbs import mute


@click.command("unmute", short_help="Let a muted lesson fire again")
@slug_argument
@render.json_option
def command(slug: str, as_json: bool) -> None:
    """Let a muted lesson fire again."""
    mute.unmute(slug, as_json)
