"""Reads a transcript: what its session was asked, what it did, and what is still open."""

import re
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import NamedTuple

from lessons.agents import events as actions
from lessons.agents.base import Damaged, Line, NotOurs, Record
from lessons.agents.events import (
    AskPerson,
    Called,
    ChangeTask,
    Prompted,
    Returned,
    RunCommand,
    StartAgent,
    Task,
    TaskEnded,
    Wrote,
)
from lessons.agents.follow import OpenTranscript
from lessons.agents.table import reader_of, store_of
from lessons.continuity.commits import Windows
from lessons.failure.complaint import error_like
from lessons.failure.error_text import is_telling, unframed
from lessons.match.call import comparable, folder_key
from lessons.plain import without_hidden
from lessons.project_state import AgentInvocation, ContextTracking, RanCommand, seconds, time_of
from lessons.redact.texts import redacted_start
from lessons.shell.describe import hides_exit

# Limit for one read, because a compaction waits for it: about half a second.
MOST_BYTES = 32 * 1024 * 1024
IDLE_SECONDS = 30 * 60
_SHORTEST_TELLING = 24  # characters of a request that says what is wanted, unlike "continue" and "yes, 2"
_LONGEST_REQUEST = 500
_LONGEST_QUESTION = 300
_END_OF_MESSAGE = 2_000
_QUESTION_MARKS = ("?", "？", "؟")
_MOST_WORKED, _MOST_FAILED, _MOST_RUNNING = 10, 5, 5
_LONGEST_COMMAND, _LONGEST_ERROR, _LONGEST_ERROR_LINE = 1_000, 300, 200
_MOST_ERROR_LINES = 3
_MOST_EDITED, _MOST_READ = 30, 200
_LONGEST_PATH = 300
_LONGEST_PROMPT, _LONGEST_AGENT = 100, 60
_NEVER_RAN = ("refused", "cancelled")
_LONGEST_OPEN_SECONDS = 3600  # a call that started earlier and has no end was interrupted
_JUST_NOW_SECONDS = 10
# Sub-commands that may create a commit and move HEAD to it.
_COMMITS = re.compile(
    r"\bgit\b(?:\s{1,20}-\S{1,200}(?:\s{1,20}[^\s-]\S{0,200})?){0,6}\s{1,20}"
    r"(?:commit|commit-tree|cherry-pick|merge|revert|rebase|am|pull)\b"
)
_MOST_TASKS = 10
_LONGEST_TASK = 200
_OPEN_STATES = ("pending", "in_progress")
_LISTED = "todo "  # prefix of the entries of a list, which have no id
# Read past the limit, so that removed parts, such as a secret across the cut, do not shorten the stored text.
_BEYOND = 8_192
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\^_])")


def storable(text: str, limit: int) -> str:
    """Returns at most `limit` characters; a final ellipsis marks a cut."""
    piece = text[: limit + _BEYOND]
    if not piece.isascii() or not piece.isprintable():
        if "\x1b" in piece:
            piece = _ESCAPES.sub("", piece)
        piece = without_hidden(piece)
    piece = piece.strip()
    clean = redacted_start(piece, limit)
    return clean[: limit - 1] + "…" if len(clean) == limit < len(piece) else clean


def storable_line(text: str, limit: int) -> str:
    """Returns the same on one line."""
    return storable(" ".join(text[: 2 * limit + _BEYOND].split()), limit)


class _Call(NamedTuple):
    """A call without a result."""

    action: actions.Action
    began: float
    task_id: str = ""  # of one that continues in the background


class _Ran(NamedTuple):
    exit_code: int | None
    printed: str
    time: str


