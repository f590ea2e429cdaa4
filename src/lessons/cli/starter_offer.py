"""Offers the starter pack and stores what a person chooses."""

import click

from lessons.cli import render
from lessons.errors import Refused
from lessons.promote import library, starter


def add_starter(home: str, yes: bool, as_json: bool, tags: list[str]) -> None:
    """Import the chosen lessons of the pack, those with one of the tags if any; without a terminal only with --yes."""
    offered = _tagged(starter.missing(home), tags)
    if not yes and not (render.can_ask() and not as_json):
        raise Refused(f"The starter pack has {len(offered)} lessons that you do not have. Add --yes to import them.")
    stored = _chosen(home, offered) if offered and not yes else library.add_all(home, offered) if offered else []
    done = f"Imported {len(stored)} lessons of the starter pack. `lessons list` lists them."
    if not offered:
        named = f" with {' or '.join(tags)}" if tags else ""
        done = f"You already have every lesson of the starter pack{named}."
    render.emit(as_json, {"lessons": [each.record for each in stored]}, lambda: click.echo(done))


def _tagged(offered: list[dict[str, object]], tags: list[str]) -> list[dict[str, object]]:
    """Those with one of the tags; `git` stands for `tool:git` too."""
    found = [each for each in offered if not tags or any(_has_tag(each, tag) for tag in tags)]
    if offered and not found:
        known = sorted({str(tag) for record in offered for tag in _tags(record)})
        raise Refused(f"No lesson of the starter pack has the tag {' or '.join(tags)}. There are: {', '.join(known)}.")
    return found


def _has_tag(record: dict[str, object], tag: str) -> bool:
    return any(tag in (own, str(own).partition(":")[2]) for own in _tags(record))


def _tags(record: dict[str, object]) -> list[object]:
    tags = record.get("tags")
    return tags if isinstance(tags, list) else []


def _chosen(home: str, offered: list[dict[str, object]]) -> list[library.Stored]:
    rows = [(record["slug"], library.describe(record), record["summary"]) for record in offered]
    render.table(("slug", "effect", "summary"), rows, "")
    answer = click.prompt(
        f"Import all {len(offered)}, choose one by one, or none?",
        type=click.Choice(("all", "choose", "none")),
        default="all",
    )
    if answer == "choose":
        return _one_by_one(home, offered)
    return library.add_all(home, offered) if answer == "all" else []


def _one_by_one(home: str, offered: list[dict[str, object]]) -> list[library.Stored]:
    """Each lesson is stored when it is accepted: what was accepted before Ctrl-C stays."""
    stored: list[library.Stored] = []
    for record in offered:
        try:
            if click.confirm(f"{record['summary']}?", default=True):
                stored += library.add_all(home, [record])
        except click.Abort:
            render.note(f"\nImported {len(stored)} lessons before you stopped.")
            raise
    return stored
