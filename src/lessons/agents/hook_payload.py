"""The payloads of Claude Code's hooks, whose format other agents have adopted: their fields as events and calls."""

import sys

from lessons.agents.hook_event import HookEvent
from lessons.match.call import ToolCall, system_name
from lessons.system import environment


def text(payload: dict[str, object], key: str) -> str:
    """Returns a field as text; empty if it is missing or of another type."""
    value = payload.get(key)
    return value if isinstance(value, str) else ""


def event_of(agent: str, kind: str, name: str, payload: dict[str, object]) -> HookEvent:
    """Returns the event with the fields that every payload has."""
    return HookEvent(
        kind,
        name,
        agent=agent,
        session=text(payload, "session_id"),
        agent_id=text(payload, "agent_id"),
        cwd=text(payload, "cwd"),
        transcript=text(payload, "transcript_path"),
    )


def tool_call(agent: str, payload: dict[str, object], error: str | None = None) -> ToolCall | None:
    """Returns the call of a tool event; None if no tool is named."""
    tool = text(payload, "tool_name")
    if not tool:
        return None
    return ToolCall(
        tool,
        payload.get("tool_input"),
        agent=agent,
        session=text(payload, "session_id") or text(payload, "transcript_path"),
        agent_id=text(payload, "agent_id"),
        tool_use_id=text(payload, "tool_use_id"),
        cwd=text(payload, "cwd"),
        error=error,
        model=text(payload, "model"),
        operating_system=system_name(sys.platform),
        shell=environment("SHELL").replace("\\", "/").rpartition("/")[2],
    )


def start_session(agent: str, event: HookEvent, payload: dict[str, object]) -> None:
    """Sets the kind of start. No tool is called, but conditions of lessons and the log need a call."""
    event.source = text(payload, "source") or "startup"
    event.model = text(payload, "model")
    event.call = tool_call(agent, {**payload, "tool_name": event.name, "tool_input": {}})
