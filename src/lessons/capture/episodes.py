"""Finds the mistakes in the calls of a thread: each failed call with the call that resolved it."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from lessons.capture.family import blamed, family, surely_blamed
from lessons.capture.shapes.judgement import Judgement, judge
from lessons.capture.signals import (
    advised,
    arguments,
    chain,
    directory,
    flag,
    guard,
    moved,
    preparation,
    prerequisite,
    probe,
    program,
    quoting,
    regrouped,
    subcommand,
    tool,
    tool_arguments,
    wrapper,
)
from lessons.capture.signals.pair import Pair, pair_of, same_task, stood
from lessons.capture.signals.purpose import is_another_purpose
from lessons.capture.signals.under_test import is_under_test
from lessons.episode import Change, Episode, Kind, Step
from lessons.shell.line import parts
from lessons.store.history.threads import CALLS_LATER

_EDITORS = frozenset(("Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch", "Update"))
# The same with shell commands.
_EDITS = re.compile(
    r"\b(?:sed|perl)\b(?: -\w+)*? -\w*i|\b(?:apply_patch|git apply|patch -p)\b|\b(?:cat|tee)\b[^|\n]*<<"
)
Signal = Callable[[Pair], Change | None]
# Most reliable first: these find more than which words changed.
_SAME_CODE: tuple[Signal, ...] = (wrapper.change, preparation.change, quoting.change)  # also in the same folder
_SAME_COMMAND: tuple[Signal, ...] = (directory.change, *_SAME_CODE)
_SAME_FAMILY: tuple[Signal, ...] = (
    *_SAME_COMMAND,
    prerequisite.change,
    chain.change,
    moved.change,
    flag.change,
    arguments.change,
    tool_arguments.change,
)
_OTHER: tuple[Signal, ...] = (
    *_SAME_COMMAND,
    chain.change,
    moved.change,
    subcommand.change,
    regrouped.change,
    advised.change,
    program.change,
    tool.change,
)
_MAY_BE_A_MISTAKE = frozenset(("misuse", "unclear", "finding"))
_HELP = re.compile(r"(?<!\S)--help(?!\S)")
_BEGINNING = 400
_SHORT = 3
_STEM = re.compile(r"[A-Za-z]{3,}")  # `docker` of `docker-compose`
_AT_ONCE = 2  # calls after a misuse that are probably about it, whatever their words
# Kinds of replacement that may be found although the call was not wrong.
_EXCHANGED = frozenset(("wrong-flag", "wrong-arguments", "wrong-command"))
_MADE_BETWEEN = frozenset(("order-of-steps", "missing-tool"))  # resolved by something done in between
REUSED = frozenset(("wrong-flag", "wrong-command", "missing-tool"))  # kinds whose later uses are counted
_MOST_LATER = 100  # calls of the family that are checked for whether the fix worked again


Guard = Callable[[Step, Callable[[], Episode | None]], Episode | None]


class _Later:
    """Where the thread calls each program, so that the calls after a fix are not searched for each failure."""

    def __init__(self, thread: Sequence[Step]) -> None:
        self.thread = thread
        self.places: dict[tuple[str, str], list[int]] = {}

    def worked(self, place: int, fix: Step, change: Change) -> tuple[int, int]:
        """Counts later uses of the fix after `place`: worked, tried."""
        if change.kind not in REUSED or not change.after or not fix.command:
            return 0, 0
        if not self.places:
            for number, step in enumerate(self.thread):
                self.places.setdefault((step.program, step.subcommand), []).append(number)
        places = self.places.get((fix.program, fix.subcommand), [])
        start, end = bisect_right(places, place), bisect_right(places, place + CALLS_LATER)
        later = (self.thread[number] for number in places[start : min(end, start + _MOST_LATER)])
        outcomes = [step.outcome for step in later if change.after in step.command]
        return outcomes.count("ok"), outcomes.count("ok") + outcomes.count("failed")


class _Resolved(NamedTuple):
    fix: Step
    change: Change
    lost: int


def episodes(
    thread: Sequence[Step], window: int, own: Iterable[int] | None = None, guard: Guard = lambda step, work: work()
) -> Iterator[Episode]:
    """Yields the episodes of the calls at the places `own`, or of all; `guard` wraps each failed one."""
    later = _Later(thread)
    for place in range(len(thread)) if own is None else own:
        if thread[place].outcome == "failed":
            found = guard(thread[place], partial(_episode, thread, place, window, later))
            if found:
                yield found


def _episode(thread: Sequence[Step], place: int, window: int, later: _Later) -> Episode | None:
    failure = thread[place]
    judgement = judge(failure)
    if judgement.shape == "protocol":
        return Episode(failure, None, Change("protocol"), 1)
    if is_under_test(thread, place):
        return None
    is_asking = failure.command and judgement.shape in ("misuse", "unclear")
    asked = probe.probe_of(failure, blamed(failure).partition(" ")[0]) if is_asking else ""
    told = judgement.kind is not None and not probe.is_answered(asked, judgement.kind)
    if judgement.shape in _MAY_BE_A_MISTAKE:
        resolved = _resolved(thread, place, window, judgement, asked)
        if resolved:
            fix, change, lost = resolved
            return Episode(failure, fix, change, lost, told, *later.worked(place + lost, fix, change))
    if not told or (judgement.kind not in _MADE_BETWEEN and _is_work(thread, place, window)):
        return None
    return Episode(failure, None, Change("telling-error"), 1, told)


def _is_work(thread: Sequence[Step], place: int, window: int) -> bool:
    """Whether the identical line works after an edit: then the code was wrong."""
    edited = False
    for step in islice(thread, place + 1, place + 1 + window):
        if edited and step.outcome == "ok" and step.command != "" and prerequisite.is_same(thread[place], step):
            return True
        edited = edited or _edits(step)
    return False


def _resolved(
    thread: Sequence[Step], place: int, window: int, judgement: Judgement, asked: probe.Probe
) -> _Resolved | None:
    failure, misuse = thread[place], judgement.shape == "misuse"
    words = _telling_words(failure)
    edited = False
    for offset, step in enumerate(islice(thread, place + 1, place + 1 + window), start=1):
        close = misuse and offset <= _AT_ONCE
        if _worked(failure, step, misuse) and (close or _may_resolve(failure, step, offset, words)):
            pair = _pair(thread, place, offset, judgement.kind)
            change = None if is_another_purpose(pair) else _change(pair, judgement)
            if change and guard.is_bypass(change, pair):
                return None  # what would have helped is unknown
            counts = change and _counts(change, judgement, pair, edited) and probe.may_change(asked, change, misuse)
            if change and counts and not _only_made_possible(change, thread, place, offset, window):
                return _Resolved(step, change, offset)
            if prerequisite.is_same(failure, step):
                return None  # it passed by itself: later calls answer something else
        edited = edited or _edits(step)
        if edited and not misuse:
            return None  # whatever works now, works on other code
    return None


def _only_made_possible(change: Change, thread: Sequence[Step], place: int, offset: int, window: int) -> bool:
    """Whether the failed call itself works later: then the call that worked before it is not a replacement."""
    later = islice(thread, place + offset + 1, place + 1 + window) if change.kind in _EXCHANGED else ()
    return any(
        step.outcome == "ok" and not step.suspicious and prerequisite.is_same(thread[place], step) for step in later
    )


def _pair(thread: Sequence[Step], place: int, offset: int, kind: Kind | None) -> Pair:
    failure, fix = thread[place], thread[place + offset]
    folders = (stood(thread, place), stood(thread, place + offset))
    return pair_of(failure, fix, thread[place + 1 : place + offset], surely_blamed(failure), kind, folders)


def _worked(failure: Step, step: Step, misuse: bool) -> bool:
    """Whether it is known to have worked, and was made after the failure was known."""
    if step.outcome != "ok" or step.suspicious or "" < step.time < failure.ended:
        return False
    if _HELP.search(step.command) and not _HELP.search(failure.command):
        return False  # it reads how to make the call
    if step.hides_exit and not failure.hides_exit and not misuse:
        return False
    # Of several attempts in one line (`a || b`) it is unknown which one worked.
    return "||" not in step.command or all(part.operator != "||" for part in parts(step.command))


def _edits(step: Step) -> bool:
    return step.tool in _EDITORS or (step.command != "" and _EDITS.search(step.command) is not None)


def _telling_words(failure: Step) -> list[str]:
    """Returns words of the failure; a call without any of them is about something else."""
    stem = _STEM.match(failure.program)
    name = stem[0] if stem else failure.program
    return [name, *(word for word in failure.command[:_BEGINNING].split() if len(word) > _SHORT)]


def _may_resolve(failure: Step, step: Step, offset: int, words: list[str]) -> bool:
    """A cheap check, because most calls after a failure are unrelated to it."""
    if failure.command and step.command:
        return any(word in step.command for word in words)
    return failure.tool == step.tool or offset == 1


def _change(pair: Pair, judgement: Judgement) -> Change | None:
    return next(filter(None, (signal(pair) for signal in _signals(pair, judgement))), None)


def _signals(pair: Pair, judgement: Judgement) -> tuple[Signal, ...]:
    if judgement.shape == "finding":
        return _SAME_CODE  # the call is to blame only if the identical command worked on the same code
    return _SAME_FAMILY if _is_family(pair) else _OTHER


def _is_family(pair: Pair) -> bool:
    name = family(pair.fix)
    if name in (family(pair.failure), blamed(pair.failure)):
        return True
    return bool(pair.before.words) and same_task(pair.before, pair.after)


def _counts(change: Change, judgement: Judgement, pair: Pair, edited: bool) -> bool:
    if judgement.shape == "misuse":
        return not edited or change.kind != "order-of-steps" or judgement.kind in _MADE_BETWEEN
    if judgement.shape == "unclear":
        return change.kind != "other-tool"
    is_shell = judgement.shape == "finding" and pair.failure.command != ""
    return is_shell and not any(prerequisite.does(step) for step in pair.between)
