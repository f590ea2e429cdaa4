"""What the reader must remember of a transcript to continue from the last byte read."""

from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple
from zlib import crc32

import msgspec

from lessons.agents.base import Line, Record
from lessons.agents.events import Called, Prompted, Returned, Setting, Sureness, TaskEnded, Verdict
from lessons.redact.texts import clean_name
from lessons.scan.project import Projects
from lessons.store.consent import Consent, digest
from lessons.store.history.rows import Batch, Prompt
from lessons.store.history.sources import CAPTURE
from lessons.store.state_paths import is_of_question

# A new version of the stored data has every existing transcript read again.
VERSION = CAPTURE.version
_MOST_THREADS = 16  # subagents with lines in one file; the most recent ones
_MOST_ASKED = 64
_MOST_QUEUED = 50
_LASTING = ("cwd", "branch", "version", "model")


class LastCall(msgspec.Struct, rename="camel"):
    """The state of a thread between two calls."""

    thread: int  # a digest of its session and subagent
    message_id: str  # of the message with the last call
    failed: list[str] = msgspec.field(default_factory=list)  # calls of that message that are known to have failed


@lru_cache(maxsize=64)
def thread_of(session_id: str, agent_id: str, sidechain: bool) -> int:
    return crc32(f"{session_id} {agent_id} {sidechain}".encode())


class QueuedPrompt(msgspec.Struct, rename="camel"):
    """A queued prompt, and how to recognise it when it arrives; without its text."""

    key: int
    digest: str
    lines: int


class Memory(msgspec.Struct, rename="camel"):
    """Stored with the file's offset, as JSON."""

    version: int = VERSION
    first_cwd: str = ""
    here: str = ""  # the last folder that a line named, if the transcript has no setting
    session_id: str = ""
    time: str = ""  # of the last record that has one
    segment: int = 0
    compactions: list[str] = msgspec.field(default_factory=list)  # uuid of every boundary and summary
    at_boundary: bool = False  # no message since the last one
    refused: bool = False  # something in it was excluded from the history
    allowed: bool = False  # something in it was not excluded
    refused_calls: list[str] = msgspec.field(default_factory=list)  # digests; their results are excluded too
    unfinished_key: int = 0  # of an unfinished last line that was already read
    setting: Setting | None = None  # applies to records that do not say it themselves
    asked_after: dict[str, str] = msgspec.field(default_factory=dict)  # call -> task in the background
    last_calls: list[LastCall] = msgspec.field(default_factory=list)  # of the most recent threads
    queued: list[QueuedPrompt] = msgspec.field(default_factory=list)  # the last ones that may still arrive

    @property
    def folders(self) -> set[str]:
        """Returns every folder that it names."""
        return {self.first_cwd, self.here, self.setting.cwd if self.setting else ""} - {""}

    @property
    def sessions(self) -> set[str]:
        """Returns every session that it names."""
        return {self.session_id, self.setting.session_id if self.setting else ""} - {""}

    def note_call(self, thread: int, message_id: str) -> None:
        """Calls of one message run together, so none of them answers another's failure."""
        last = self._last_call(thread)
        if last and last.message_id == message_id != "":
            return
        self.note_answer(thread)
        self.last_calls.append(LastCall(thread, message_id))
        del self.last_calls[:-_MOST_THREADS]

    def note_failure(self, thread: int, tool_use_id: str) -> None:
        if self._last_call(thread) is None:
            self.note_call(thread, "")
        last = self._last_call(thread)
        if last and tool_use_id not in last.failed:
            last.failed.append(tool_use_id)

    def note_answer(self, thread: int) -> None:
        """A person typed something: the agent's next text answers that."""
        self.last_calls = [last for last in self.last_calls if last.thread != thread]

    def failed_before(self, thread: int, message_id: str) -> list[str]:
        """The failed calls that a text of this message may explain; none if it was written together with them."""
        last = self._last_call(thread)
        return [] if last is None or last.message_id == message_id != "" else list(last.failed)

    def _last_call(self, thread: int) -> LastCall | None:
        return next((last for last in self.last_calls if last.thread == thread), None)

    def text(self) -> str:
        return msgspec.json.encode(self).decode()


