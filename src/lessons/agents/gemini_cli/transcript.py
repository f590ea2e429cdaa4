"""Reads the sessions of Gemini CLI, whole documents and lines alike (see FORMAT.md).

A session file is one document that is rewritten, or lines of which the last one about a message counts.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from stat import S_ISREG
from typing import NamedTuple

import msgspec

from lessons.agents.base import Damaged, Held, Line, NotOurs, Piece, Record, Snapshot
from lessons.agents.events import DENIED_BY_HOOK, RESULT_ENDS, Called, Event, Prompted, Returned, Titled, Verdict, Wrote
from lessons.agents.hook_event import unique_call_id
from lessons.agents.names import plain_id, real_path, utc
from lessons.agents.object_lines import (
    DAMAGE,
    NOTHING,
    PROMPT_LIMIT,
    RESULT_FOLDERS,
    TITLE_LIMIT,
    Fields,
    Reader,
    ends,
    first_byte,
    inner,
    object_of,
    objects,
    record_key,
    spoken,
    storable,
    text,
)
from lessons.agents.shell_frame import taken_apart
from lessons.match.call import canonical_name
from lessons.store.history.rows import FileState
from lessons.store.logs import describe_fault as describe
from lessons.system import open_regular

_BY_HOOK = "Tool execution blocked: "
_BY_POLICY = "Tool execution denied by policy"
_BY_PERSON = ("User did not allow tool call", "User denied execution", "User cancelled tool execution")
_STOPPED = "Command was cancelled by user"
_ENDED = ("success", "error", "cancelled")


def ended(call: Fields) -> tuple[Verdict, str] | None:
    """Returns the verdict and the output; None while the call runs."""
    status, output = text(call, "status"), _output(call)
    if status not in _ENDED:
        return None
    if status == "cancelled":
        return Verdict("refused" if any(each in output for each in _BY_PERSON) else "interrupted", None), output
    if status == "error" and output.startswith(_BY_HOOK):
        return DENIED_BY_HOOK, output.removeprefix(_BY_HOOK)
    shell = taken_apart(output)
    printed, code = shell if shell else (output, 0 if status == "success" else None)
    if status == "error":
        return Verdict("refused" if output.startswith(_BY_POLICY) else "failed", code or None), printed
    if printed.startswith(_STOPPED):
        return Verdict("interrupted", None), printed
    if shell is None:
        return Verdict("ok", None), printed
    return Verdict("ok" if code == 0 else "failed", code), printed


def _output(call: Fields) -> str:
    """Returns the text that the model got."""
    texts = []
    for part in objects(call, "result"):
        response = inner(inner(part, "functionResponse"), "response")
        texts.append(text(response, "error") or text(response, "output"))
    shown = call.get("resultDisplay")
    return "\n".join(each for each in texts if each) or (shown if isinstance(shown, str) else "")


# These have no events: messages of the client to the user.
_SILENT = ("info", "warning", "error")
_OF_THE_CLIENT = ("<session_context>", "This is the Gemini CLI.")
_HOOK_OPENS, _HOOK_CLOSES = "<hook_context>", "</hook_context>"
_FOLDER = re.compile(r"Workspace Directories:\*\*\n\s+- ([^\n]{1,1000})")


class Session(NamedTuple):
    """What all records of a session share."""

    id: str
    folder: str
    title: str
    started: str
    is_subagent: bool


def session_of(metadata: Fields, messages: list[Fields], folder: str) -> Session:
    """`folder` is the project folder recorded by the client; else it is in the client's first message."""
    named_folder = next((found[1] for message in messages if (found := _FOLDER.search(_words(message)))), "")
    return Session(
        plain_id(text(metadata, "sessionId")),
        folder or named_folder,
        text(metadata, "summary")[:TITLE_LIMIT],
        utc(text(metadata, "startTime")),
        text(metadata, "kind") == "subagent",
    )


def title_record(session: Session) -> Record:
    line = Line(0, "", session.id, sidechain=session.is_subagent, time=session.started, cwd=session.folder)
    return Record(line, "session", True, 0, [Titled(session.title)] if session.title else [])


def message_record(session: Session, message: Fields, position: int, all_texts: bool) -> Record:
    kind = text(message, "type")
    name = plain_id(text(message, "id"))
    line = Line(
        position,
        name,
        session.id,
        sidechain=session.is_subagent,
        time=utc(text(message, "timestamp")),
        cwd=session.folder,
    )
    events: list[Event] = []
    if kind == "user":
        events = _prompt(session, message)
    elif kind == "gemini":
        events = _answer(session, message, name, all_texts)
    is_spoken = kind in ("user", "gemini")
    return Record(line, kind[:60], is_spoken or kind in _SILENT, record_key(name, kind), events, is_spoken)