class Activity:
    """Collects what a session did, record by record. Texts become storable when they are asked for."""

    def __init__(self, root: str, now: datetime) -> None:
        self.first_time = self.last_time = ""
        self.partial = ""  # a sentence, if only a part was read
        self.unreadable = False
        self.invocations: list[AgentInvocation] = []
        self.last_request = self.earlier_request = ""
        self._root, self._now = root, time_of(now)
        self._tasks: dict[str, Task] = {}  # the open ones by their id, in the order in which they were made
        self._message = ""  # of the agent, if nothing came after it
        self._open: dict[str, _Call] = {}
        self._windows: Windows = []
        self._worked: dict[str, _Ran] = {}
        self._failed: dict[str, _Ran] = {}
        self._edited: dict[str, None] = {}
        self._read: dict[str, None] = {}
        self._resumed = ""  # when activity resumed after the last long pause

    def take(self, record: Record) -> None:
        # The clock of a transcript may be wrong.
        time = min(record.line.time, self._now)
        self.first_time = self.first_time or time
        if time > self.last_time:
            if self.last_time and seconds(time) - seconds(self.last_time) > IDLE_SECONDS:
                self._resumed = time
                self._read.clear()
            self.last_time = time
        for event in record.events:
            match event:
                case Called():
                    self._called(event, time)
                case Returned():
                    self._returned(event, time)
                case TaskEnded():
                    for name, call in [*self._open.items()]:
                        if call.task_id and (event.tool_use_id == name or event.task_id == call.task_id):
                            self._ended(name, event.verdict, event.text, time)
                case Wrote():
                    self._message = event.text
                case Prompted():
                    self._prompted(event.text)

    def _prompted(self, text: str) -> None:
        self._message = ""
        self._open = {name: call for name, call in self._open.items() if not isinstance(call.action, AskPerson)}
        request = storable(text, _LONGEST_REQUEST)
        if len(request) >= _SHORTEST_TELLING:
            self.earlier_request = ""
        elif request and len(self.last_request) >= _SHORTEST_TELLING:
            self.earlier_request = self.last_request
        self.last_request = request or self.last_request

    def _called(self, event: Called, time: str) -> None:
        self._message = ""
        action = actions.action_of(event)
        if isinstance(action, actions.ListTasks):
            others = {name: task for name, task in self._tasks.items() if not name.startswith(_LISTED)}
            listed = (task for task in action.tasks if task.text and task.status in _OPEN_STATES)
            self._tasks = others | {f"{_LISTED}{number}": task for number, task in enumerate(listed)}
        elif action is not None:
            self._open[event.tool_use_id] = _Call(action, seconds(time))
        if isinstance(action, StartAgent):
            self.invocations.append(
                AgentInvocation(
                    timestamp=time,
                    agent=storable_line(action.kind, _LONGEST_AGENT) or "general-purpose",
                    prompt=storable_line(action.prompt, _LONGEST_PROMPT + 1)[:_LONGEST_PROMPT],
                    tool_use_id=event.tool_use_id,
                )
            )

    def _returned(self, event: Returned, time: str) -> None:
        call, outcome = self._open.get(event.tool_use_id), event.verdict.outcome
        if call is None or (isinstance(call.action, AskPerson) and outcome != "ok"):
            return  # a rejected question waits until the user writes something
        if event.task_id and outcome == "unknown" and isinstance(call.action, RunCommand | StartAgent):
            self._open[event.tool_use_id] = call._replace(task_id=event.task_id)
        else:
            self._ended(event.tool_use_id, event.verdict, event.text, time)

    def _ended(self, name: str, verdict: actions.Verdict, printed: str, time: str) -> None:
        call = self._open.pop(name)
        if _may_commit(call.action) and verdict.outcome not in _NEVER_RAN and not verdict.by_hook:
            self._windows.append((call.began, seconds(time)))
        match call.action:
            case RunCommand(line):
                self._ran(line, verdict, printed, time)
            case _ if verdict.outcome != "ok":
                pass
            case actions.EditFile(path):
                self._edited.pop(path, None)
                self._edited[path] = None
            case actions.ReadFile(path):
                self._read.pop(path, None)
                self._read[path] = None
            case AskPerson():
                self._message = ""
            case actions.MakeTask(text) if text and (identifier := actions.made_task(printed)):
                self._tasks[identifier] = Task(text, "pending")
            case ChangeTask() as change:
                self._change_task(change)

    def _change_task(self, change: ChangeTask) -> None:
        name, known = change.identifier, self._tasks.get(change.identifier)
        status = change.status or (known.status if known else "pending")
        if status not in _OPEN_STATES:
            self._tasks.pop(name, None)
        elif known or (name and status == "in_progress"):  # an unknown one was made before the part that was read
            self._tasks[name] = Task(change.text or (known.text if known else f"Task #{name}"), status)

    def _ran(self, line: str, verdict: actions.Verdict, printed: str, time: str) -> None:
        """A repeated line is listed once, at its last run. One that hides its exit code failed if it printed errors."""
        if verdict.outcome not in ("ok", "failed") or verdict.by_hook:
            return
        self._worked.pop(line, None)
        self._failed.pop(line, None)
        if verdict.outcome == "failed" or (error_like(printed) and hides_exit(line)):
            self._failed[line] = _Ran(verdict.exit_code or None, printed, time)
        else:
            self._worked[line] = _Ran(verdict.exit_code, "", time)

    def commands(self) -> tuple[list[RanCommand], list[RanCommand]]:
        """Returns the last commands that worked and that failed; no exit code if it is that of another part alone."""
        worked = [
            RanCommand(command=command, exit_code=None if hides_exit(line) else ran.exit_code, time=ran.time)
            for line, ran in [*self._worked.items()][-_MOST_WORKED:]
            if (command := storable(line, _LONGEST_COMMAND))
        ]
        failed = [
            RanCommand(command=command, exit_code=ran.exit_code, error=error_lines(ran.printed), time=ran.time)
            for line, ran in [*self._failed.items()][-_MOST_FAILED:]
            if (command := storable(line, _LONGEST_COMMAND))
        ]
        return worked, failed

    def running(self) -> list[str]:
        """Returns the shell commands that still run in the background, latest last."""
        calls = [call for call in self._open.values() if call.task_id]
        lines = [call.action.line for call in calls if isinstance(call.action, RunCommand)]
        return [storable(line, _LONGEST_COMMAND) for line in lines[-_MOST_RUNNING:]]

    def tasks(self) -> list[str]:
        """Returns the open tasks, those in progress first."""
        tasks = sorted(self._tasks.values(), key=lambda task: task.status != "in_progress")[:_MOST_TASKS]
        return [
            storable_line(task.text, _LONGEST_TASK) + " (in progress)" * (task.status == "in_progress")
            for task in tasks
        ]

    def questions(self) -> list[str]:
        """Returns the questions to the user that wait for an answer."""
        waiting = [call.action.questions for call in self._open.values() if isinstance(call.action, AskPerson)]
        asked = [storable_line(" / ".join(questions), _LONGEST_QUESTION) for questions in waiting]
        found = [*asked, question_in(self._message)]
        return [question for question in found if question]

    def files_edited(self) -> list[str]:
        return self._paths(self._edited, _MOST_EDITED)

    def tracking(self, before: ContextTracking, started_at: str = "") -> ContextTracking:
        """Returns which files were read since activity resumed; a warning that was shown holds until the next time."""
        began = _milliseconds(self.first_time) or _milliseconds(started_at)
        reset = _milliseconds(self._resumed) or before.last_reset or began
        return ContextTracking(
            files_read=self._paths(self._read, _MOST_READ),
            last_reset=reset,
            warning_shown=before.warning_shown and reset == before.last_reset,
            last_activity=max(before.last_activity, _milliseconds(self.last_time)),
            first_activity=_milliseconds(self.first_time) or before.first_activity,
        )

    def _paths(self, paths: Iterable[str], most: int) -> list[str]:
        """Returns the last paths, relative to the project if inside it."""
        inside = folder_key(self._root) if self._root else ""
        found = []
        for path in [*paths][-most:]:
            relative = path[len(inside) :] if inside and comparable(path).startswith(inside) else path
            found.append(storable_line(relative, _LONGEST_PATH))
        return [path for path in found if path]

    def commit_windows(self, after_commit: bool, now: float) -> Windows:
        """Returns when the session may have committed: while calls that may commit ran.

        `after_commit`: a call has just committed; if the transcript does not show it yet, the last seconds count.
        """
        began = [call.began for call in self._open.values() if _may_commit(call.action)]
        found = [*self._windows, *((time, now) for time in began if time > now - _LONGEST_OPEN_SECONDS)]
        is_covered = any(end > now - _JUST_NOW_SECONDS for _, end in found)
        return [*found, (now - _JUST_NOW_SECONDS, now)] if after_commit and not is_covered else found


