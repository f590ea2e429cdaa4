"""Stores the mistakes and corrections of changed sessions; of a long session only the part that may differ."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TypeVar

from lessons.capture.corrections.find import correction
from lessons.capture.episode_row import row_of
from lessons.capture.episodes import REUSED, episodes
from lessons.capture.mistake_candidates import COMPARED_WITH_SUCCESSES, Touched
from lessons.episode import Step
from lessons.store.fault_boundary import analysed
from lessons.store.history.episodes import CorrectionRow, EpisodeRow
from lessons.store.history.history import History
from lessons.store.history.sessions_to_mine import VERSION
from lessons.store.history.threads import CALLS_AROUND, CALLS_LATER, Thread

_Found = TypeVar("_Found")


class Looked:
    """What has changed."""

    def __init__(self) -> None:
        self.touched = Touched()
        self.corrected_calls: set[str] = set()
        self.families: set[tuple[str, str]] = set()  # programs with sub-command of the changed calls

    @property
    def corrections_changed(self) -> bool:
        return bool(self.corrected_calls)


def look_through(history: History, sessions: Mapping[str, str], window: int, now: float) -> Looked:
    """Mines each session from its first change on; the result equals that of mining the whole session."""
    looked = Looked()
    whole = [name for name, since in sessions.items() if not since]
    looked.touched.add(history.episodes.of_sessions(whole))
    looked.corrected_calls |= history.episodes.clear_corrections(whole)
    looked.corrected_calls |= history.episodes.clear_unsaid(sessions)
    history.episodes.clear(whole)
    for name, since in sessions.items():
        history.progress.mining_succeeded(name, since)
    for thread in history.changed_threads(sessions):
        _look_at(history, thread, window, now, looked)
    history.progress.forget_mining()
    looked.touched.add(history.episodes.comparable(COMPARED_WITH_SUCCESSES, looked.families))
    if looked.corrected_calls:
        looked.touched.add(history.episodes.about_calls(looked.corrected_calls))
    return looked


def _look_at(history: History, thread: Thread, window: int, now: float, looked: Looked) -> None:
    steps = thread.steps
    places = [*_counted_again(history, thread), *thread.own]
    names = [steps[place].tool_use_id for place in places]
    guard = _Guard(history, thread.session_id, now)
    found = episodes(steps, window, places, guard)
    rows = [row for each in found if (row := guard(each.failure, partial(row_of, thread.session_id, each)))]
    before = history.episodes.of_calls(names)
    history.episodes.replace(names, rows)
    _note(
        looked, before, {row.tool_use_id: row for row in rows}, {step.tool_use_id for step in steps[thread.changed :]}
    )
    looked.families |= {(step.program, step.subcommand) for step in steps[thread.changed :] if step.program}
    corrections = list(_corrections(thread, guard))
    gone = history.episodes.replace_corrections([prompt.key for prompt in thread.prompts], corrections)
    looked.corrected_calls |= gone | {row.tool_use_id for row in corrections}


def _counted_again(history: History, thread: Thread) -> list[int]:
    """Returns earlier mistakes whose fix may have been used again in one of the changed calls."""
    first = CALLS_AROUND if thread.changed >= 2 * CALLS_AROUND + CALLS_LATER else 0
    if thread.own.start <= first:
        return []
    steps = thread.steps
    families = {(step.program, step.subcommand) for step in steps[thread.changed :] if step.program}
    place_of = {steps[place].tool_use_id: place for place in range(first, thread.own.start)}
    fixes = {step.tool_use_id: (step.program, step.subcommand) for step in steps[first:]}
    failed = [name for name, place in place_of.items() if steps[place].outcome == "failed"]
    rows = history.episodes.of_calls(failed).values() if families else ()
    return sorted(
        place_of[row.tool_use_id]
        for row in rows
        if row.kind in REUSED and fixes.get(row.fix_tool_use_id, ("", "")) in families
    )


class _Guard:
    """Skips a call that cannot be analysed, and has its segment mined again later."""

    def __init__(self, history: History, session_id: str, now: float) -> None:
        self.history = history
        self.session_id = session_id
        self.now = now

    def __call__(self, step: Step, work: Callable[[], _Found | None]) -> _Found | None:
        return analysed(self.history.home, f"session {self.session_id}", work, partial(self._note, step))

    def _note(self, step: Step, fault: str) -> None:
        self.history.progress.mining_failed(step.tool_use_id, self.session_id, VERSION, fault, self.now)


def _note(looked: Looked, before: dict[str, EpisodeRow], after: dict[str, EpisodeRow], changed: set[str]) -> None:
    """Records what differs, and what is about a call whose text may differ."""
    for name in before.keys() | after.keys():
        rows = [row for row in (before.get(name), after.get(name)) if row]
        about_changed = any(row.tool_use_id in changed or row.fix_tool_use_id in changed for row in rows)
        if about_changed or before.get(name) != after.get(name):
            for row in rows:
                looked.touched.add({name: row.program})


def _corrections(thread: Thread, guard: _Guard) -> Iterator[CorrectionRow]:
    """Yields corrections; each prompt answers the last call before it."""
    times = [step.time for step in thread.steps]
    for prompt in thread.prompts:
        place = bisect_right(times, prompt.time)
        action = thread.steps[place - 1] if place and prompt.time else None
        if action is None:
            continue
        stopped = action.outcome in ("refused", "interrupted")
        rule = guard(action, partial(correction, prompt.text, prompt.sureness, action, stopped))
        if rule:
            yield CorrectionRow(prompt.key, thread.session_id, rule.rule, rule.sureness, action.tool_use_id)
