"""Claude Code's hook payloads in, domain values out, and answers back in the form the client honours."""

import sys

from lessons.match.call import ToolCall, system_name
from lessons.store.json_text import decode, encode
from lessons.system import environment

AGENT = "claude-code"


def text(payload: dict[str, object], key: str) -> str:
    """A field as text; what is missing or of another type is empty."""
    value = payload.get(key)
    return value if isinstance(value, str) else ""


def session_of(payload: dict[str, object]) -> str:
    """The session, or where the transcript lies when a client names no session."""
    return text(payload, "session_id") or text(payload, "transcript_path")


def tool_call(payload: dict[str, object], error: str | None = None) -> ToolCall | None:
    """The call of a tool event; None when no tool is named."""
    tool = text(payload, "tool_name")
    if not tool:
        return None
    return ToolCall(
        tool,
        payload.get("tool_input"),
        agent=AGENT,
        session=session_of(payload),
        agent_id=text(payload, "agent_id"),
        tool_use_id=text(payload, "tool_use_id"),
        cwd=text(payload, "cwd"),
        error=error,
        model=text(payload, "model"),
        operating_system=system_name(sys.platform),
        shell=environment("SHELL").replace("\\", "/").rpartition("/")[2],
    )


def context(event: str, words: str) -> str:
    """Adds words to the model's context; says nothing about permission, so the person's own rules apply."""
    return encode({"hookSpecificOutput": {"hookEventName": event, "additionalContext": words}})


def context_in(answer: str) -> str:
    """The words that such an answer adds."""
    document = decode(answer)
    said = document.get("hookSpecificOutput") if isinstance(document, dict) else None
    return text(said, "additionalContext") if isinstance(said, dict) else ""


def deny(reason: str, message: str) -> str:
    """Keeps the call from running: the reason is for the model, the message for the person alone."""
    return encode(
        {
            "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": reason,
            },
            "systemMessage": message,
        }
    )
