"""Builds the history row of a call's result: the error redacted and shortened."""

from lessons.agents.base import Line
from lessons.agents.events import RESULT_ENDS, Returned, TaskEnded
from lessons.failure.fingerprint import fingerprint
from lessons.inject.words import is_own_denial
from lessons.redact.texts import redacted, redacted_end, redacted_start
from lessons.shell.hidden_exit import error_like
from lessons.store.history.rows import Origin, Result, TaskEnd

_ERROR_LIMIT = 2_048
_SUSPICION_LIMIT = 1_024
_LARGEST_EXIT_CODE = 0xFFFFFFFF
_LEFT_OUT = "\n[…]\n"


def result_row(event: Returned, line: Line, origin: Origin, is_plain: bool) -> Result:
    outcome, exit_code, by_hook = event.verdict.outcome, _exit_code(event), event.verdict.by_hook
    error, reads_like_error = "", False
    if by_hook and is_own_denial(event.text):
        outcome, by_hook = "refused", False
    if outcome == "failed":
        error = _shortened(event.text, _ERROR_LIMIT)
    elif outcome == "ok" and event.text and not is_plain and error_like(event.text):
        error, reads_like_error = _shortened(event.text, _SUSPICION_LIMIT), True
    mark = fingerprint(error) if error else ""
    session_id, name, task_id = origin.session_id, event.tool_use_id, event.task_id
    return Result(
        session_id, name, outcome, exit_code, error, mark, reads_like_error, line.time, line.uuid, task_id, by_hook
    )


def _exit_code(event: Returned | TaskEnded) -> int | None:
    """Returns None for an impossible exit code: the history could not store it."""
    code = event.verdict.exit_code
    return code if code is not None and abs(code) <= _LARGEST_EXIT_CODE else None


def _shortened(text: str, limit: int) -> str:
    """Returns start and end of a tool's output; a text that arrived cut is redacted well beyond the stored part."""
    half = limit // 2
    if len(text) <= 2 * RESULT_ENDS:
        clean = redacted(text)
        return clean if len(clean) <= limit else f"{clean[:half]}{_LEFT_OUT}{clean[-half:]}"
    return f"{redacted_start(text[:RESULT_ENDS], half)}{_LEFT_OUT}{redacted_end(text[-RESULT_ENDS:], half)}"


def task_end_row(event: TaskEnded, origin: Origin) -> TaskEnd:
    outcome, exit_code = event.verdict.outcome, _exit_code(event)
    error = redacted_start(event.text, _ERROR_LIMIT) if outcome == "failed" else ""
    mark = fingerprint(error) if error else ""
    names = (origin.session_id, event.task_id, event.tool_use_id)
    return TaskEnd(*names, outcome, exit_code, error, mark, origin.time)