def read_activity(
    agent: str, transcript: str, root: str, now: datetime, refuses: Callable[[Line], bool] | None = None
) -> Activity:
    """Reads the last MOST_BYTES of a transcript, without what its subagents did and what `refuses` rejects."""
    activity = Activity(root, now)

    def take(records: Iterable[Record | Damaged]) -> None:
        for record in records:
            if isinstance(record, Damaged) or record.line.sidechain or not record.events:
                continue
            if not (refuses and refuses(record.line)):
                activity.take(record)

    store = store_of(agent, all_texts=True)
    try:
        if store and store.store_of(transcript):
            with store.snapshot(transcript) as found:
                for piece in found.pieces:
                    take(piece.records)
            return activity
        with OpenTranscript(reader_of(agent, all_texts=True), transcript) as file:
            start = file.line_after(file.size - MOST_BYTES) if file.size > MOST_BYTES else 0
            if start:
                read, whole = (f"{size / 1e6:,.0f} MB" for size in (file.size - start, file.size))
                part = f"Only {read} of the {whole} of the transcript were read, the latest part"
                activity.partial = f"{part}: earlier records are missing here."
            for stretch in file.stretches(start):
                take(stretch.records())
            return activity
    except NotOurs:
        reason = "is not a session of this agent"
    except OSError as fault:
        reason = f"cannot be read ({fault.strerror})"
    activity.unreadable = True
    activity.partial = f"The transcript {reason}: nothing is known of what the session did."
    return activity


