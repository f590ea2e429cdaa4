"""The sample lessons with which `lessons doctor` checks that a hook answers."""

from lessons import config
from lessons.model import lesson_from_document
from lessons.promote.publish.entry import entry_of
from lessons.promote.publish.written import write_lessons

CANARY = "lessons-doctor-canary"

_AT_A_CALL: dict[str, object] = {
    "id": "call",
    "slug": CANARY,
    "summary": "A lesson by which doctor sees that the hook answers",
    "problem": f"The command {CANARY} exists only for this check.",
    "solution": "Nothing has to be done about it, it is never run.",
    "block": True,
    "blockReason": f"{CANARY} was seen.",
    "triggers": {"commandPatterns": [CANARY], "errorPatterns": [CANARY]},
}
_AT_THE_START: dict[str, object] = {
    "id": "start",
    "slug": f"{CANARY}-start",
    "summary": f"The lesson of {CANARY} for the start of a session",
    "problem": "A session that starts is told this by the check.",
    "solution": "Nothing has to be done about it, it is never seen.",
    "triggers": {"sessionStart": True},
}


def lay_canary(home: str) -> None:
    """Publishes the sample lessons with the default settings, so that the user's settings cannot affect the check."""
    lessons = [lesson_from_document(document) for document in (_AT_A_CALL, _AT_THE_START)]
    entries = {lesson.id: entry_of(lesson, lambda source, flags: None).entry for lesson in lessons}
    write_lessons(home, config.load(home, {}), entries, "")
