"""`lessons show`: shows one lesson and what it did."""

import time
from collections import Counter
from collections.abc import Sequence

import click

from lessons import paths
from lessons.cli import render
from lessons.cli.options import of_project, slug_argument
from lessons.errors import NotFound
from lessons.ledger.tend import agents_feedback_on
from lessons.lesson_fields import FIELDS, LessonField, value_of
from lessons.model import Lesson, lesson_from_document
from lessons.promote.catalog import describe
from lessons.store import decisions, lesson_file, passes
from lessons.store.decisions import Decision
from lessons.store.history.hook_log import logged, with_delivery


@click.command("show", short_help="Show one lesson: text, trigger and what it did")
@slug_argument
@render.json_option
def command(slug: str, as_json: bool) -> None:
    """Show one lesson: text, trigger and what it did. SLUG may be the beginning of a slug, or an id.

    Hints that never reached the model, because you rejected the call, are not counted (see `lessons log`).
    """
    home = paths.data_home()
    try:
        record = lesson_file.read(home).find(slug)
    except NotFound:
        if (brought := of_project(home, slug)) is None:
            raise
        record = brought.record()
    lesson = lesson_from_document(record)
    events = with_delivery(home, [event for event in logged(home) if event.get("slug") == lesson.slug])
    counts = Counter(str(event.get("decision")) for event in events if event.get("delivered") is not False)
    mutes = passes.muted(home, time.time())
    mute = {"until": mutes[lesson.slug]} if lesson.slug in mutes else None
    steps = [each for each in decisions.read(home) if each.step and each.lesson == lesson.id]
    history = [{"time": each.time, "decision": each.action, "step": each.step, "reason": each.reason} for each in steps]
    agents_feedback = agents_feedback_on(home, lesson.slug)
    document = {
        **record,
        "muted": mute,
        "fired": dict(counts),
        "agentsFeedback": dict(agents_feedback),
        "history": history,
    }
    render.emit(as_json, document, lambda: _print(lesson, record, counts, agents_feedback, mute, steps))


def _print(
    lesson: Lesson,
    record: dict[str, object],
    counts: Counter[str],
    agents_feedback: Counter[str],
    mute: dict[str, float | None] | None,
    steps: Sequence[Decision],
) -> None:
    pairs: list[tuple[str, object]] = [("slug", lesson.slug), ("effect", describe(record))]
    if mute:
        pairs.append(("muted", "until unmuted" if mute["until"] is None else render.until(mute["until"])))
    pairs += [(field.label, _shown(lesson, field)) for field in FIELDS if field.label]
    pairs += [
        ("edit it in", record.get("trustedFrom")),
        ("fired", _counted(counts) or "never"),
        ("agents say", _counted(agents_feedback)),
    ]
    pairs += [
        ("history" if not number else "", f"{each.time[:10]} {each.step} ({each.action}) {each.reason}".rstrip())
        for number, each in enumerate(steps)
    ]
    render.fields([(name, value) for name, value in pairs if value not in (None, "")])


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{count} × {what}" for what, count in sorted(counts.items()))


def _shown(lesson: Lesson, field: LessonField) -> object:
    if field.kind == "machine":
        return "this machine" if lesson.scope.type == "machine" else None
    if field.place == "scope":
        return lesson.scope.path
    if field.place == "confidence":
        return f"{lesson.confidence:g}{', needs review' if lesson.needs_review else ''}"
    value = value_of(lesson, field)
    if isinstance(value, list):
        return (", " if field.kind == "texts" else "\n").join(map(str, value))
    return value
