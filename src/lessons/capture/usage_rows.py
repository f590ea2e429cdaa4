"""Makes rows of what a message of the model has used, and of the hooks that ran at the end of a turn."""

import msgspec

from lessons.agents.base import Line
from lessons.agents.events import Answered, HooksRan
from lessons.capture.call_row import clean_name
from lessons.redact.texts import redacted_start
from lessons.store.history.rows import MessageRow, Origin, StopHooks

_LONGEST_TEXT = 300
_MOST_ERRORS = 5
_MOST_COMMANDS = 20


def add_answer(rows: list[MessageRow], answer: Answered, line: Line, session_id: str, project: str) -> None:
    """Adds the usage that a record reports for its message. Consecutive records of one message share a row.

    Merges the same way as the table `messages`; this halves the rows that are written.
    """
    model, stop_reason = clean_name(answer.model, 100), clean_name(answer.stop_reason, 60)
    last = rows[-1] if rows else None
    if last is None or last.message_id != answer.message_id or not _is_same_place(last, line, session_id, project):
        place = (session_id, line.agent_id, project, line.time, line.copied)
        tokens = (answer.input_tokens, answer.output_tokens, answer.cache_read_tokens, answer.cache_write_tokens)
        rows.append(MessageRow(answer.message_id, *place, model, answer.request_id, stop_reason, *tokens))
        return
    if line.time and (line.time < last.time or not last.time):
        last.time = line.time
    # Comparisons instead of max(): every record of a message repeats nearly all of this.
    if model > last.model:
        last.model = model
    if answer.request_id > last.request_id:
        last.request_id = answer.request_id
    if stop_reason > last.stop_reason:
        last.stop_reason = stop_reason
    if answer.input_tokens > last.input_tokens:
        last.input_tokens = answer.input_tokens
    if answer.output_tokens > last.output_tokens:
        last.output_tokens = answer.output_tokens
    if answer.cache_read_tokens > last.cache_read_tokens:
        last.cache_read_tokens = answer.cache_read_tokens
    if answer.cache_write_tokens > last.cache_write_tokens:
        last.cache_write_tokens = answer.cache_write_tokens


def _is_same_place(last: MessageRow, line: Line, session_id: str, project: str) -> bool:
    place = (line.copied, session_id, line.agent_id, project)
    return (last.copied, last.session_id, last.agent_id, last.project) == place


def stop_hooks_row(ran: HooksRan, origin: Origin, key: int) -> StopHooks:
    """Commands are told where one of them failed: the errors do not say which."""
    commands = ran.commands[:_MOST_COMMANDS] if ran.errors else []
    return StopHooks(origin, key, ran.hooks, _json(ran.errors[:_MOST_ERRORS]), _json(commands), ran.prevented)


def _json(texts: list[str]) -> str:
    return msgspec.json.encode([redacted_start(text, _LONGEST_TEXT) for text in texts]).decode()
