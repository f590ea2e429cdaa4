"""Builds redacted history rows of calls, results and messages; copies of a record give the same keys."""

from functools import lru_cache
from zlib import crc32

import msgspec

from lessons.agents.base import Line
from lessons.agents.events import (
    RESULT_ENDS,
    Answered,
    Called,
    HooksRan,
    Returned,
    TaskEnded,
)
from lessons.failure.complaint import error_like
from lessons.failure.error_text import fingerprint
from lessons.inject.decide import is_own_denial
from lessons.match.call import canonical_name, command_of, paths_of
from lessons.redact.gates import is_plain
from lessons.redact.texts import clean_name, redacted, redacted_end, redacted_start, redacted_value, says_secret
from lessons.redact.values import asks_password, name_words
from lessons.shell.describe import hides_exit, program_of
from lessons.store.history.rows import (
    Call,
    MessageRow,
    RecordOrigin,
    Result,
    StopHooks,
    TaskEndRow,
)

_BITS_IN_A_MINUTE = 30
_MINUTE_ENDS = 16  # characters of 2026-01-31T10:00
ARGUMENT_LIMIT = 4_096
_ALL_LIMIT = 32_768  # of all strings of one call
_DEPTH = 6
_MOST_ITEMS = 500
# Fields beside or inside a secret that only identify it.
_TELLING = frozenset(
    "name id ids type kind path file url uri version mode description title namespace user username email host label "
    "selector element ref format field header key".split()
)
_SHORTEST_NUMBER = 4
_LABELS = ("name", "key", "variable", "header", "field", "label", "selector", "element", "parameterkey")
_VALUES = frozenset(["value", "text"])
_ERROR_LIMIT = 2_048
_SUSPICION_LIMIT = 1_024
_LARGEST_EXIT_CODE = 0xFFFFFFFF
_LEFT_OUT = "\n[…]\n"
_LONGEST_TEXT = 300
_MOST_ERRORS = 5
_MOST_COMMANDS = 20


def known_key(key: int, time: str) -> int:
    """The key of a record in the table `known`. Records of about the same time get neighbouring keys.

    Random keys would change a page of the table for nearly every record, and a long history has many pages. `time` is
    empty where copies of a record have other times.
    """
    if not time:
        return key
    return _minute(time[:_MINUTE_ENDS]) << _BITS_IN_A_MINUTE | (key >> 32 ^ key) & (1 << _BITS_IN_A_MINUTE) - 1


@lru_cache(maxsize=512)
def _minute(time: str) -> int:
    """Counts minutes as if every month had 31 days."""
    day = (int(time[:4]) * 12 + int(time[5:7])) * 31 + int(time[8:10])
    return day * 1440 + int(time[11:13]) * 60 + int(time[14:16])


def row_key(origin: RecordOrigin, key: int, number: int) -> int:
    """The key of a row; a record without a name of its own is identified by session and position."""
    if not key:
        key = crc32(origin.session_id.encode()) << 32 | crc32(b"%d" % origin.position)
    mixed = (key + number * 0x9E3779B97F4A7C15) & 0xFFFF_FFFF_FFFF_FFFF
    return mixed - (1 << 63)


def call_row(line: Line, called: Called, origin: RecordOrigin, block: int) -> Call:
    arguments, text = _stored(called)
    is_shell, tool, model, cwd, branch, version = _shared(
        called.tool, called.model, line.cwd, line.branch, line.version
    )
    command = (command_of(arguments) or "") if is_shell else ""
    paths = () if is_shell else paths_of(arguments, cwd)
    program, subcommand = program_of(command) if command else ("", "")
    return Call(
        origin,
        called.tool_use_id,
        called.message_id,
        block,
        line.sidechain,
        cwd,
        branch,
        model,
        version,
        tool,
        program,
        subcommand,
        command,
        paths[0] if paths else "",
        text,
        bool(command) and hides_exit(command),
    )


@lru_cache(maxsize=256)
def _shared(tool: str, model: str, cwd: str, branch: str, version: str) -> tuple[bool, str, str, str, str, str]:
    """Returns what hundreds of calls share, cleaned: whether it is a shell, and the texts in this order."""
    names = (clean_name(tool, 200), clean_name(model, 100), clean_name(cwd, 1_000))
    return canonical_name(tool) == "Bash", *names, clean_name(branch), clean_name(version, 50)


def _stored(called: Called) -> tuple[dict[object, object], str]:
    """Returns the arguments with every string redacted and cut, and the same as JSON."""
    source = called.source
    if source is not None and called.arguments and len(memoryview(source)) <= ARGUMENT_LIMIT:
        written = bytes(source)
        if is_plain(written):  # nearly always: then it is stored unchanged
            return called.arguments, written.decode()
    room = [_ALL_LIMIT]
    stored = _shortened_fields("", called.arguments, room, _DEPTH + 1)
    return stored, msgspec.json.encode(stored).decode()


