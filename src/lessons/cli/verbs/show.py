"""`lessons show`: a slug in, all that the lesson says and has done out."""

from collections import Counter

import click

from lessons import paths
from lessons.cli import render
from lessons.cli.options.slugs import of_project, slug_argument
from lessons.errors import NotFound
from lessons.model import Lesson, lesson_from_document
from lessons.promote.library import describe
from lessons.store import injections, lesson_file
from lessons.store.history.delivered import with_delivery


@click.command("show", short_help="Show one lesson with all it says and does")
@slug_argument
@render.json_option
def command(slug: str, as_json: bool) -> None:
    """Show one lesson with all it says and does. SLUG may be the beginning of a slug, or an id.

    A hint that never reached the model, because the person rejected the call, is not counted (see `lessons log`).
    """
    home = paths.data_home()
    try:
        record = lesson_file.read(home).find(slug)
    except NotFound:
        if (brought := of_project(home, slug)) is None:
            raise
        record = brought.record()
    lesson = lesson_from_document(record)
    events = with_delivery(home, [event for event in injections.read(home) if event.get("slug") == lesson.slug])
    counts = Counter(str(event.get("decision")) for event in events if event.get("delivered") is not False)
    render.emit(as_json, {**record, "fired": dict(counts)}, lambda: _print(lesson, record, counts))


def _print(lesson: Lesson, record: dict[str, object], counts: Counter[str]) -> None:
    triggers = lesson.triggers
    pairs: list[tuple[str, object]] = [
        ("slug", lesson.slug),
        ("summary", lesson.summary),
        ("problem", lesson.problem),
        ("solution", lesson.solution),
        ("acts by", describe(record)),
        ("block reason", lesson.block_reason),
        ("tools", ", ".join(triggers.tool_names)),
        ("commands", "\n".join(triggers.command_patterns)),
        ("matched on", triggers.match_on),
        ("paths", "\n".join(triggers.path_patterns)),
        ("content", "\n".join(triggers.content_patterns)),
        ("errors", "\n".join(triggers.error_patterns)),
        ("unless", "\n".join(triggers.unless)),
        ("project", lesson.scope.path),
        ("edited in", record.get("trustedFrom")),
        ("stage", lesson.stage),
        ("priority", lesson.priority),
        ("confidence", f"{lesson.confidence:g}{', needs review' if lesson.needs_review else ''}"),
        ("tags", ", ".join(lesson.tags)),
        ("fired", ", ".join(f"{count} × {what}" for what, count in sorted(counts.items())) or "never"),
    ]
    render.fields([(name, render.printable(str(value))) for name, value in pairs if value not in (None, "")])
