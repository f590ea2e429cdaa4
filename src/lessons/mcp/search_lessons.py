"""The tool `search_lessons`: the user's lessons that may help with what the agent is about to do."""

from lessons.inject.words import full_text, summary_line
from lessons.mcp.caller import Caller
from lessons.promote.find_lessons import find_lessons
from lessons.store.published import PublishedLesson

MOST_LESSONS = 20
_MOST_IN_FULL = 5


def search_lessons(caller: Caller, query: str, limit: int = 10) -> str:
    """Search the lessons that the user keeps about mistakes of agents: commands that fail here and what to do instead.

    Use it before an unfamiliar command, or when one fails. Give words of the command, the tool or the error.
    """
    found = find_lessons(caller.home, caller.folder, query, max(1, min(limit, MOST_LESSONS)))
    if not found:
        return "No lesson has any of these words. `search_history` looks through earlier calls."
    return "\n\n".join(formatted(lesson, number < _MOST_IN_FULL) for number, lesson in enumerate(found))


def formatted(lesson: PublishedLesson, in_full: bool) -> str:
    """Formats the lesson with its slug, which the other tools take."""
    return f"`{lesson.slug}`\n{full_text(lesson) if in_full else summary_line(lesson)}"
