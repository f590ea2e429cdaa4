"""Makes rows for the history out of the records of one transcript; every secret is removed on the way."""

from collections.abc import Iterable
from functools import partial
from zlib import crc32

from lessons.agents.base import NOWHERE, Damaged, Line, Record
from lessons.agents.events import (
    Called,
    Compacted,
    ContextShown,
    Event,
    HooksRan,
    Interrupted,
    Prompted,
    Queued,
    QueueEmptied,
    Repeated,
    Returned,
    Setting,
    Sureness,
    TaskEnded,
    Titled,
    Wrote,
)
from lessons.redact.texts import clean_name, redacted_start
from lessons.scan.memory import (
    Memory,
    Permission,
    Place,
    asked,
    ended_task,
    placed,
    prompt_arrived,
    queue_emptied,
    queue_prompt,
    queued_key,
    sureness,
    thread_of,
)
from lessons.scan.project import Projects
from lessons.scan.rows import add_answer, call_row, known_key, result_row, row_key, stop_hooks_row, task_end_row
from lessons.scan.tags import first_sentences, has_tag, tag_rows
from lessons.store.consent import Consent
from lessons.store.history.rows import (
    Batch,
    DiagnosisRow,
    HookContext,
    Interrupt,
    Prompt,
    RecordOrigin,
    SegmentRow,
    SessionRow,
)
from lessons.store.logs import describe_fault as describe

_TEXT_LIMIT = 4_096
_NAME_LIMIT = 300
# A session in which nothing else happens is not stored.
_UNHEARD = frozenset((HooksRan, QueueEmptied, Repeated, Setting))
_WORDS_LIMIT = 1_024  # of what the agent wrote, before the first sentences are taken


