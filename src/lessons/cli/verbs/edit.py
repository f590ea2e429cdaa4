"""`lessons edit`: changes a lesson with options, a file or an editor."""

import json

import click

from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.options import document_from_options, documents_from, lesson_options, naming_own_lesson, slug_argument
from lessons.errors import Refused
from lessons.promote import catalog, decide
from lessons.store import lesson_file


@click.command("edit", short_help="Change a lesson")
@slug_argument
@click.option(
    "--from", "source", metavar="FILE|-", help="Merge this JSON object into the record; null removes a field."
)
@lesson_options
@render.json_option
def command(slug: str, source: str | None, as_json: bool, **values: object) -> None:
    """Change a lesson: with options, with a JSON object, or (on a terminal, without either) in your editor.

    A list option replaces the old list.
    """
    home = data_home()
    changes = document_from_options(values)
    if source is not None:
        [given] = _one(documents_from(source))
        changes = {**given, **changes}
    with naming_own_lesson(home, slug):
        if changes:
            stored: catalog.Stored | None = decide.edit(home, slug, changes)
        elif render.can_ask() and not as_json:
            stored = _in_editor(home, slug)
        else:
            raise click.UsageError("Nothing to change: give options, or --from FILE.")
    if stored is None:
        render.say("Nothing was changed.")
        return
    render.warn(stored.warnings)
    record = stored.record
    render.emit(as_json, record, lambda: render.say(f"Changed {record['slug']}."))


def _one(documents: list[dict[str, object]]) -> list[dict[str, object]]:
    if len(documents) != 1:
        raise Refused(f"{len(documents)} records given: an edit takes one JSON object.")
    return documents


def _in_editor(home: str, slug: str) -> catalog.Stored | None:
    """Stores what the user saved; opens invalid text in the editor again, so that nothing is lost."""
    record = lesson_file.read(home).find(slug)
    before = text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    while True:
        edited = click.edit(text, extension=".json")
        if edited is None or edited == before:
            return None
        try:
            after = json.loads(edited)
            if not isinstance(after, dict):
                raise Refused("A lesson is a JSON object in braces.")
            changes = _difference(record, after)
            return decide.edit(home, str(record["slug"]), changes) if changes else None
        except ValueError as fault:
            wrong = f"That is not JSON ({fault})."
        except Refused as refused:
            wrong = str(refused)
        render.note(wrong)
        if not click.confirm("Continue editing?", default=True):
            return None
        text = edited


def _difference(before: dict[str, object], after: dict[str, object]) -> dict[str, object]:
    """Returns the changes from one record to the other, as an edit takes them: None for a removed field."""
    changes: dict[str, object] = dict.fromkeys(key for key in before if key not in after)
    for key, value in after.items():
        old = before.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            if inner := _difference(old, value):
                changes[key] = inner
        elif key not in before or old != value:
            changes[key] = value
    return changes
