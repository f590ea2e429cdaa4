"""The tool `explain_lesson`: what a lesson says, when it fires, and its evidence."""

import msgspec

from lessons.errors import NotFound
from lessons.inject.words import full_text
from lessons.ledger.feedback import agents_feedback_on
from lessons.ledger.stats import stats_of
from lessons.mcp.caller import Caller
from lessons.mcp.words import quotation
from lessons.model import Lesson, lesson_from_document
from lessons.promote.catalog import describe
from lessons.promote.publish.entry import entry_of
from lessons.promote.team.team import acting
from lessons.store import lesson_file
from lessons.store.published import PublishedLesson, compile_source


def explain_lesson(caller: Caller, slug: str) -> str:
    """Explain one lesson: what it says, when it acts, where it comes from, and what it did so far."""
    record, entry = _found(caller.home, slug)
    lesson = lesson_from_document(record)
    triggers = msgspec.json.encode(record.get("triggers") or {}).decode()
    parts = [
        f"`{lesson.slug}` ({describe(record)}, {record.get('stage', 'active')})",
        full_text(PublishedLesson(lesson.id, entry, compile_source)),
        quotation("When it acts", triggers),
        _origin(lesson),
        _effect(caller.home, lesson),
    ]
    return "\n\n".join(part for part in parts if part)


def _found(home: str, slug: str) -> tuple[dict[str, object], dict[str, object]]:
    """Returns the record and its manifest entry; from the user, or from a project that the user trusts."""
    file = lesson_file.read(home)
    try:
        record = file.find(slug)
        return record, entry_of(lesson_from_document(record)).entry
    except NotFound:
        for each in acting(home, file).lessons:
            if each.lesson.slug == slug:
                return each.record(), each.entry()
        raise NotFound(f"No lesson {slug!r}: `search_lessons` finds their names.") from None


def _origin(lesson: Lesson) -> str:
    sessions = len(lesson.source_session_ids)
    if not sessions:
        return ""
    return f"Found in {sessions} session{'s' * (sessions != 1)}, {lesson.occurrence_count} times."


def _effect(home: str, lesson: Lesson) -> str:
    found = next(iter(stats_of(home, lesson.id).lessons), None)
    feedback = agents_feedback_on(home, lesson.slug)
    agents = f" Agents called it good {feedback['good']} and bad {feedback['bad']} times." if feedback else ""
    if found is None:
        return f"It has not matched a call yet.{agents}"
    tally = found.tally
    return (
        f"It matched {tally.opportunities} calls, was shown {tally.shown} times and heeded {tally.heeded} times;"
        f" {tally.false_alarms} were false alarms. Effect: {found.effect.verdict}.{agents}"
    )
