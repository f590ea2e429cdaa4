"""At session end: saves in the background what the session was doing and why it ended."""

from lessons.hook import session_worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import HookEvent

_LONGEST_REASON = 100


def answer(event: "HookEvent", home: str, python: str = "") -> None:
    session_worker.spawn_end(event, home, python, event.reason[:_LONGEST_REASON] or "other")
