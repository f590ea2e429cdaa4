"""Finds the mistakes and corrections in the calls of one thread; pure, so that other processes can do it."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

import msgspec

from lessons.capture.corrections.find import correction
from lessons.capture.episode_row import row_of
from lessons.capture.episodes import episodes
from lessons.episode import Step
from lessons.store.fault_boundary import without_fault
from lessons.store.history.episodes import CorrectionRow, EpisodeRow
from lessons.store.history.threads import PromptRow

_Found = TypeVar("_Found")


class ThreadTask(msgspec.Struct, array_like=True, gc=False):
    """The calls of a thread, and the places of those whose mistakes are wanted."""

    session_id: str
    steps: list[Step]
    prompts: list[PromptRow]
    places: list[int]
    window: int  # calls after a failure in which its fix is searched

    @property
    def is_quiet(self) -> bool:
        """Whether there is nothing to find."""
        return not self.prompts and all(self.steps[place].outcome != "failed" for place in self.places)


class MinedThread(msgspec.Struct, array_like=True, gc=False):
    """What was found in a thread, and the calls that could not be analysed, each with the fault."""

    episodes: list[EpisodeRow] = []
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

    for found in episodes(task.steps, task.window, task.places, guard):
        if row := guard(found.failure, partial(row_of, task.session_id, found)):
            mined.episodes.append(row)
    for action, prompt in _answered(task):
        stopped = action.outcome in ("refused", "interrupted")
        if rule := guard(action, partial(correction, prompt.text, prompt.sureness, action, stopped)):
            row_values = (prompt.key, task.session_id, rule.rule, rule.sureness, action.tool_use_id)
            mined.corrections.append(CorrectionRow(*row_values))
    return mined


def _answered(task: ThreadTask) -> Iterator[tuple[Step, PromptRow]]:
    """Yields each prompt with the last call before it, which it answers."""
    times = [step.time for step in task.steps]
    for prompt in task.prompts:
        place = bisect_right(times, prompt.time)
        if place and prompt.time:
            yield task.steps[place - 1], prompt
