"""Copilot CLI's hook payloads as events, and answers in the flat form that all of its events accept."""

from lessons.agents.copilot_cli.shell_result import split_exit
from lessons.agents.hook_event import (
    AFTER_CALL,
    AFTER_FAILURE,
    BEFORE_CALL,
    BEFORE_COMPACTION,
    SESSION_END,
    SESSION_START,
    SUBAGENT_START,
    TURN_END,
    HookEvent,
)
from lessons.agents.hook_fields import call_of, command_of, start_session, text
from lessons.store.json_text import encode
from lessons.system import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import Answer

AGENT = "copilot-cli"
EVENTS = {
    "PreToolUse": BEFORE_CALL,
    "PostToolUse": AFTER_CALL,
    "PostToolUseFailure": AFTER_FAILURE,
    "SessionStart": SESSION_START,
    "SubagentStart": SUBAGENT_START,
    "PreCompact": BEFORE_COMPACTION,
    "Stop": TURN_END,
    "SessionEnd": SESSION_END,
}
HINTS_AT = BEFORE_CALL
_SOURCES = ("resume", "fork", "clear", "compact")
# The client ignores text at these events.
_SILENT = (BEFORE_COMPACTION, TURN_END, SESSION_END)


def parse(name: str, payload: "dict[str, object]") -> HookEvent | None:
    """Returns the event; a shell call with a non-zero exit code is a failure, even if the client reports success."""
    kind = EVENTS.get(name)
    if kind is None:
        return None
    event = _event(kind, name, payload)
    tool, arguments = text(payload, "tool_name"), payload.get("tool_input")
    if kind == SESSION_START:
        start_session(event, payload, _SOURCES)
    elif kind == SESSION_END:
        event.reason = text(payload, "reason")
    elif kind == BEFORE_CALL:
        event.call = call_of(event, tool, arguments)
    elif kind in (AFTER_CALL, AFTER_FAILURE):
        event.command = command_of(arguments)
        event.error = text(payload, "error") if kind == AFTER_FAILURE else _failure(payload)
        if event.error:
            event.kind = AFTER_FAILURE
            event.call = call_of(event, tool, arguments, error=event.error)
        elif kind == AFTER_FAILURE:
            return None
    return event


def _event(kind: str, name: str, payload: "dict[str, object]") -> HookEvent:
    """Some events have camel-case names; a subagent has its own session id and names its parent."""
    session, agent_id = text(payload, "session_id", "sessionId"), text(payload, "agent_id")
    parent = text(payload, "parent_agent_id")
    if agent_id and parent:
        session = parent
    transcript = text(payload, "transcript_path", "transcriptPath") or _transcript_of(session)
    cwd = text(payload, "cwd")
    return HookEvent(kind, name, agent=AGENT, session=session, agent_id=agent_id, cwd=cwd, transcript=transcript)


def _transcript_of(session: str) -> str:
    """Returns the transcript, which most payloads do not name; empty for an id that could lead out of the folder."""
    if not session.replace("-", "").isalnum():
        return ""
    home = environment("COPILOT_HOME") or environment("HOME") + "/.copilot"
    return f"{home}/session-state/{session}/events.jsonl"


def _failure(payload: "dict[str, object]") -> str:
    """Returns the output of a shell command with a non-zero exit code; empty for all other calls."""
    result = payload.get("tool_result")
    printed, code = split_exit(text(result, "text_result_for_llm") if isinstance(result, dict) else "")
    return f"Exit code {code}\n{printed}" if code else ""


def render(event: HookEvent, answer: "Answer") -> str:
    """Returns one line of JSON, which never grants a permission. The client shows the user no message of a hook."""
    if event.kind in _SILENT:
        return ""
    if answer.deny is not None:
        return encode({"permissionDecision": "deny", "permissionDecisionReason": answer.deny})
    return encode({"additionalContext": answer.context}) if answer.context else ""
