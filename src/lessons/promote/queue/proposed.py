"""Gives candidates their proposed triggers: the stored ones where they still hold, else new ones, which are stored."""

import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from lessons.candidate import StoredCandidate
from lessons.errors import LessonsError
from lessons.promote.queue.candidate import Candidate
from lessons.store.history.history import History
from lessons.store.history.proposals import Extent, StoredProposal

if TYPE_CHECKING:
    from lessons.mistakes.good_calls import GoodCalls
    from lessons.promote.queue.proposals import Proposals, Trigger

Described = tuple[Candidate, StoredCandidate]
Watch = Callable[[int, int], None]  # how many are done, of how many
# So that ^C loses little work, and whoever has little time can stop.
_STORED_AT_ONCE = 50
_SECONDS_AT_ONCE = 0.2


def propose(history: History, chosen: Iterable[Described], watch: Watch = lambda done, total: None) -> None:
    """Adds a trigger, or the reason for having none, to each candidate."""
    missing = sorted(_put_stored(history, chosen), key=_family)
    if len(missing) > _STORED_AT_ONCE:
        watch(0, len(missing))
    for done in _work_out(history, missing):
        watch(done, len(missing))


def refreshed(history: History, waiting: Iterable[Described]) -> Iterator[int]:
    """Works out and stores what is missing, the first of the queue before the others; yields how many are done."""
    missing = _put_stored(history, waiting)
    parts = missing[:_STORED_AT_ONCE], missing[_STORED_AT_ONCE:]
    yield from _work_out(history, [each for part in parts for each in sorted(part, key=_family)])


def _family(pair: Described) -> tuple[str, str]:
    """Those of one family are compared with the same calls."""
    return pair[1].document.tool, pair[1].document.family


def put_trigger(candidate: Candidate, trigger: "Trigger | StoredProposal") -> None:
    """Gives the candidate the trigger that is proposed for it."""
    candidate.proposed_trigger, candidate.no_trigger = trigger.triggers, trigger.reason
    candidate.acts_at = trigger.acts_at
    candidate.scope = trigger.scope or candidate.scope


def put_proposal(proposals: "Proposals", candidate: Candidate, stored: StoredCandidate) -> "Trigger":
    """Works out a trigger and gives it to the candidate."""
    trigger = proposals.of(stored)
    candidate.fault = trigger.fault
    put_trigger(candidate, trigger)
    return trigger


def _put_stored(history: History, chosen: Iterable[Described]) -> list[Described]:
    """Returns those for which nothing is stored that holds."""
    pairs = list(chosen)
    stored = history.proposals.current(each.fingerprint for _, each in pairs)
    is_here = cache(lambda program: shutil.which(program) is not None)
    missing: list[Described] = []
    for candidate, each in pairs:
        proposal = None if each.document.fault else stored.get(each.fingerprint)
        if proposal is None or any(is_here(program) != was for program, was in proposal.programs.items()):
            missing.append((candidate, each))
        else:
            put_trigger(candidate, proposal)
    return missing


def _work_out(history: History, missing: Sequence[Described]) -> Iterator[int]:
    """Proposes for some at a time and stores that; yields how many are done."""
    if not missing:
        return
    # Loaded only now: a scan exports the queue and needs none of it.
    from lessons.promote.queue.families import Family, Successes
    from lessons.promote.queue.proposals import Proposals, is_on_path

    asked: dict[str, bool] = {}
    compared: set[str] = set()
    # Before anything is looked at: what a scan adds meanwhile counts as new.
    extent, good_calls = history.proposals.extent(), Successes(history)

    def is_here(program: str) -> bool:
        asked[program] = is_on_path(program)
        return asked[program]

    def successes(family: Family) -> "GoodCalls":
        compared.update([family.program] if family.program else [])
        return good_calls(family)

    proposals = Proposals(history, successes, is_here)
    made: dict[str, StoredProposal] = {}
    some: list[StoredCandidate] = []
    until = time.monotonic() + _SECONDS_AT_ONCE
    for done, (candidate, stored) in enumerate(missing, start=1):
        asked.clear()
        compared.clear()
        trigger = put_proposal(proposals, candidate, stored)
        some.append(stored)
        if not trigger.fault:
            looked_at = {program: extent.programs.get(program, 0) for program in compared}
            made[stored.fingerprint] = StoredProposal(
                trigger.triggers, trigger.reason, trigger.scope, trigger.acts_at, {**asked}, looked_at
            )
        if done == len(missing) or len(some) == _STORED_AT_ONCE or time.monotonic() > until:
            _store(history.home, some, made, extent)
            yield done
            made, some, until = {}, [], time.monotonic() + _SECONDS_AT_ONCE


def _store(home: str, candidates: Sequence[StoredCandidate], made: dict[str, StoredProposal], extent: Extent) -> None:
    """What cannot be stored now, or what a scan has changed since, is recomputed the next time."""
    try:
        with History.opened(home) as history, history.transaction():
            now = {each.fingerprint: each for each in history.candidates.named(made)}
            same = {each.fingerprint for each in candidates if now.get(each.fingerprint) == each}
            history.proposals.put({name: each for name, each in made.items() if name in same}, extent)
    except (LessonsError, OSError):
        return
