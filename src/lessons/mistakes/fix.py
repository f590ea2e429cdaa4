"""Which later call shows how a failed one should have been made."""

from collections.abc import Sequence
from itertools import islice

from lessons.episode import Step
from lessons.mistakes.steps import is_same, overlap, programs, words, worked
from lessons.shell.bypass import is_unsafe_line
from lessons.shell.looks import only_looks

_ENOUGH_WORDS = 0.3  # of the smaller call, with a program or tool in common
_MOST_WORDS = 0.5  # whatever the program


def fix_of(thread: Sequence[Step], place: int, window: int) -> int | None:
    """Returns the place of the first similar call that worked, among the next `window` calls of the thread.

    None if that call skips a check, forces or deletes: that it worked does not make it a remedy.
    """
    failure = thread[place]
    for number, step in enumerate(islice(thread, place + 1, place + 1 + window), start=place + 1):
        if worked(step) and not "" < step.time < failure.ended and _is_similar(failure, step):
            return None if step.command and is_unsafe_line(step.command) else number
    return None


def _is_similar(failure: Step, step: Step) -> bool:
    if is_same(failure, step):
        return False
    shared = overlap(words(failure), words(step))
    if shared < _MOST_WORDS and not (shared >= _ENOUGH_WORDS and _same_kind(failure, step)):
        return False
    # What only looks, such as `--help`, does not do what the failed call was to do.
    return not (failure.command and step.command and only_looks(step.command) and not only_looks(failure.command))


def _same_kind(failure: Step, step: Step) -> bool:
    if not failure.command or not step.command:
        return failure.tool == step.tool
    return bool(set(programs(failure)) & set(programs(step)))