# In place of a memory that must not be stored: the file is read from its beginning when it grows.
WITHHELD = Memory(version=0, refused=True).text()


def memory_from(text: str) -> Memory | None:
    """Returns None if the text is not a memory of this version: such a file is read from its beginning."""
    try:
        memory = msgspec.json.decode(text, type=Memory)
    except msgspec.MsgspecError:
        return None
    return memory if memory.version == VERSION else None


def placed(record: Record, memory: Memory) -> Record:
    """Returns the record completed with what its line does not say itself.

    What it names is remembered even if the user excluded it: it may exclude the following records from the history.
    """
    for event in record.events:
        if type(event) is Setting:
            _take(memory, event)
    setting, line = memory.setting, record.line
    if setting is None and line.cwd:
        memory.here = clean_name(line.cwd)
    elif setting is not None and record.events:
        line = _completed(line, setting)
        record = msgspec.structs.replace(record, line=line)
    memory.first_cwd = memory.first_cwd or clean_name(line.cwd)
    memory.session_id = memory.session_id or line.session_id
    memory.time = line.time or memory.time
    return record


def folder_of(line: Line, memory: Memory) -> str:
    """Returns the folder of a record: its own, else the one that the transcript named last."""
    named = memory.setting.cwd if memory.setting else memory.here
    return line.cwd or named or memory.first_cwd


def asked(called: Called, memory: Memory) -> Called:
    """Returns the call with its model; remembers a call that polls a task until its result."""
    if called.task_id:
        memory.asked_after[called.tool_use_id] = called.task_id
        while len(memory.asked_after) > _MOST_ASKED:
            del memory.asked_after[next(iter(memory.asked_after))]
    if memory.setting is None or called.model:
        return called
    return msgspec.structs.replace(called, model=memory.setting.model)


def sureness(prompt: Prompted, memory: Memory) -> Sureness:
    """Returns the certainty that a person typed it: "no" for scripts and other agents."""
    return prompt.sureness if memory.setting is None or memory.setting.typed else "no"


def _take(memory: Memory, new: Setting) -> None:
    """Only the first owner counts: a file that copies the start of another repeats that file's owner."""
    new = msgspec.structs.replace(new, **{name: clean_name(getattr(new, name)) for name in _LASTING})
    old = memory.setting
    if old is None:
        memory.setting = new
    elif not (old.session_id and new.session_id):
        named = {name: value for name in _LASTING if (value := getattr(new, name))}
        owner = new if new.session_id else old
        memory.setting = msgspec.structs.replace(
            old,
            session_id=owner.session_id,
            agent_id=owner.agent_id,
            sidechain=owner.sidechain,
            typed=owner.typed,
            **named,
        )


def _completed(line: Line, setting: Setting) -> Line:
    """Returns the line completed with what it does not say itself."""
    return msgspec.structs.replace(
        line,
        session_id=line.session_id or setting.session_id,
        agent_id=line.agent_id or setting.agent_id,
        sidechain=line.sidechain or setting.sidechain,
        cwd=line.cwd or setting.cwd,
        branch=line.branch or setting.branch,
        version=line.version or setting.version,
    )


def ended_task(memory: Memory, returned: Returned, is_final: bool) -> tuple[Returned, TaskEnded | None]:
    """Assigns the result of a polling call to its task; the call itself succeeded.

    An unfinished line will be read again, so the call must still be known then.
    """
    task = memory.asked_after.get(returned.tool_use_id, "")
    if not task:
        return returned, None
    if is_final:
        del memory.asked_after[returned.tool_use_id]
    verdict = returned.verdict
    if verdict.outcome != "unknown" and verdict.exit_code is None:
        return returned, None
    end = None if verdict.outcome == "unknown" else TaskEnded(task, "", verdict, returned.text)
    return Returned(returned.tool_use_id, Verdict("ok", None), ""), end


def queued_key(time: str, text: str) -> int:
    """Returns a key that is equal in copies of the record, which has no id."""
    return int.from_bytes(blake2b(f"queued {time} {text}".encode(), digest_size=8).digest(), "big", signed=True)