def _prompt(session: Session, message: Fields) -> list[Event]:
    """Results of calls are user messages too, but have no text."""
    words = _without_hooks(_words(message)).strip()
    if not words:
        return []
    is_typed = not session.is_subagent and not words.startswith(_OF_THE_CLIENT)
    return [Prompted(words[:PROMPT_LIMIT], "likely" if is_typed else "no")]


def _without_hooks(words: str) -> str:
    """Removes what hooks have added; without a pattern, which would search the whole text for each end."""
    kept = []
    position = 0
    while (start := words.find(_HOOK_OPENS, position)) >= 0 and (end := words.find(_HOOK_CLOSES, start)) >= 0:
        kept.append(words[position:start])
        position = end + len(_HOOK_CLOSES)
        while words[position : position + 1].isspace():
            position += 1
    return "".join([*kept, words[position:]])


def _answer(session: Session, message: Fields, name: str, all_texts: bool) -> list[Event]:
    events: list[Event] = []
    if words := _words(message):
        events.append(Wrote(name, spoken(words, all_texts)))
    for call in objects(message, "toolCalls"):
        events += _call(session, message, call, name, all_texts)
    return events


def _call(session: Session, message: Fields, call: Fields, message_id: str, all_texts: bool) -> list[Event]:
    given = plain_id(text(call, "id"))
    if not given:
        return []
    tool = canonical_name(text(call, "name"))
    identifier = unique_call_id(given, session.id)
    arguments: dict[object, object] = dict(inner(call, "args").items())
    called = Called(identifier, message_id, text(message, "model"), tool, arguments)
    end = ended(call)
    if end is None:
        return [called]
    verdict, printed = end
    telling = all_texts or verdict.outcome != "ok" or tool == "Bash"
    return [called, Returned(identifier, verdict, ends(printed, RESULT_ENDS) if telling else "")]


def _words(message: Fields) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(words for part in objects(message, "content") if (words := text(part, "text")))


_MOST_BYTES = 256 << 20


class _Entry(msgspec.Struct, gc=False):
    """A whole document, a line about one message, or the changes in a line. Messages are decoded one at a time."""

    id: object = None
    session_id: object = msgspec.field(default=None, name="sessionId")
    project_hash: object = msgspec.field(default=None, name="projectHash")
    summary: object = None
    start_time: object = msgspec.field(default=None, name="startTime")
    kind: object = None
    tool_calls: msgspec.Raw = msgspec.field(default=NOTHING, name="toolCalls")
    messages: msgspec.Raw = NOTHING
    changes: msgspec.Raw = msgspec.field(default=NOTHING, name="$set")


_entry_of = msgspec.json.Decoder(_Entry).decode
_messages_of = msgspec.json.Decoder(list[msgspec.Raw]).decode


class Content:
    """The content of a file: the last form of each message, in the order of their first occurrence.

    Going back in a conversation, or replacing all messages, does not undo what was done: the removed messages stay
    here.
    """

    def __init__(self) -> None:
        self.metadata: Fields = {}
        self._forms: dict[str, list[msgspec.Raw]] = {}  # of each message: those with calls, and the last one
        self.damaged: list[Damaged] = []

    def __len__(self) -> int:
        return len(self._forms)

    def take(self, data: bytes) -> bool:
        """Returns False if the data is not an object."""
        raw = msgspec.Raw(data)
        try:
            record = _entry_of(raw)
            change = _entry_of(record.changes) if first_byte(record.changes) == b"{" else None
            if change or (record.session_id is not None and record.project_hash is not None):
                self._describe(change or record)
            elif record.id:
                self._put(raw, record)
        except DAMAGE:
            return False
        return True

    def _describe(self, entry: _Entry) -> None:
        found = {"sessionId": entry.session_id, "summary": entry.summary, "startTime": entry.start_time}
        named = {**found, "kind": entry.kind}
        self.metadata.update({name: storable(value) for name, value in named.items() if value is not None})
        for message in _messages_of(entry.messages) if first_byte(entry.messages) == b"[" else ():
            if first_byte(message) == b"{":
                self._put(message, _entry_of(message))

    def _put(self, raw: msgspec.Raw, entry: _Entry) -> None:
        forms = self._forms.setdefault(str(storable(entry.id)), [])
        if forms and first_byte(_entry_of(forms[-1]).tool_calls) != b"[":
            forms.pop()
        forms.append(raw)

    def messages(self, first: int, end: int) -> Iterator[Fields]:
        """Yields some messages; each has all calls of all its forms."""
        for forms in islice(self._forms.values(), first, end):
            calls: dict[str, Fields] = {}
            message: Fields = {}
            for form in forms:
                message = object_of(form) or {}
                calls |= {text(call, "id"): call for call in objects(message, "toolCalls")}
            yield {**message, "toolCalls": list(calls.values())}


