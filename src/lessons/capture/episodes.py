"""The calls of a thread in, its mistakes out: each failed call with the call that resolved it."""

from collections.abc import Iterator, Sequence

from lessons.capture.family import blamed, family
from lessons.capture.shapes.judgement import Judgement, judge
from lessons.capture.signals import (
    arguments,
    chain,
    directory,
    flag,
    preparation,
    prerequisite,
    program,
    quoting,
    tool,
    wrapper,
)
from lessons.capture.signals.pair import Pair, stood
from lessons.episode import Change, Episode, Step

_EDITORS = frozenset(("Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch", "Update"))
# The surest first: what they find says more than the words that changed.
_SAME_COMMAND = (directory.change, wrapper.change, preparation.change, quoting.change)
_SAME_FAMILY = (*_SAME_COMMAND, prerequisite.change, chain.change, flag.change, arguments.change)
_OTHER = (*_SAME_COMMAND, chain.change, program.change, tool.change)
_BEGINNING = 400
_SHORT = 3
_REUSED = frozenset(("wrong-flag", "wrong-command"))


def episodes(thread: Sequence[Step], window: int) -> Iterator[Episode]:
    for place, step in enumerate(thread):
        if step.outcome == "failed":
            found = _episode(thread, place, window)
            if found:
                yield found


def _episode(thread: Sequence[Step], place: int, window: int) -> Episode | None:
    failure = thread[place]
    judgement = judge(failure)
    if judgement.shape == "protocol":
        return Episode(failure, None, Change("protocol"), 1)
    told = judgement.kind is not None
    resolved = _resolved(thread, place, window, judgement)
    if resolved:
        fix, change, lost = resolved
        return Episode(failure, fix, change, lost, told, *_later(thread[place + lost + 1 :], fix, change))
    return Episode(failure, None, Change("telling-error"), 1, told) if told else None


def _later(rest: Sequence[Step], fix: Step, change: Change) -> tuple[int, int]:
    """How often what the fix brought was used again in this thread: worked, tried."""
    if change.kind not in _REUSED or not change.after or not fix.command:
        return 0, 0
    outcomes = [
        step.outcome
        for step in rest
        if step.program == fix.program and step.subcommand == fix.subcommand and change.after in step.command
    ]
    return outcomes.count("ok"), outcomes.count("ok") + outcomes.count("failed")


def _resolved(thread: Sequence[Step], place: int, window: int, judgement: Judgement) -> tuple[Step, Change, int] | None:
    failure = thread[place]
    blame, folder = blamed(failure), stood(thread, place)
    names = {family(failure), blame}
    words = _telling_words(failure)
    edited = False
    for offset, step in enumerate(thread[place + 1 : place + 1 + window], start=1):
        edited = edited or step.tool in _EDITORS
        # Of several attempts in one line (`a || b`) nobody knows which one went well.
        if step.outcome != "ok" or step.suspicious or "||" in step.command:
            continue
        if not _may_resolve(failure, step, offset, words):
            continue
        between = tuple(thread[place + 1 : place + offset])
        if _is_retry(failure, step) and not any(other.outcome == "ok" for other in between):
            return None  # it passed by itself
        pair = Pair(failure, step, between, blame.partition(" ")[0], folder, stood(thread, place + offset))
        change = _change(pair, names, judgement)
        if change and _counts(change, judgement, edited, pair):
            return step, change, offset
    return None


def _telling_words(failure: Step) -> list[str]:
    """A call that has none of these is about something else."""
    return [failure.program, *(word for word in failure.command[:_BEGINNING].split() if len(word) > _SHORT)]


def _may_resolve(failure: Step, step: Step, offset: int, words: list[str]) -> bool:
    """Cheap, for most calls behind a failure have nothing to do with it."""
    if failure.command and step.command:
        return any(word in step.command for word in words)
    return failure.tool == step.tool or offset == 1


def _is_retry(failure: Step, step: Step) -> bool:
    return bool(failure.command) and failure.command.split() == step.command.split()


def _change(pair: Pair, names: set[str], judgement: Judgement) -> Change | None:
    if judgement.shape == "finding":
        # The call is to blame only if the very same command worked without a change to the code.
        signals = _SAME_COMMAND
    else:
        signals = _SAME_FAMILY if family(pair.fix) in names else _OTHER
    return next(filter(None, (signal(pair) for signal in signals)), None)


def _counts(change: Change, judgement: Judgement, edited: bool, pair: Pair) -> bool:
    if judgement.shape == "misuse":
        return True
    if edited or (pair.fix.hides_exit and not pair.failure.hides_exit):
        return False  # the code was changed, or nobody knows whether it worked
    if judgement.shape == "unclear":
        return change.kind != "other-tool"
    is_shell = judgement.shape == "finding" and pair.failure.command != ""
    return is_shell and not any(prerequisite.does(step) for step in pair.between)
