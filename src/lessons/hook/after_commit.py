"""A shell command that has run in, and where it may have committed, its commits joined to the session at once."""

from lessons.agents.claude_code import wire
from lessons.hook import session_worker

EVENT = "PostToolUse"


def answer(payload: dict[str, object], home: str, python: str) -> None:
    arguments = payload.get("tool_input")
    command = wire.text(arguments, "command") if isinstance(arguments, dict) else ""
    # A client that does not know the condition in its settings runs this after every command.
    if "git" in command and "commit" in command:
        # The transcript may not have the call yet, so that it alone would not tell whose commit it is.
        session_worker.start_save(payload, home, python, EVENT, "stop", "committed=yes")
