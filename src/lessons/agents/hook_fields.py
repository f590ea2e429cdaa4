"""What the payloads of several agents have in common: fields that may be of any type, and the call in them."""

import sys

from lessons.match.call import ToolCall, system_name
from lessons.system import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import HookEvent


def text(payload: "dict[str, object]", *names: str) -> str:
    """The first of these fields that is a text; empty where none is."""
    for name in names:
        value = payload.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def call_of(
    event: "HookEvent", tool: str, arguments: object, tool_use_id: str = "", error: str | None = None
) -> "ToolCall | None":
    """The call that an event is about; None where no tool is named."""
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
