"""`lessons archive`: retires a lesson."""

import click

from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.options.slugs import naming_own_lesson, slug_argument
from lessons.promote import catalog
from lessons.store import decisions


@click.command("archive", short_help="Retire a lesson: it is kept but no longer fires")
@slug_argument
@click.option("--reason", default="", help="Why, for the record.")
@render.json_option
def command(slug: str, reason: str, as_json: bool) -> None:
    """Retire a lesson: it is kept but no longer fires. `lessons unarchive` brings it back."""
    retire(slug, reason, as_json)


def retire(slug: str, reason: str, as_json: bool) -> None:
    home = data_home()
    with naming_own_lesson(home, slug):
        stored = catalog.retire(home, slug)
    name = str(stored.record["slug"])
    decisions.record(home, "archived", name, reason)
    done = f"Retired {name}: it no longer fires. Run `lessons unarchive {name}` to bring it back."
    render.emit(as_json, stored.record, lambda: render.say(done))
