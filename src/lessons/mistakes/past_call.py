"""Builds the call that triggers are matched against from a stored call."""

import msgspec

from lessons.match.call import ToolCall
from lessons.store.history.past_calls import StoredCall


def arguments_of(row: StoredCall) -> object:
    """Returns the command alone if they cannot be decoded."""
    try:
        return msgspec.json.decode(row.arguments)
    except msgspec.MsgspecError:
        return {"command": row.command} if row.command else {}


def call_of(row: StoredCall) -> ToolCall:
    about = {"tool_use_id": row.tool_use_id, "cwd": row.cwd, "agent": row.agent, "model": row.model}
    return ToolCall(row.tool, arguments_of(row), error=row.error or None, **about)


def success_of(row: StoredCall) -> ToolCall:
    """The same without the text that made a good call suspicious."""
    return call_of(msgspec.structs.replace(row, error="") if row.error else row)
