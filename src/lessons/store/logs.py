"""The logs of the data home: a line is appended in one write, so that lines of parallel processes are never mixed.

`faults.log` has a line for each fault in a hook, never the text of a call. `injections.jsonl` has one for each lesson
that a hook acted on, and each recall, never a command. `scan.log` has one for each event of a background scan,
`watch.log` one for each event of the watcher. The oldest lines of the others are dropped; a scan folds those of
`injections.jsonl` into the history.
"""

import time

from lessons import paths
from lessons.store.json_text import decode, encode
from lessons.system import O_BINARY, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from lessons.match.call import ToolCall
    from lessons.store.manifest import PublishedLesson

    Result = TypeVar("Result")

_BEGINNING = b'{"time":'  # of every event
_LARGEST_LOG = 256 * 1024
_LARGEST_WATCH_LOG = 1 << 20
# Limits hostile payloads, which must not fill the disk.
_LONGEST_FIELD = 500


def append_line(path: str, line: str) -> None:
    """Raises OSError if the file cannot be written: the caller decides what that means."""
    file = system.open(path, system.O_WRONLY | system.O_APPEND | system.O_CREAT | O_BINARY, 0o600)
    try:
        system.write(file, line.encode("utf-8", "replace") + b"\n")
    finally:
        system.close(file)


def _append(path: str, line: str, largest: int = _LARGEST_LOG) -> None:
    """Never raises: a process that cannot even log its fault must not break the agent, or end the watcher."""
    try:
        try:
            if system.stat(path).st_size > largest:
                system.replace(path, path + ".1")
        except OSError:
            pass
        append_line(path, line)
    except (OSError, ValueError):  # the path is invalid
        pass


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return [line.rstrip("\n") for line in file if line.strip()]
    except OSError:
        return []


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def record_fault(home: str, where: str, what: str) -> None:
    """Never raises."""
    _append(paths.faults_file(home), f"{_now()} {where} {' '.join(what.split())[:400]}")


def record_fault_once(home: str, where: str, what: str) -> None:
    """Writes one line for a fault that occurs again each time somebody looks."""
    if not any(line.endswith(f" {where} {what}") for line in read_faults(home)):
        record_fault(home, where, what)


def describe_fault(fault: BaseException) -> str:
    """Returns the kind of fault and its source line; leaves out the message, which may quote a payload."""
    trace = fault.__traceback__
    place = "?"
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
        place = f"{name}:{trace.tb_lineno}"
        trace = trace.tb_next
    number = fault.errno if isinstance(fault, OSError) else None
    return f"{type(fault).__name__}{f' {number}' if number else ''} at {place}"


def analysed(home: str, name: str, work: "Callable[[], Result]", otherwise: "Callable[[str], Result]") -> "Result":
    """Returns the result of `work` on a candidate; records a fault in it once and returns that of `otherwise`."""

    def recorded(what: str) -> "Result":
        record_fault_once(home, f"candidate {name}", what)
        return otherwise(what)

    return without_fault(work, recorded)


def without_fault(work: "Callable[[], Result]", otherwise: "Callable[[str], Result]") -> "Result":
    """Returns the result of `work`; after a fault in it, that of `otherwise`, which gets a description of the fault."""
    from lessons.errors import LessonsError

    try:
        return work()
    except (LessonsError, OSError):
        raise  # not about this candidate alone
    except Exception as fault:
        return otherwise(describe_fault(fault))


def not_analysed(fault: str) -> str:
    return f"could not be analysed ({fault}): `lessons doctor` shows where to report it"


def read_faults(home: str) -> list[str]:
    return _lines(paths.faults_file(home))


def record_scan(home: str, what: str) -> None:
    """Never raises: nobody could read the error."""
    from lessons.store.files import make_private_folders

    try:
        make_private_folders(home)
    except OSError:
        return
    _append(paths.scan_log_file(home), f"{_now()} {' '.join(what.split())[:2000]}")


def read_scan_log(home: str) -> list[str]:
    return _lines(paths.scan_log_file(home))


def record_watch(home: str, event: str, **fields: object) -> None:
    """Never raises."""
    line = {"time": _time_of(time.time()), "pid": system.getpid(), "event": event, **fields}
    _append(paths.watch_log_file(home), encode(line), _LARGEST_WATCH_LOG)


def read_watch_log(home: str) -> list[dict[str, object]]:
    """Returns the events so far, oldest first; leaves out damaged lines."""
    return [event for line in _lines(paths.watch_log_file(home)) if (event := event_in(line.encode())) is not None]


def event_in(line: bytes) -> "dict[str, object] | None":
    """Returns the last event that begins in a line, after one that a crash may have cut off; None if there is none."""
    try:
        event = decode(event_bytes(line).decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) else None


def event_bytes(line: bytes) -> bytes:
    return line[max(line.rfind(_BEGINNING), 0) :]


def record_injections(
    home: str, event: str, call: "ToolCall", decided: "list[tuple[PublishedLesson, str, str]]"
) -> None:
    """Writes one line for each lesson, with what happened to it and why, all in one write.

    A log that cannot be written must not prevent the hook from acting.
    """
    start = _start(event, call)
    _append_injections(home, event, [
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
    _append_injections(home, event, [{**_start(event, call), **rest}])


def record_question(home: str, event: str, call: "ToolCall", failed: str, fix: str, failed_at: float) -> None:
    """Writes the line of a question about a recovery; `failed` and `fix` are calls, empty if the agent gives no ids."""
    rest = {
        "source": "recovery",
        "decision": "asked",
        "why": "recovery",
        "toolUseIds": [failed, fix] if failed and fix else [],
        "failedAt": _time_of(failed_at),
    }
    _append_injections(home, event, [{**_start(event, call), **rest}])


def _append_injections(home: str, event: str, lines: "list[dict[str, object]]") -> None:
    try:
        append_line(paths.injections_file(home), "\n".join([encode(line) for line in lines]))
    except OSError as fault:
        record_fault(home, event, f"injections.jsonl: {describe_fault(fault)}")


def _time_of(moment: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment)) + f".{int(moment * 1000) % 1000:03d}Z"


def _start(event: str, call: "ToolCall") -> "dict[str, object]":
    now = time.time()
    return {
        # The time comes first: after a line that a crash cut off, the next one is found by it.
        "time": _time_of(now),
        "event": event,
        "agent": call.agent,
        "session": call.session[:_LONGEST_FIELD],
        "agentId": call.agent_id[:_LONGEST_FIELD] or None,
        "toolUseId": call.tool_use_id[:_LONGEST_FIELD] or None,
        "tool": call.names[-1][:_LONGEST_FIELD],
        "cwd": call.cwd[:_LONGEST_FIELD],
        "model": call.model[:_LONGEST_FIELD] or None,
    }