class Extraction:
    """Fills batches from the records of one file; what it must remember of the file is in `memory`."""

    def __init__(self, stem: str, memory: Memory, projects: Projects, consent: Consent) -> None:
        self.stem = stem
        self.memory = memory
        self.permission = Permission(stem, memory, projects, consent)
        self.plain: set[str] = set()  # calls whose exit status cannot be hidden
        self.batch = Batch(start=0, end=0)
        self.tally = self.batch.tally

    def begin(self, start: int) -> Batch:
        """A new batch; the one before is complete."""
        self.batch = Batch(start=start, end=start)
        self.tally = self.batch.tally
        self.plain.clear()
        if start == 0:
            self.batch.segments.append(SegmentRow(0, f"f-{self.stem}.0", "", 0))
        return self.batch

    def take(self, records: Iterable[Record | Damaged]) -> None:
        """Takes complete lines of the file."""
        for record in records:
            if isinstance(record, Damaged):
                self.tally.malformed += 1
                self.batch.damaged.append((record.position, record.length))
                self.batch.failed += [(self.memory.segment, record.fault)] if record.fault else []
            elif record.line is NOWHERE:
                self.tally.records += 1  # a third of all records
            else:
                self._take_guarded(record)

    def _take_guarded(self, record: Record) -> None:
        """A bug must cost no more than its record: the segment is noted, and tried again later."""
        try:
            self._take_record(record)
        except Exception as fault:
            self.batch.failed.append((self.memory.segment, describe(fault)))

    def take_unfinished(self, records: Iterable[Record | Damaged]) -> None:
        """A last line that may yet grow: what it tells is taken, and counted apart, for it will be read again."""
        for record in records:
            if not isinstance(record, Damaged):
                self.tally = self.batch.unfinished
                self._take_guarded(record)
                self.memory.unfinished_key = record.key
                self.tally = self.batch.tally

    def _take_record(self, record: Record) -> None:
        self.tally.records += 1
        if not record.known:
            name = redacted_start(record.type, 60)
            self.tally.unknown_types[name] = self.tally.unknown_types.get(name, 0) + 1
        if record.key:
            self._remember(record.key, record.line)
        record = placed(record, self.memory)
        if record.answer:  # what a message used is told by each of its records, most of which tell nothing else
            place = self.permission.place_of(record.line)
            if not self.permission.refuses(place):
                project = clean_name(place.project)
                add_answer(self.batch.messages, record.answer, record.line, place.session_id, project)
        if not record.events:
            self.memory.at_boundary = self.memory.at_boundary and not record.is_conversation
        elif _is_talk(record.events):
            self._take_words(record)
        else:
            self._take_events(record)

    def _remember(self, key: int, line: Line) -> None:
        """A line that was read before it had its end is no copy of itself."""
        if key != self.memory.unfinished_key:
            self.batch.known.append(known_key(key, line.time if line.uuid else ""))
        elif self.tally is self.batch.tally:
            self.memory.unfinished_key = 0

    def _take_words(self, record: Record) -> None:
        """Most texts say nothing that is stored: what the agent wrote after a failed call is."""
        line, memory = record.line, self.memory
        memory.at_boundary = False
        thread = thread_of(self.permission.session_of(line), line.agent_id, line.sidechain)
        if not any(last.failed for last in memory.last_calls if last.thread == thread):
            return
        place = self.permission.place_of(line)
        if not self.permission.refuses(place):
            origin = self._origin(line, place)
            for number, event in enumerate(record.events):
                self._take_event(event, line, origin, record.key, number)

    def _origin(self, line: Line, place: Place) -> RecordOrigin:
        name, segment = clean_name(place.project), self.memory.segment
        return RecordOrigin(
            line.uuid, place.session_id, line.agent_id, name, line.time, segment, line.position, line.copied
        )

    def _take_events(self, record: Record) -> None:
        line, memory = record.line, self.memory
        if isinstance(record.events[0], Compacted):
            self._compacted(line, record.events[0])
        elif record.is_conversation:
            memory.at_boundary = False
        place = self.permission.place_of(line)
        line.cwd = place.cwd
        if self.permission.refuses_events(record, place):
            self.tally.left_out += 1
            thread = thread_of(place.session_id, line.agent_id, line.sidechain)
            memory.note_answer(thread)
            return
        origin = self._origin(line, place)
        if not _UNHEARD.issuperset(map(type, record.events)):
            self._note_session(origin)
        for number, event in enumerate(record.events):
            self._take_event(event, line, origin, record.key, number)

    def _compacted(self, line: Line, event: Compacted) -> None:
        """A new segment, unless it is a copy of a boundary, or the summary that belongs to the boundary before it."""
        memory = self.memory
        name = line.uuid or f"at-{line.position}"
        if name in memory.compactions:
            return
        memory.compactions.append(name)
        if event.is_summary and memory.at_boundary:
            return
        memory.at_boundary = True
        memory.segment += 1
        key = f"f-{self.stem}.{memory.segment}"
        self.batch.segments.append(SegmentRow(memory.segment, key, name, line.position))

    def _note_session(self, origin: RecordOrigin) -> None:
        """The session as a whole: when it was first and last heard of."""
        row = self.batch.sessions.get(origin.session_id)
        time = origin.time
        if row is None:
            self.batch.sessions[origin.session_id] = SessionRow(origin.session_id, origin.project, time, time, "", "")
            return
        if time > row.last_time:
            row.last_time = time
        if time <= row.first_time or not row.first_time:
            later = (not time, time, origin.project) >= (not row.first_time, row.first_time, row.project)
            if not later:
                row.first_time, row.project = time, origin.project

    def _take_event(self, event: Event, line: Line, origin: RecordOrigin, key: int, number: int) -> None:
        batch, memory = self.batch, self.memory
        thread = thread_of(origin.session_id, line.agent_id, line.sidechain)
        match event:
            case Called():
                memory.note_call(thread, event.message_id)
                call = call_row(line, asked(event, memory), origin, number)
                batch.calls.append(call)
                if not call.hides_exit:
                    self.plain.add(call.tool_use_id)
            case Returned():
                event, end = ended_task(memory, event, self.tally is batch.tally)
                batch.task_ends += [task_end_row(end, origin)] if end else []
                row = result_row(event, line, origin, event.tool_use_id in self.plain)
                if row.outcome == "failed":
                    memory.note_failure(thread, event.tool_use_id)
                batch.results.append(row)
            case Wrote():
                self._diagnoses(event, origin, key, number, memory.failed_before(thread, event.message_id))
                if has_tag(event):
                    batch.tags += tag_rows(event, origin, number, partial(row_key, origin, key))
            case TaskEnded():
                batch.task_ends.append(task_end_row(event, origin))
            case Interrupted():
                batch.interrupts.append(Interrupt(origin.session_id, event.message_id))
            case Prompted():
                memory.note_answer(thread)
                prompt_arrived(memory, batch, event.text)
                batch.prompts.append(
                    self._prompt(event.text, line, origin, row_key(origin, key, number), sureness(event, memory))
                )
            case Queued():
                prompt = self._prompt(event.text, line, origin, queued_key(origin.time, event.text), "likely")
                queue_prompt(memory, batch, prompt, event.text)
            case Repeated():
                prompt_arrived(memory, batch, event.text)
            case QueueEmptied():
                queue_emptied(memory, batch)
            case ContextShown():
                text, name = redacted_start(event.text, _TEXT_LIMIT), redacted_start(event.name, _NAME_LIMIT)
                shown = (event.tool_use_id, clean_name(event.event[:60]), name, text)
                batch.contexts.append(HookContext(origin, row_key(origin, key, number), *shown))
            case HooksRan():
                batch.stop_hooks.append(stop_hooks_row(event, origin, row_key(origin, key, number)))
            case Titled():
                session = batch.sessions[origin.session_id]
                session.title = redacted_start(event.title, _NAME_LIMIT)
                session.title_rank = f"{line.position:015d} {self.stem}"

    def _prompt(self, text: str, line: Line, origin: RecordOrigin, key: int, sure: Sureness) -> Prompt:
        return Prompt(origin, key, clean_name(line.branch), redacted_start(text, _TEXT_LIMIT), sure)

    def _diagnoses(self, wrote: Wrote, origin: RecordOrigin, key: int, number: int, failed: list[str]) -> None:
        words = first_sentences(redacted_start(wrote.text, _WORDS_LIMIT)) if failed else ""
        for name in failed if words else ():
            own_key = row_key(origin, key, number + crc32(name.encode()))
            self.batch.diagnoses.append(DiagnosisRow(origin, own_key, name, number, words))


def _is_talk(events: list[Event]) -> bool:
    """Whether the agent only wrote text, without tags."""
    for event in events:  # noqa: SIM110 (a loop is faster than all(), and every record is asked)
        if type(event) is not Wrote or has_tag(event):
            return False
    return True
