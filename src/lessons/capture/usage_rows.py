"""Makes rows of what a message of the model has used, and of the hooks that ran at the end of a turn."""

import msgspec

from lessons.agents.events import Answered, HooksRan
from lessons.capture.call_row import clean_name
from lessons.redact.texts import redacted_start
from lessons.store.history.rows import MessageRow, Origin, StopHooks

_LONGEST_TEXT = 300
_MOST_ERRORS = 5
_MOST_COMMANDS = 20


def message_row(answer: Answered, origin: Origin) -> MessageRow:
    place = (origin.session_id, origin.agent_id, origin.project, origin.time, origin.copied)
    names = (clean_name(answer.model, 100), answer.request_id, clean_name(answer.stop_reason, 60))
    tokens = (answer.input_tokens, answer.output_tokens, answer.cache_read_tokens, answer.cache_write_tokens)
    return MessageRow(answer.message_id, *place, *names, *tokens)


def stop_hooks_row(ran: HooksRan, origin: Origin, key: int) -> StopHooks:
    """Commands are told where one of them failed: the errors do not say which."""
    commands = ran.commands[:_MOST_COMMANDS] if ran.errors else []
    return StopHooks(origin, key, ran.hooks, _json(ran.errors[:_MOST_ERRORS]), _json(commands), ran.prevented)


def _json(texts: list[str]) -> str:
    return msgspec.json.encode([redacted_start(text, _LONGEST_TEXT) for text in texts]).decode()
