"""A subagent that starts is told the short protocol: its context holds nothing of its parent's."""

from lessons.agents.hook_event import Answer
from lessons.inject import protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import HookEvent


def answer(event: "HookEvent", home: str, python: str = "") -> Answer:
    return Answer(context=protocol.SHORT)
