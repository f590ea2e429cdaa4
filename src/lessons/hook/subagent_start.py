"""A subagent that starts is told the short protocol: its context holds nothing of its parent's."""

from lessons.agents.hook_event import Answer
from lessons.hook.lookup import is_on, session_start_lessons
from lessons.inject import protocol
from lessons.store import manifest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import HookEvent


def answer(event: "HookEvent", home: str, python: str = "") -> Answer | None:
    """Nothing where the person does not want agents to report mistakes."""
    try:
        config, _ = session_start_lessons(home)
    except manifest.UnusableManifest:
        config = {}
    return Answer(context=protocol.SHORT) if is_on(config, "askAgentForLessons") else None
