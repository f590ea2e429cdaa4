"""`lessons edit`: a slug with flags, a file or an editor in, the changed lesson out."""

import json

import click

from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.lesson_options import document_from_options, documents_from, lesson_options
from lessons.cli.slugs import slug_argument
from lessons.errors import Refused
from lessons.promote import library
from lessons.store import lesson_file


@click.command("edit", short_help="Change a lesson")
@slug_argument
@click.option(
    "--from", "source", metavar="FILE|-", help="Merge this JSON object into the record; null removes a field."
)
@lesson_options
@render.json_option
def command(slug: str, source: str | None, as_json: bool, **values: object) -> None:
    """Change a lesson: with flags, with a JSON object, or (on a terminal, without either) in your editor.

    A list that is given replaces the old one.
    """
    home = data_home()
    changes = document_from_options(values)
    if source is not None:
        [given] = _one(documents_from(source))
        changes = {**given, **changes}
    if not changes:
        if not render.can_ask() or as_json:
            raise click.UsageError("Say what to change: give flags, or --from FILE.")
        changes = _in_editor(lesson_file.read(home).find(slug))
        if not changes:
            click.echo("Nothing was changed.")
            return
    stored = library.edit(home, slug, changes)
    render.warn(stored.warnings)
    render.emit(as_json, stored.record, lambda: click.echo(f"{stored.record['slug']} is changed."))


def _one(documents: list[dict[str, object]]) -> list[dict[str, object]]:
    if len(documents) != 1:
        raise Refused(f"{len(documents)} records were given: an edit takes one JSON object.")
    return documents


def _in_editor(record: dict[str, object]) -> dict[str, object]:
    """What differs after the person has saved and left the editor; a field that is gone is removed."""
    before = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    text = before
    while True:
        edited = click.edit(text, extension=".json")
        if edited is None or edited == before:
            return {}
        try:
            after = json.loads(edited)
        except ValueError as fault:
            if not click.confirm(f"That is not JSON ({fault}). Go on editing?", default=True):
                return {}
            text = edited
            continue
        if not isinstance(after, dict):
            raise Refused("A lesson is a JSON object in braces: nothing was changed.")
        removed: dict[str, object] = dict.fromkeys(key for key in record if key not in after)
        return {**removed, **{key: value for key, value in after.items() if record.get(key) != value}}
