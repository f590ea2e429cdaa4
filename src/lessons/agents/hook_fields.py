"""What the payloads of several agents share: fields of any type, and the call in them."""

import sys

from lessons.match.call import ToolCall, system_name
from lessons.system import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import HookEvent


def text(payload: "dict[str, object]", *names: str) -> str:
    """Returns the first of these fields that is a text; empty if none is."""
    for name in names:
        value = payload.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def call_of(
    event: "HookEvent", tool: str, arguments: object, tool_use_id: str = "", error: str | None = None
) -> "ToolCall | None":
    """Returns the call that an event is about; None if no tool is named."""
    if not tool:
        return None
    return ToolCall(
        tool,
        arguments,
        agent=event.agent,
        session=event.session_key,
        agent_id=event.agent_id,
        tool_use_id=tool_use_id,
        cwd=event.cwd,
        error=error,
        model=event.model,
        operating_system=system_name(sys.platform),
        shell=environment("SHELL").replace("\\", "/").rpartition("/")[2],
    )


def command_of(arguments: object) -> str:
    """Returns the command line of a shell call; empty for any other."""
    return text(arguments, "command") if isinstance(arguments, dict) else ""


def start_session(event: "HookEvent", payload: "dict[str, object]", sources: "tuple[str, ...]") -> None:
    """Sets the kind of start: one of `sources`, else a plain startup.

    No tool is called, but conditions of lessons and the log need a call.
    """
    source = text(payload, "source")
    event.source = source if source in sources else "startup"
    event.call = call_of(event, event.name, {})
