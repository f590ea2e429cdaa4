"""At subagent start: shows the short protocol, because its context has nothing of its parent's."""

from lessons.agents.hook_event import Answer
from lessons.hook.lookup import session_start_lessons, switch
from lessons.inject import protocol
from lessons.store import manifest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import HookEvent


def answer(event: "HookEvent", home: str, python: str = "") -> "Answer | None":
    try:
        config, _ = session_start_lessons(home)
    except manifest.UnusableManifest:  # reported at session start
        config = {}
    return Answer(context=protocol.SHORT) if switch(config, "lessonProtocol") else None
