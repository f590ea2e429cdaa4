"""Offers the starter pack, whole or by tag, and stores the chosen lessons."""

from collections import Counter

import click

from lessons.cli import render
from lessons.cli.render import many
from lessons.cli.terminal import ask_key, single_keys
from lessons.errors import NotFound, Refused
from lessons.promote import catalog, starter

Record = dict[str, object]

_KEYS = "[a]dd all  s[h]adow: try all silently  by [t]ag  [c]hoose  [n]one  > "


def add_starter(home: str, tags: list[str], yes: bool, as_json: bool) -> None:
    """Imports the chosen lessons of the pack; without a terminal only with --yes."""
    offered = with_tags(starter.missing(home), tags)
    if not yes and not (render.can_ask() and not as_json):
        number = many(len(offered), "lesson")
        about = f" tagged {', '.join(tags)}" if tags else ""
        raise Refused(
            f"The starter pack has {number}{about} that you do not have."
            " Add --yes to import them, or --list to read them."
        )
    if yes or not offered:
        stored = catalog.add_all(home, offered) if offered else []
        render.emit(as_json, {"lessons": [each.record for each in stored]}, lambda: _report(len(stored), offered))
        return
    _report(_ask(home, offered), offered)


def list_starter(home: str, tags: list[str], as_json: bool) -> None:
    """Lists the lessons of the pack that are not stored yet, and the tags."""
    offered = with_tags(starter.missing(home), tags)
    rows = [(each["slug"], catalog.describe(each), " ".join(_tags(each)), each["summary"]) for each in offered]
    empty = "You already have every lesson of the starter pack."
    columns = ("slug", "effect", "tags", "summary")
    render.emit(as_json, {"lessons": offered}, lambda: render.table(columns, rows, empty, below=2))


def with_tags(records: list[Record], tags: list[str]) -> list[Record]:
    """Returns those with any of the tags (`git` is short for `tool:git`); all of them without a tag."""
    known = Counter(tag for record in starter.pack() for tag in _tags(record))
    for tag in tags:
        if not any(_is_meant(tag, each) for each in known):
            raise NotFound(f"No lesson of the starter pack is tagged {tag}. Its tags: {', '.join(sorted(known))}.")
    return [
        record for record in records if not tags or any(_is_meant(tag, own) for tag in tags for own in _tags(record))
    ]


def _is_meant(wanted: str, tag: str) -> bool:
    return wanted in (tag, tag.partition(":")[2])


def _tags(record: Record) -> list[str]:
    tags = record.get("tags")
    return [str(tag) for tag in tags] if isinstance(tags, list) else []


def _report(stored: int, offered: list[Record]) -> None:
    if not offered:
        click.echo("You already have every lesson of the starter pack.")
    elif not stored:
        click.echo("No lesson was imported.")
    else:
        click.echo(f"Imported {many(stored, 'lesson')} of the starter pack. `lessons list` lists them.")


def _ask(home: str, offered: list[Record]) -> int:
    """Returns how many were stored."""
    rows = [(record["slug"], catalog.describe(record), record["summary"]) for record in offered]
    render.table(("slug", "effect", "summary"), rows, "")
    click.echo(f"Import {many(len(offered), 'lesson')}?")
    with single_keys():
        key = ask_key(_KEYS, "ahtcnq")
    if key == "t":
        return _ask(home, _of_tag(offered))
    if key == "c":
        return _one_by_one(home, offered)
    stage: Record = {"stage": "shadow"} if key == "h" else {}
    return len(catalog.add_all(home, [{**record, **stage} for record in offered])) if key in "ah" else 0


def _of_tag(offered: list[Record]) -> list[Record]:
    counts = Counter(tag for record in offered for tag in _tags(record))
    click.echo(click.wrap_text(", ".join(f"{tag} ({number})" for tag, number in counts.most_common()), 79))
    while True:
        wanted = str(click.prompt("Tags, separated by spaces")).split()
        chosen = [record for record in offered if any(_is_meant(tag, own) for tag in wanted for own in _tags(record))]
        if chosen:
            return chosen
        click.echo("No lesson has such a tag.")


def _one_by_one(home: str, offered: list[Record]) -> int:
    """Stores what was accepted, even if the user leaves before the end."""
    chosen: list[Record] = []
    try:
        for number, record in enumerate(offered, start=1):
            if click.confirm(f"{number}/{len(offered)}  {render.printable(str(record['summary']))}?", default=True):
                chosen.append(record)
    except (click.Abort, KeyboardInterrupt):
        if chosen:
            catalog.add_all(home, chosen)
            render.note(f"\nImported the {many(len(chosen), 'lesson')} that you accepted.")
        raise
    return len(catalog.add_all(home, chosen)) if chosen else 0
