"""The file `injections.jsonl`: one line for each lesson that a hook acted on, and each recall; never a command."""

import time

from lessons import paths
from lessons.store import faults
from lessons.store.append import append_line
from lessons.store.json_text import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from lessons.match.call import ToolCall
    from lessons.store.published import PublishedLesson

# Limits hostile payloads, which must not fill the disk.
_LONGEST_FIELD = 500


def record_all(home: str, event: str, call: "ToolCall", decided: "list[tuple[PublishedLesson, str, str]]") -> None:
    """Writes one line for each lesson, with what happened to it and why, all in one write.

    A log that cannot be written must not prevent the hook from acting.
    """
    start = _start(event, call)
    _append(home, event, [
        {**start, "lesson": lesson.identifier, "slug": lesson.slug, "decision": decision, "why": why}
        for lesson, decision, why in decided
    ])  # fmt: skip


def record_recall(
    home: str, event: str, call: "ToolCall", why: str, tool_use_ids: "Sequence[str]" = (), name: str = ""
) -> None:
    """Writes the line of a hint from memory; it rests on the failures `tool_use_ids`, and is muted by its `name`."""
    rest = {
        "source": "memory",
        "decision": "hint",
        "why": why,
        "toolUseIds": list(tool_use_ids),
        "memory": name or None,
    }
    _append(home, event, [{**_start(event, call), **rest}])


def _append(home: str, event: str, lines: "list[dict[str, object]]") -> None:
    try:
        append_line(paths.injections_file(home), "\n".join([encode(line) for line in lines]))
    except OSError as fault:
        faults.record(home, event, f"injections.jsonl: {faults.describe(fault)}")


def _start(event: str, call: "ToolCall") -> "dict[str, object]":
    now = time.time()
    return {
        # The time comes first: after a line that a crash cut off, the next one is found by it.
        "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03d}Z",
        "event": event,
        "agent": call.agent,
        "session": call.session[:_LONGEST_FIELD],
        "agentId": call.agent_id[:_LONGEST_FIELD] or None,
        "toolUseId": call.tool_use_id[:_LONGEST_FIELD] or None,
        "tool": call.names[-1][:_LONGEST_FIELD],
        "cwd": call.cwd[:_LONGEST_FIELD],
        "model": call.model[:_LONGEST_FIELD] or None,
    }
