"""Finds the mistakes and corrections in the calls of one thread; pure, so that other processes can do it."""

import time
from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import TypeVar

import msgspec

from lessons.episode import Step
from lessons.failure.error_text import fingerprint
from lessons.mistakes import corrections, group
from lessons.mistakes.corrections import correction
from lessons.mistakes.episodes import episode_at, failures, features, is_counted, weights
from lessons.mistakes.features import keys_of
from lessons.mistakes.group import Touched
from lessons.store.fault_boundary import record, without_fault
from lessons.store.history.episodes import CorrectionRow, EpisodeRow
from lessons.store.history.history import History
from lessons.store.history.sessions import VERSION, PromptRow, Thread

_Found = TypeVar("_Found")
_FEW_CALLS = 30


class ThreadTask(msgspec.Struct, array_like=True, gc=False):
    """The calls of a thread, and the places of those whose mistakes are wanted."""

    session_id: str
    steps: list[Step]
    prompts: list[PromptRow]
    own: tuple[int, int]  # the first of these places, and the one after the last
    changed: int  # the first of them whose call itself may be different
    window: int  # calls after a failure in which its fix is searched

    @property
    def is_small(self) -> bool:
        """Whether it takes longer to hand it to another process than to do it here."""
        return self.own[1] - self.own[0] < _FEW_CALLS


class MinedThread(msgspec.Struct, array_like=True, gc=False):
    """What was found in a thread, and the calls that could not be analysed, each with the fault."""

    episodes: list[EpisodeRow] = []
    features: dict[str, bytes | None] = {}  # by call: its keys, None for one whose end is unknown
    corrections: list[CorrectionRow] = []
    faults: list[tuple[str, str]] = []


# The results in the order of the tasks, which may be taken ahead of them.
MineThreads = Callable[[Iterable[ThreadTask]], Iterator[MinedThread]]


def in_turn(tasks: Iterable[ThreadTask]) -> Iterator[MinedThread]:
    return map(mine_thread, tasks)


def mine_thread(task: ThreadTask) -> MinedThread:
    mined = MinedThread()

    def guard(step: Step, work: Callable[[], _Found | None]) -> _Found | None:
        """Skips a call that cannot be analysed."""
        return without_fault(work, lambda fault: mined.faults.append((step.tool_use_id, fault)))

    steps = task.steps
    for place in failures(steps, range(*task.own)):
        if row := guard(steps[place], partial(episode_at, task.session_id, steps, place, task.window)):
            mined.episodes.append(row)
    for step in steps[task.changed : task.own[1]]:
        mined.features[step.tool_use_id] = guard(step, partial(_keys, step)) if is_counted(step) else None
    for action, prompt in _answered(task):
        stopped = action.outcome in ("refused", "interrupted")
        if rule := guard(action, partial(correction, prompt.text, prompt.sureness, action, stopped)):
            row_values = (prompt.key, task.session_id, rule.rule, rule.sureness, action.tool_use_id)
            mined.corrections.append(CorrectionRow(*row_values))
    return mined


def _keys(step: Step) -> bytes:
    return array("I", keys_of(features(step))).tobytes()


def _answered(task: ThreadTask) -> Iterator[tuple[Step, PromptRow]]:
    """Yields each prompt with the last call before it, which it answers."""
    times = [step.time for step in task.steps]
    for prompt in task.prompts:
        place = bisect_right(times, prompt.time)
        if place and prompt.time:
            yield task.steps[place - 1], prompt


class Looked:
    """What has changed."""

    def __init__(self) -> None:
        self.touched = Touched()
        self.corrected_calls: set[str] = set()

    @property
    def corrections_changed(self) -> bool:
        return bool(self.corrected_calls)


def look_through(
    history: History, sessions: Mapping[str, str], window: int, now: float, mine_threads: MineThreads = in_turn
) -> Looked:
    """Mines each session from its first change on; the result equals that of mining the whole session."""
    looked = Looked()
    whole = [name for name, since in sessions.items() if not since]
    looked.touched.add(history.episodes.of_sessions(whole))
    looked.corrected_calls |= history.episodes.clear_corrections(whole)
    looked.corrected_calls |= history.episodes.clear_unsaid(sessions)
    history.episodes.clear(whole)
    for name, since in sessions.items():
        history.progress.mining_succeeded(name, since)
    _look_at(history, history.changed_threads(sessions), window, now, looked, mine_threads)
    history.progress.forget_mining()
    if looked.corrected_calls:
        looked.touched.add(history.episodes.about_calls(looked.corrected_calls))
    return looked


