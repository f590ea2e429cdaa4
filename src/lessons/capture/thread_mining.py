"""Finds the mistakes and corrections in the calls of one thread; pure, so that other processes can do it."""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

import msgspec

from lessons.episode import Step
from lessons.mistakes.corrections import correction
from lessons.mistakes.episodes import episode_at, failures
from lessons.mistakes.features import keys_of
from lessons.mistakes.steps import features, is_counted
from lessons.store.fault_boundary import without_fault
from lessons.store.history.episodes import CorrectionRow, EpisodeRow
from lessons.store.history.threads import PromptRow

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
