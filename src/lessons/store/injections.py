"""The file `injections.jsonl`: one line for each lesson that a hook acted on; never a command."""

import time

from lessons import paths
from lessons.store import faults
from lessons.store.append import append_line
from lessons.store.json_text import decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.match.call import ToolCall
    from lessons.store.published import PublishedLesson

_BEGINNING = '{"time":'
# A hostile payload must not fill the disk.
_LONGEST_FIELD = 500


def record_all(home: str, event: str, call: "ToolCall", decided: "list[tuple[PublishedLesson, str, str]]") -> None:
    """One line for each lesson of a decision, with what happened to it and why."""
    for lesson, decision, why in decided:
        record(home, event, call, lesson, decision, why)


def record(home: str, event: str, call: "ToolCall", lesson: "PublishedLesson", decision: str, why: str) -> None:
    """One line for one lesson; a log that cannot be written must not keep the hook from acting."""
    now = time.time()
    line = {
        "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03d}Z",
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
    try:
        append_line(paths.injections_file(home), encode(line))
    except OSError as fault:
        faults.record(home, event, f"injections.jsonl: {faults.describe(fault)}")


def read(home: str) -> list[dict[str, object]]:
    """Every whole line, oldest first; a line cut off by a crash is passed over."""
    found: list[dict[str, object]] = []
    try:
        with open(paths.injections_file(home), encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    # A line that a crash cut off has the next one behind it: the last beginning is what counts.
                    value = decode(line[max(line.rfind(_BEGINNING), 0) :])
                except ValueError:
                    continue
                if isinstance(value, dict):
                    found.append(value)
    except OSError:
        pass
    return found
