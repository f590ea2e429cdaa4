"""Every tool and every resource of the server."""

from collections.abc import Callable

from lessons.mcp.caller import Caller
from lessons.mcp.explain_lesson import explain_lesson
from lessons.mcp.lesson_feedback import lesson_feedback
from lessons.mcp.report_lesson import report_lesson
from lessons.mcp.resources import last_handoff, lessons_here
from lessons.mcp.search_history import search_history
from lessons.mcp.search_lessons import search_lessons

Tool = Callable[..., str]

TOOLS: tuple[Tool, ...] = (search_lessons, search_history, report_lesson, explain_lesson, lesson_feedback)
RESOURCES: dict[str, Callable[[Caller], str]] = {
    "lessons://active": lessons_here,
    "lessons://handoff": last_handoff,
}