def queue_prompt(memory: Memory, batch: Batch, prompt: Prompt, text: str) -> None:
    """`text` is the whole text; the prompt has the part that is stored."""
    lines = _lines(text)
    batch.prompts.append(prompt)
    if all(each.key != prompt.key for each in memory.queued):  # an unfinished line is read twice
        memory.queued.append(QueuedPrompt(prompt.key, _digest(lines), len(lines)))
        del memory.queued[:-_MOST_QUEUED]


def prompt_arrived(memory: Memory, batch: Batch, text: str) -> None:
    """Withdraws queued prompts with this text, or with some whole lines of it."""
    if memory.queued:
        lines = _lines(text)
        _withdraw(memory, batch, [each for each in memory.queued if _is_in(each, lines)])


def queue_emptied(memory: Memory, batch: Batch) -> None:
    """Withdraws all queued prompts that have not arrived."""
    _withdraw(memory, batch, list(memory.queued))


def _withdraw(memory: Memory, batch: Batch, prompts: list[QueuedPrompt]) -> None:
    keys = {each.key for each in prompts}
    if keys:
        memory.queued = [each for each in memory.queued if each.key not in keys]
        batch.prompts = [prompt for prompt in batch.prompts if prompt.key not in keys]
        batch.withdrawn += sorted(keys)


def _is_in(queued: QueuedPrompt, lines: list[str]) -> bool:
    places = range(len(lines) - queued.lines + 1)
    return any(_digest(lines[place : place + queued.lines]) == queued.digest for place in places)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().split("\n")]


def _digest(lines: list[str]) -> str:
    return blake2b("\n".join(lines).encode("utf-8", "replace"), digest_size=8).hexdigest()


class Place(NamedTuple):
    """Where and when a record stands; what its line does not say, an earlier one did."""

    session_id: str
    project: str
    cwd: str
    time: str


class Permission:
    """The permission for one file; what it must remember of the file is in `memory`."""

    def __init__(self, stem: str, memory: Memory, projects: Projects, consent: Consent) -> None:
        self._stem = stem
        self._memory = memory
        self._projects = projects
        self._consent = consent if consent.is_needed else None
        self._free = memory.folders  # in which something may be stored: their names may be, too

    def session_of(self, line: Line) -> str:
        return line.session_id or self._memory.session_id or self._stem

    def place_of(self, line: Line) -> Place:
        memory = self._memory
        cwd = folder_of(line, memory)
        project = self._projects.project_of(cwd, memory.first_cwd)
        return Place(self.session_of(line), project, cwd, line.time or memory.time)

    def refuses(self, place: Place) -> bool:
        if is_of_question(self._memory.first_cwd):
            return True
        return self._consent is not None and self._consent.refuses(*place)

    def refuses_events(self, record: Record, place: Place) -> bool:
        """By where and when they stand; the result of a refused call is refused wherever it stands."""
        if self._consent is None and not is_of_question(self._memory.first_cwd):
            self._memory.allowed = True
            return False
        if self._is_refused(record, place):
            self._memory.refused = True
            return True
        if type(record.events[0]) is not Setting:  # of which nothing but the memory is stored
            self._memory.allowed = True
            self._free.add(clean_name(place.cwd))
        return False

    def _is_refused(self, record: Record, place: Place) -> bool:
        refused = self._memory.refused_calls
        # A title or the end of a task may stand before anything tells whose it is; what is said has its folder.
        unknown = not place.project and not record.is_conversation
        if unknown or self.refuses(place):
            refused += [digest(event.tool_use_id) for event in record.events if isinstance(event, Called)]
            return True
        results = [digest(event.tool_use_id) for event in record.events if isinstance(event, Returned)]
        found = [name for name in results if name in refused]
        for name in found:
            refused.remove(name)
        return bool(found)

    def stored_memory(self) -> str:
        """Returns the memory as it is stored: nothing of one that names what the user excluded."""
        memory, project_of = self._memory, self._projects.project_of
        named = [Place("", project_of(cwd, cwd), cwd, "") for cwd in memory.folders - self._free]
        named += [Place(session_id, "", "", "") for session_id in memory.sessions]
        return WITHHELD if any(map(self.refuses, named)) else memory.text()
