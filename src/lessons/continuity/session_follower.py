"""Follows the records of a transcript: what the session did so far, and what is new."""

from collections.abc import Callable
from datetime import datetime

import msgspec

from lessons.agents.actions import ListTasks, StartAgent
from lessons.agents.base import Line, Reader, Record
from lessons.agents.events import Called, Event, Prompted, Returned, TaskEnded, Wrote
from lessons.agents.outcomes import Verdict
from lessons.continuity.derive import agents, calls, commands, tasks
from lessons.continuity.derive.files import edited_after
from lessons.continuity.derive.questions import asked_in
from lessons.continuity.derive.requests import after
from lessons.session import AgentInvocation, Work
from lessons.store.project_state.timestamps import seconds

IDLE_SECONDS = 30 * 60
_NEVER_RAN = ("refused", "cancelled")
_MOST_WINDOWS = 200


class Moment(msgspec.Struct):
    """A file was read; or, without a path, activity resumed after a long pause."""

    time: int  # milliseconds since 1970
    path: str = ""


class NewSinceLast(msgspec.Struct):
    """The new information in the part of a transcript that was read."""

    moments: list[Moment] = []
    invocations: list[AgentInvocation] = []
    bytes_read: int = 0
    unreadable: str = ""  # why nothing could be read


class SessionFollower:
    """Follows a session from the state in `work` on; a subagent's records do not count as the session's work."""

    def __init__(
        self, reader: Reader, work: Work, root: str, now: datetime, refuses: Callable[[Line], bool] | None = None
    ) -> None:
        self._reader = reader
        self._refuses = refuses
        self.work = work
        self.new = NewSinceLast()
        self._root = root
        self._now = f"{now:%Y-%m-%dT%H:%M:%S.%f}"[:23] + "Z"

    def take(self, record: Record) -> None:
        if record.line.sidechain or not record.events:
            return
        if self._refuses and self._refuses(record.line):
            return
        self._note_time(record.line)
        for event in record.events:
            self._take(event, record.line)

    def _note_time(self, line: Line) -> None:
        """Records the time, at most now: the clock of a transcript may be wrong."""
        time = min(line.time, self._now)
        last = self.work.last_time
        self.work.first_time = self.work.first_time or time
        if time > last:
            if last and seconds(time) - seconds(last) > IDLE_SECONDS:
                self.new.moments.append(Moment(_milliseconds(time)))
            self.work.last_time = time

    def _take(self, event: Event, line: Line) -> None:
        work = self.work
        if isinstance(event, Called):
            self._called(event, line)
        elif isinstance(event, Returned):
            self._returned(event, line)
        elif isinstance(event, Wrote):
            work.questions = [*calls.waiting_questions(work.open_calls), *filter(None, [asked_in(event.text)])]
        elif isinstance(event, Prompted):
            work.last_request, work.earlier_request = after(work.last_request, work.earlier_request, event.text)
            work.questions = []
            self._set_tasks(tasks.after_request(work.task_states, event.text))
            kept = {name: value for name, value in work.open_calls.items() if not value.startswith("question ")}
            work.open_calls = kept
        elif isinstance(event, TaskEnded):
            self._task_ended(event, line)

    def _called(self, event: Called, line: Line) -> None:
        work, action = self.work, self._reader.action_of(event)
        if isinstance(action, StartAgent):
            self.new.invocations.append(agents.invocation_of(action, event.tool_use_id, line.time))
        value = calls.remembered(action, self._root)
        work.open_calls = calls.with_call(work.open_calls, event.tool_use_id, value)
        if calls.kind_and_text(value)[0] in calls.COMMITTING:
            began = seconds(min(line.time, self._now))
            work.commit_calls = calls.with_time(work.commit_calls, event.tool_use_id, began)
        if isinstance(action, ListTasks):
            self._set_tasks(tasks.after_list(work.task_states, action.tasks))
        work.questions = calls.waiting_questions(work.open_calls)

    def _returned(self, event: Returned, line: Line) -> None:
        value = self.work.open_calls.get(event.tool_use_id, "")
        kind, text = calls.kind_and_text(value)
        if not value or (kind == "question" and event.verdict.outcome != "ok"):
            return  # a rejected question waits until the user writes something
        if kind in calls.LASTING and event.task_id and event.verdict.outcome == "unknown":
            waiting = calls.in_background(value, event.task_id)
            self.work.open_calls = {**self.work.open_calls, event.tool_use_id: waiting}
            return
        self._close(event.tool_use_id, event.verdict, line)
        self._ended(kind, text, event.verdict, event.text, line)

    def _task_ended(self, event: TaskEnded, line: Line) -> None:
        name, value = calls.of_task(self.work.open_calls, event.task_id, event.tool_use_id)
        if name:
            self._close(name, event.verdict, line)
            kind, text = calls.kind_and_text(value)
            self._ended(kind, text, event.verdict, event.text, line)

    def _close(self, name: str, verdict: Verdict, line: Line) -> None:
        """Closes a call that gets no further result; if it may have committed, stores when it ran."""
        work = self.work
        work.open_calls = calls.without(work.open_calls, name)
        began = work.commit_calls.get(name)
        if began is not None:
            work.commit_calls = calls.without(work.commit_calls, name)
            if verdict.outcome not in _NEVER_RAN and not verdict.by_hook:
                window = (began, seconds(min(line.time, self._now)))
                work.commit_windows = [*work.commit_windows, window][-_MOST_WINDOWS:]

    def _ended(self, kind: str, text: str, verdict: Verdict, printed: str, line: Line) -> None:
        work = self.work
        if kind in ("command", "commit"):
            ran = commands.Ran(work.worked, work.failed)
            work.worked, work.failed = commands.after(ran, text, verdict, printed, line.time)
        elif verdict.outcome != "ok" or kind == "agent":
            return
        elif kind == "edit":
            work.files_edited = edited_after(work.files_edited, text)
        elif kind == "read":
            self.new.moments.append(Moment(_milliseconds(work.last_time), text))
        elif kind == "question":
            work.questions = calls.waiting_questions(work.open_calls)
        else:
            made = self._reader.made_task(printed) if kind == tasks.MADE else ""
            self._set_tasks(tasks.after_result(work.task_states, kind, text, made))

    def _set_tasks(self, states: dict[str, str]) -> None:
        self.work.task_states = states
        self.work.tasks = tasks.open_tasks(states)


def _milliseconds(time: str) -> int:
    return int(1000 * seconds(time))
