"""Stores the mistakes and corrections of changed sessions; of a long session only the part that may differ."""

from collections import deque
from collections.abc import Iterator, Mapping

from lessons.capture.thread_mining import MinedThread, MineThreads, ThreadTask, in_turn
from lessons.mistakes.group import Touched
from lessons.store.fault_boundary import record
from lessons.store.history.episodes import EpisodeRow
from lessons.store.history.history import History
from lessons.store.history.sessions_to_mine import VERSION
from lessons.store.history.threads import Thread


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
        about_changed = any(row.tool_use_id in changed or row.fix_tool_use_id in changed for row in rows)
        if about_changed or before.get(name) != after.get(name):
            for row in rows:
                looked.touched.add({name: row.program})
