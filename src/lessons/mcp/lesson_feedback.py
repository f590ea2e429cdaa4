"""The tool `lesson_feedback`: what an agent thinks of a lesson that it was shown."""

from typing import Literal

from lessons.ledger.feedback import record_agents_feedback
from lessons.mcp.caller import Caller
from lessons.store import lesson_file


def lesson_feedback(caller: Caller, slug: str, verdict: Literal["good", "bad"], why: str = "") -> str:
    """Say whether a lesson helped (good) or was wrong here (bad), and why. The user sees it; it changes nothing."""
    name = str(lesson_file.read(caller.home).find(slug)["slug"])
    record_agents_feedback(caller.home, name, verdict, caller.client or "an agent", why)
    return f"Recorded for the user: `{name}` was {verdict}. `lessons show {name}` counts it."