def _look_at(
    history: History, threads: Iterator[Thread], window: int, now: float, looked: Looked, mine_threads: MineThreads
) -> None:
    waiting: deque[Thread] = deque()

    def tasks() -> Iterator[ThreadTask]:
        for thread in threads:
            waiting.append(thread)
            own = (thread.own.start, thread.own.stop)
            yield ThreadTask(thread.session_id, thread.steps, thread.prompts, own, thread.changed, window)

    for mined in mine_threads(tasks()):
        thread = waiting.popleft()
        for name, fault in mined.faults:
            record(history.home, f"session {thread.session_id}", fault)
            history.progress.mining_failed(name, thread.session_id, VERSION, fault, now)
        _store(history, thread, mined, looked)


def _store(history: History, thread: Thread, mined: MinedThread, looked: Looked) -> None:
    """Stores what was found about the own calls of the thread."""
    names = [thread.steps[place].tool_use_id for place in thread.own]
    before = history.episodes.of_calls(names)
    history.episodes.replace(names, mined.episodes)
    changed = thread.steps[thread.changed :]
    _note(looked, before, {row.tool_use_id: row for row in mined.episodes}, {step.tool_use_id for step in changed})
    history.episodes.put_features(mined.features)
    gone = history.episodes.replace_corrections([prompt.key for prompt in thread.prompts], mined.corrections)
    looked.corrected_calls |= gone | {row.tool_use_id for row in mined.corrections}


def _note(looked: Looked, before: dict[str, EpisodeRow], after: dict[str, EpisodeRow], changed: set[str]) -> None:
    """Records what differs, and what is about a call whose text may differ."""
    for name in before.keys() | after.keys():
        rows = [row for row in (before.get(name), after.get(name)) if row]
        about_changed = any(row.tool_use_id in changed or row.worked_tool_use_id in changed for row in rows)
        if about_changed or before.get(name) != after.get(name):
            for row in rows:
                looked.touched.add({name: row.program})


class Changed(msgspec.Struct):
    """Which candidates are new, and which have more evidence than before."""

    new: set[str]
    updated: set[str]
    recurring: set[str]  # now seen in several sessions, but not before
    sessions: int = 0  # that were mined


def mine(
    history: History,
    window: int,
    only: Collection[str] | None = None,
    now: float | None = None,
    mine_threads: MineThreads = in_turn,
) -> Changed:
    """Mines the changed sessions, or only some of these; all of them after a version change of lessons.

    A session with a segment that is neither read nor given up waits for that. Everything is one transaction: a session
    counts as mined only once its candidates are written. A failed segment waits for its retry from `now` on.
    """
    changed = Changed(set(), set(), set())
    weights()  # an unusable file is reported before anything is changed
    with history.transaction():
        if history.sessions_to_mine.were_of_another_version():
            history.put_fingerprints(fingerprint)
        sessions = history.sessions_to_mine.since(window)
        if not history.sessions_to_mine.is_current(window):
            only = None
        elif unread := history.progress.unread_sessions():
            only = (sessions.keys() if only is None else set(only)) - unread
        if only is not None:
            sessions = {name: since for name, since in sessions.items() if name in only}
        looked = look_through(history, sessions, window, time.time() if now is None else now, mine_threads)
        mistakes = group.candidates(history, looked.touched)
        said = corrections.candidates(history, looked.corrections_changed)
        names = {row.fingerprint for made in (mistakes, said) for row in made.written}
        before = history.candidates.recurring(names)
        _store_candidates(history, mistakes, changed)
        _store_candidates(history, said, changed)
        changed.recurring = history.candidates.recurring(names) - before
        changed.sessions = len(sessions)
        history.sessions_to_mine.done(None if only is None else sessions, window)
        if sessions:
            history.memory.made("")
    return changed


def _store_candidates(history: History, made: group.Made, changed: Changed) -> None:
    history.candidates.replace(made.written)
    history.candidates.remove(made.known.keys() - made.standing)
    after = history.candidates.occurrences(row.fingerprint for row in made.written)
    for row in made.written:
        before = len(made.known.get(row.fingerprint, ()))
        if not before:
            changed.new.add(row.fingerprint)
        elif after[row.fingerprint] > before:
            changed.updated.add(row.fingerprint)