def _shortened(name: str, value: object, room: list[int], depth: int) -> object:
    """Returns the value with every string redacted and cut; `room` is the number of characters left for all of them."""
    if isinstance(value, str):
        text = redacted_value(name, value, min(ARGUMENT_LIMIT, room[0]))
        room[0] -= len(text)
        return text
    if depth and isinstance(value, dict):
        return _shortened_fields(name, value, room, depth)
    if depth and isinstance(value, list):
        return _shortened_items(name, value[:_MOST_ITEMS], room, depth)
    if isinstance(value, int | float) and not isinstance(value, bool) and says_secret(name) == "password":
        return "[redacted:password]" if len(str(value)) >= _SHORTEST_NUMBER else value
    return value if isinstance(value, bool | int | float) else None


def _shortened_fields(owner: str, fields: dict[object, object], room: list[int], depth: int) -> dict[object, object]:
    some = fields.items() if len(fields) <= _MOST_ITEMS or depth > _DEPTH else list(fields.items())[:_MOST_ITEMS]
    label = _secret_label(fields)
    stored: dict[object, object] = {}
    for key, item in some:
        name = str(key)
        if not says_secret(name):
            words = name_words(name[-100:])[-1:]
            if label and not _VALUES.isdisjoint(words):
                name = label
            # A number below a secret is a length or a count.
            elif owner and _TELLING.isdisjoint(words) and not isinstance(item, int | float):
                name = owner
        stored[_name(key)] = _shortened(name, item, room, depth - 1)
    return stored


def _shortened_items(name: str, items: list[object], room: list[int], depth: int) -> list[object]:
    """Shortens a list, in which a flag (`--password`) names the item after it."""
    stored: list[object] = []
    flag = ""
    for item in items:
        is_value = flag and not (isinstance(item, str) and item.startswith("-"))
        stored.append(_shortened(flag if is_value else name, item, room, depth - 1))
        flag = item.lstrip("-") if isinstance(item, str) and item.startswith("-") and says_secret(item) else ""
    return stored


def _secret_label(fields: dict[object, object]) -> str:
    """Returns the name of a secret whose value is in a separate field: `{"name": "API_TOKEN", "value": "x"}`."""
    for key, item in fields.items():
        if isinstance(item, str) and isinstance(key, str) and len(item) < 100 and key.lower() in _LABELS:
            if says_secret(item) and " " not in item:
                return item
            if asks_password(item):
                return "password"
    return ""


def _name(name: object) -> str:
    return name if isinstance(name, str) and len(name) < 20 else redacted_start(str(name), 100)


def result_row(event: Returned, line: Line, origin: RecordOrigin, is_plain: bool) -> Result:
    outcome, exit_code, by_hook = event.verdict.outcome, _exit_code(event), event.verdict.by_hook
    error, reads_like_error = "", False
    if by_hook and is_own_denial(event.text):
        outcome, by_hook = "refused", False
    if outcome == "failed":
        error = _start_and_end(event.text, _ERROR_LIMIT)
    elif outcome == "ok" and event.text and not is_plain and error_like(event.text):
        error, reads_like_error = _start_and_end(event.text, _SUSPICION_LIMIT), True
    mark = fingerprint(error) if error else ""
    session_id, name, task_id = origin.session_id, event.tool_use_id, event.task_id
    return Result(
        session_id, name, outcome, exit_code, error, mark, reads_like_error, line.time, line.uuid, task_id, by_hook
    )


def _exit_code(event: Returned | TaskEnded) -> int | None:
    """Returns None for an impossible exit code: the history could not store it."""
    code = event.verdict.exit_code
    return code if code is not None and abs(code) <= _LARGEST_EXIT_CODE else None


def _start_and_end(text: str, limit: int) -> str:
    """Returns start and end of a tool's output; a text that arrived cut is redacted well beyond the stored part."""
    half = limit // 2
    if len(text) <= 2 * RESULT_ENDS:
        clean = redacted(text)
        return clean if len(clean) <= limit else f"{clean[:half]}{_LEFT_OUT}{clean[-half:]}"
    return f"{redacted_start(text[:RESULT_ENDS], half)}{_LEFT_OUT}{redacted_end(text[-RESULT_ENDS:], half)}"


def task_end_row(event: TaskEnded, origin: RecordOrigin) -> TaskEndRow:
    outcome, exit_code = event.verdict.outcome, _exit_code(event)
    error = redacted_start(event.text, _ERROR_LIMIT) if outcome == "failed" else ""
    mark = fingerprint(error) if error else ""
    names = (origin.session_id, event.task_id, event.tool_use_id)
    return TaskEndRow(*names, outcome, exit_code, error, mark, origin.time)


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


def stop_hooks_row(ran: HooksRan, origin: RecordOrigin, key: int) -> StopHooks:
    errors, commands = _json(ran.errors[:_MOST_ERRORS]), _json(ran.commands[:_MOST_COMMANDS])
    durations = msgspec.json.encode(ran.milliseconds[:_MOST_COMMANDS]).decode()
    reason = redacted_start(ran.stop_reason, _LONGEST_TEXT)
    return StopHooks(origin, key, ran.hooks, errors, commands, durations, ran.prevented, reason)


def _json(texts: list[str]) -> str:
    return msgspec.json.encode([redacted_start(text, _LONGEST_TEXT) for text in texts]).decode()
