"""The file `injections.jsonl`: one line for each lesson that a hook acted on; never a command."""

import time

from lessons import paths
from lessons.store import faults
from lessons.store.append import append_line
from lessons.store.json_text import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.match.call import ToolCall
    from lessons.store.published import PublishedLesson

# Limits hostile payloads, which must not fill the disk.
_LONGEST_FIELD = 500


def record_all(home: str, event: str, call: "ToolCall", decided: "list[tuple[PublishedLesson, str, str]]") -> None:
    """Writes one line for each lesson, with what happened to it and why, all in one write.

    A log that cannot be written must not prevent the hook from acting.
    """
    now = time.time()
    moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03d}Z"
    lines = [_line(moment, event, call, *each) for each in decided]
    try:
        append_line(paths.injections_file(home), "\n".join(lines))
    except OSError as fault:
        faults.record(home, event, f"injections.jsonl: {faults.describe(fault)}")


def _line(moment: str, event: str, call: "ToolCall", lesson: "PublishedLesson", decision: str, why: str) -> str:
    # The time comes first: after a line that a crash cut off, the next one is found by it.
    return encode(
        {
            "time": moment,
            "event": event,
            "agent": call.agent,
            "session": call.session[:_LONGEST_FIELD],
            "agentId": call.agent_id[:_LONGEST_FIELD] or None,
            "toolUseId": call.tool_use_id[:_LONGEST_FIELD] or None,
            "tool": call.names[-1][:_LONGEST_FIELD],
            "cwd": call.cwd[:_LONGEST_FIELD],
            "model": call.model[:_LONGEST_FIELD] or None,
            "lesson": lesson.identifier,
            "slug": lesson.slug,
            "decision": decision,
            "why": why,
        }
    )