def question_in(message: str) -> str:
    """Returns the question at the end of a message; empty if there is none."""
    lines = message[-_END_OF_MESSAGE:].rstrip(" \t\n*_`\"')").splitlines()
    last = lines[-1].strip(" \t*_`\"'(#>-") if lines else ""
    return storable_line(last, _LONGEST_QUESTION) if last.endswith(_QUESTION_MARKS) else ""


def error_lines(printed: str) -> str:
    """Returns the lines of a failed command's output that look like an error, else the first and the last ones."""
    lines = [line.strip() for line in unframed(printed).splitlines()]
    lines = list(dict.fromkeys(line for line in lines if line))
    telling = [line for line in lines if is_telling(line[:_LONGEST_ERROR_LINE])][:_MOST_ERROR_LINES]
    chosen = telling or [*lines[:1], *lines[1:][1 - _MOST_ERROR_LINES :]]
    return storable("\n".join(storable_line(line, _LONGEST_ERROR_LINE) for line in chosen), _LONGEST_ERROR)


def _may_commit(action: actions.Action) -> bool:
    """Whether a call may create a commit; a subagent's commits are not in its session's transcript."""
    if isinstance(action, RunCommand):
        return "git" in action.line and _COMMITS.search(action.line) is not None
    return isinstance(action, StartAgent)


def _milliseconds(time: str) -> int:
    return int(1000 * seconds(time)) if time else 0