def _read(path: str) -> Content:
    """Raises NotOurs if it is not a session of this client."""
    content = Content()
    with open_regular(real_path(path)) as file:
        data = file.read(min(_MOST_BYTES, os.fstat(file.fileno()).st_size))
    position = 0
    for line in (data,) if path.endswith(".json") else data.splitlines(keepends=True):
        # The last line may be unfinished, or the document while it is written: then it is read again.
        is_last = position + len(line) == len(data) and not path.endswith(".json")
        if line.strip() and not content.take(line) and not is_last:
            content.damaged.append(Damaged(position, len(line)))
        position += len(line)
    if (content.metadata or not content.damaged) and not text(content.metadata, "sessionId"):
        raise NotOurs(path)
    return content


_MESSAGES_AT_ONCE = 50
_CHATS = "chats"
_LONGEST_PATH = 4_096


class Sessions(Reader):
    """Reads no file line by line: lines repeat and change what earlier ones say."""

    suffix = (".jsonl", ".json")
    skipped_folders = frozenset(("logs", "checkpoints")) | RESULT_FOLDERS

    def stem(self, path: str) -> str:
        return super().stem(path).removesuffix(".json")

    def conversations(self, project_root: str) -> Iterator[str]:
        """Yields the sessions of this project, or all; also those whose project is unknown."""
        inside = tuple({os.path.join(each, "") for each in (project_root, os.path.realpath(project_root))})
        for root in filter(os.path.isdir, self.roots()):
            for entry in os.scandir(root):
                chats = os.path.join(entry.path, _CHATS)
                for file in os.scandir(chats) if os.path.isdir(chats) else ():
                    project = _project_of(file.path) if _is_session(file.path) else None
                    if project == "" or (project and (not project_root or f"{project}/".startswith(inside))):
                        yield file.path


def _is_session(path: str) -> bool:
    """Whether it is `…/session-….json`, or a file one folder below the chats: a session of a subagent."""
    if "session-" not in path and _CHATS not in path:  # quicker for the thousands of files of other agents
        return False
    folder, name = os.path.split(path)
    is_named = name.startswith("session-") or os.path.basename(os.path.dirname(folder)) == _CHATS
    return is_named and name.endswith(Sessions.suffix)


def _project_of(path: str) -> str:
    """Returns the project's folder, if the client has recorded it beside its chats; else empty."""
    folder = os.path.dirname(path)
    for _ in range(3):
        try:
            with open_regular(os.path.join(folder, ".project_root")) as file:
                found = file.read(_LONGEST_PATH).decode("utf-8", "replace").strip()
            return found if os.path.isabs(found) else ""
        except OSError:
            folder = os.path.dirname(folder)
    return ""


class SessionStore:
    """Every file has one session."""

    def __init__(self, all_texts: bool = False) -> None:
        self._all_texts = all_texts

    def store_of(self, path: str) -> str | None:
        return path if _is_session(path) else None

    def state(self, store: str) -> FileState:
        status = os.stat(real_path(store))
        if not S_ISREG(status.st_mode):
            raise OSError(None, "it is not a regular file")
        return FileState(status.st_ino, status.st_size, status.st_mtime_ns)

    def sessions(self, store: str) -> Sequence[Held]:
        return (Held(store, self.state(store)),)

    @contextmanager
    def snapshot(self, path: str) -> Iterator[Snapshot]:
        state = self.state(path)
        yield Snapshot(state, self._pieces(_read(path), _project_of(path), state.size))

    def _pieces(self, content: Content, folder: str, size: int) -> Iterator[Piece]:
        session = session_of(content.metadata, list(content.messages(0, 3)), folder)
        yield Piece((*content.damaged, title_record(session)), 1)
        share = size // max(1, len(content))
        for start in range(0, len(content), _MESSAGES_AT_ONCE):
            some = enumerate(content.messages(start, start + _MESSAGES_AT_ONCE), start)
            records = [self._record(session, each, number) for number, each in some]
            yield Piece(records, share * len(records))

    def _record(self, session: Session, message: Fields, position: int) -> Record | Damaged:
        try:
            return message_record(session, message, position + 1, self._all_texts)
        except Exception as fault:  # a bug must lose only its message
            return Damaged(position + 1, 0, describe(fault))


READER = FULL_READER = Sessions("gemini-cli")
STORE = SessionStore()
FULL_STORE = SessionStore(all_texts=True)
