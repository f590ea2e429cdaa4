"""`lessons archive`: a slug in, the lesson retired out."""

import click

from lessons.cli import render
from lessons.cli.options.slugs import naming_own_lesson, slug_argument
from lessons.cli.verbs.home import data_home
from lessons.promote import library
from lessons.store import decisions


@click.command("archive", short_help="Retire a lesson: it is kept and acts no more")
@slug_argument
@click.option("--reason", default="", help="Why, for the record.")
@render.json_option
def command(slug: str, reason: str, as_json: bool) -> None:
    """Retire a lesson: it is kept and acts no more. `lessons unarchive` takes that back."""
    home = data_home()
    with naming_own_lesson(home, slug):
        stored = library.retire(home, slug)
    decisions.record(home, "archived", str(stored.record["slug"]), reason)
    done = (
        f"{stored.record['slug']} is retired: it acts no more. `lessons unarchive {stored.record['slug']}` undoes it."
    )
    render.emit(as_json, stored.record, lambda: render.say(done))
