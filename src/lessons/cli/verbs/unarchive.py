"""`lessons unarchive`: the slug of a retired lesson in, the lesson acting again out."""

import click

from lessons.cli import render
from lessons.cli.options.slugs import slug_argument
from lessons.cli.verbs.home import data_home
from lessons.promote import library
from lessons.store import decisions


@click.command("unarchive", short_help="Let a retired lesson act again")
@slug_argument
@render.json_option
def command(slug: str, as_json: bool) -> None:
    """Let a retired lesson act again."""
    home = data_home()
    stored = library.restore(home, slug)
    decisions.record(home, "unarchived", str(stored.record["slug"]))
    render.warn(stored.warnings)
    render.emit(as_json, stored.record, lambda: render.say(f"{stored.record['slug']} acts again."))
