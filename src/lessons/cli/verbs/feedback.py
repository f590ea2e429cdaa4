"""`lessons feedback`: records what you think of a lesson."""

import click

from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.options.slugs import known_lesson, slug_argument
from lessons.ledger.feedback import record_feedback


@click.command("feedback", short_help="Say whether a lesson was good or bad")
@slug_argument
@click.argument("verdict", type=click.Choice(["good", "bad"]))
@click.option("--why", default="", help="Why, in a sentence, for the record.")
@render.json_option
def command(slug: str, verdict: str, why: str, as_json: bool) -> None:
    """Say whether a lesson was good or bad. It counts in `lessons tend` and is shown by `lessons stats`."""
    home = data_home()
    name = str(known_lesson(home, slug)["slug"])
    note = record_feedback(home, name, verdict, why)
    document = {"slug": name, "verdict": verdict, "why": note.reason, "time": note.time}
    render.emit(as_json, document, lambda: render.say(f"Recorded: {name} is {verdict}. `lessons tend` counts it."))
