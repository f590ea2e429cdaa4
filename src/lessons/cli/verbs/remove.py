"""`lessons remove`: an alias of `lessons archive`, because people guess this name."""

import click

from lessons.cli import render
from lessons.cli.options.slugs import slug_argument
from lessons.cli.verbs.archive import retire


@click.command("remove", short_help="Retire a lesson (same as archive)")
@slug_argument
@click.option("--reason", default="", help="Why, for the record.")
@render.json_option
def command(slug: str, reason: str, as_json: bool) -> None:
    """Retire a lesson (same as archive). It stays in lessons.json; `lessons unarchive` brings it back."""
    retire(slug, reason, as_json)
