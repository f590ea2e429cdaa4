"""Offers the starter pack and stores what a person chooses."""

import click

from lessons.cli import render
from lessons.errors import Refused
from lessons.promote import library, starter


def add_starter(home: str, yes: bool, as_json: bool) -> None:
    """Import the chosen lessons of the pack; without a terminal only with --yes."""
    offered = starter.missing(home)
    if not yes and not (render.can_ask() and not as_json):
        raise Refused(f"The starter pack has {len(offered)} lessons that you do not have. Add --yes to import them.")
    chosen = offered if yes or not offered else _choose(offered)
    stored = library.add_all(home, chosen) if chosen else []
    done = f"Imported {len(stored)} lessons of the starter pack. `lessons list` lists them."
    if not offered:
        done = "You already have every lesson of the starter pack."
    render.emit(as_json, {"lessons": [each.record for each in stored]}, lambda: click.echo(done))


def _choose(offered: list[dict[str, object]]) -> list[dict[str, object]]:
    rows = [(record["slug"], library.describe(record), record["summary"]) for record in offered]
    render.table(("slug", "effect", "summary"), rows, "")
    answer = click.prompt(
        f"Import all {len(offered)}, choose one by one, or none?",
        type=click.Choice(("all", "choose", "none")),
        default="all",
    )
    if answer == "choose":
        return [record for record in offered if click.confirm(f"{record['summary']}?", default=True)]
    return offered if answer == "all" else []
