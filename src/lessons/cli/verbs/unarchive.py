"""`lessons unarchive`: brings back a retired lesson."""

import click

from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.options.slugs import slug_argument
from lessons.promote import catalog
from lessons.store import decisions


@click.command("unarchive", short_help="Bring back a retired lesson")
@slug_argument
@render.json_option
def command(slug: str, as_json: bool) -> None:
    """Bring back a retired lesson."""
    home = data_home()
    stored = catalog.restore(home, slug)
    decisions.record(home, "unarchived", str(stored.record["slug"]))
    render.warn(stored.warnings)
    render.emit(as_json, stored.record, lambda: render.say(f"{stored.record['slug']} fires again."))
