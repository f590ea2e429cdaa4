"""The queue of candidates: ranked, numbered, each with a proposed trigger."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeVar

import msgspec

from lessons import config
from lessons.candidate import (
    FAILURE,
    IMPORT,
    PROTOCOL,
    REJECTED,
    CandidateDocument,
    CountedCandidate,
    StoredCandidate,
    Tier,
)
from lessons.config import Config
from lessons.promote.queue import proposed
from lessons.promote.queue.candidate import (
    Candidate,
    candidate_of,
    outline_of,
    put_evidence,
    put_worded_trigger,
    put_wording,
    saving_of,
)
from lessons.promote.queue.teaches import teaches
from lessons.store import candidates_file
from lessons.store.fault_boundary import analysed
from lessons.store.history.history import History

# Seen in so many sessions it is a pattern, and shown without being asked for.
RECURRING_SESSIONS = 2
_FAR = 100  # calls
_NOT_EXPORTED = ("proposedTrigger", "noTrigger")
_EXPORTED = [
    (name, attribute)
    for name, attribute in zip(Candidate.__struct_encode_fields__, Candidate.__struct_fields__, strict=True)
    if name not in _NOT_EXPORTED
]


class Outline(msgspec.Struct, frozen=True):
    """A candidate in the making, and what decides about its place in the queue."""

    candidate: Candidate
    counted: CountedCandidate


class Waiting(Outline, frozen=True):
    """The same with its evidence, and what it is made from."""

    stored: StoredCandidate


AnyOutline = TypeVar("AnyOutline", bound=Outline)
AnyStored = TypeVar("AnyStored", CountedCandidate, StoredCandidate)


class Shown(msgspec.Struct, frozen=True):
    """What a person is shown, and how many more there are of what was asked for."""

    candidates: list[Candidate]
    hidden: int
    queue: list[Candidate] = []  # all that have a number, whether they are shown or not


def documents(history: History, settings: Config, everything: bool, protocol: bool = False) -> list[Candidate]:
    """Those seen in several sessions, or everything; `protocol` shows what is kept out of the queue instead."""
    return shown(history, settings, everything, protocol).candidates


def shown(
    history: History,
    settings: Config,
    everything: bool,
    protocol: bool = False,
    tier: Tier | None = None,
    watch: proposed.Watch = lambda done, total: None,
) -> Shown:
    """The same, of one tier alone where that is asked for: the numbers stay those of the whole queue.

    `watch` gets the number of triggers that had to be recomputed.
    """
    everyone = waiting(history, settings, protocol)
    found, hidden = _chosen(everyone, everything, tier)
    _propose(history, _described(found), watch)
    return Shown([each.candidate for each in found], hidden, [each.candidate for each in everyone])


def unproposed(history: History, settings: Config, everything: bool, tier: Tier | None = None) -> Shown:
    """What `shown` returns, without triggers and evidence; `put_triggers` gives both to those that are looked at."""
    everyone = outlined(history, settings)
    found, hidden = _chosen(everyone, everything, tier)
    return Shown([each.candidate for each in found], hidden, [each.candidate for each in everyone])


def put_triggers(history: History, candidates: Sequence[Candidate], alike: Sequence[Candidate] = ()) -> None:
    """Gives each candidate its evidence and its trigger; one that is no longer in the history gets none.

    Near duplicates only get their evidence.
    """
    names = [each.fingerprint for each in (*candidates, *alike)]
    stored = {each.fingerprint: each for each in history.candidates.named(names)}
    for each in (*candidates, *alike):
        if each.fingerprint in stored:
            put_evidence(each, stored[each.fingerprint])
    _propose(history, [(each, stored[each.fingerprint]) for each in candidates if each.fingerprint in stored])


def _chosen(everyone: list[AnyOutline], everything: bool, tier: Tier | None) -> tuple[list[AnyOutline], int]:
    """Those to show, and how many others of the tier there are."""
    of_tier = [each for each in everyone if tier in (None, each.counted.tier)]
    found = chosen(of_tier, everything)
    return found, len(of_tier) - len(found)


def chosen(everyone: list[AnyOutline], everything: bool) -> list[AnyOutline]:
    """Those to show."""
    return [each for each in everyone if everything or _is_listed(each)]


def whole(history: History, settings: Config, protocol: bool = False) -> list[Candidate]:
    """The whole queue in its order, without triggers: to propose them takes time."""
    return [each.candidate for each in waiting(history, settings, protocol)]


def both(history: History, settings: Config) -> tuple[list[Candidate], list[Candidate]]:
    """The whole queue, and what is kept out of it, read at once; without evidence."""
    everyone = history.candidates.counted()
    queued, kept_out = (_outlines(history, settings, everyone, protocol) for protocol in (False, True))
    return [each.candidate for each in queued], [each.candidate for each in kept_out]


def rejected(history: History, settings: Config) -> list[Candidate]:
    """Those that a person has rejected, without a number."""
    return [described(history.home, each, settings).candidate for each in history.candidates.with_status(REJECTED)]


def with_triggers(
    history: History, settings: Config, fingerprints: Collection[str], protocol: bool = False, worded: bool = True
) -> list[Candidate]:
    """These of the queue, each with its proposed trigger; unless `worded`, in the words of the rules alone."""
    everyone = waiting(history, settings, protocol, worded)
    found = [each for each in everyone if each.stored.fingerprint in fingerprints]
    _propose(history, _described(found))
    return [each.candidate for each in found]


def is_recurring(candidate: Candidate) -> bool:
    """What a person imported counts too: they asked for it."""
    return candidate.session_count >= RECURRING_SESSIONS or candidate.kind == IMPORT


def is_fixed(candidate: Candidate) -> bool:
    """Whether a fix followed one of its occurrences; only where it has its evidence."""
    return any(each.fix_tool_use_id for each in candidate.evidence)


def export(home: str) -> list[Candidate]:
    """Write the file for outside programs, if anything in it is new; returns the whole queue.

    Without triggers: to propose them takes longer than a scan of what is new.
    """
    with History.for_reading(home) as history:
        everyone = [each.candidate for each in waiting(history, config.load(home))]
    candidates_file.write(home, [_exported(candidate) for candidate in everyone])
    return everyone


def refreshed(history: History, everyone: Sequence[Waiting]) -> Iterator[int]:
    """Works out the triggers that are missing or stale, in the order of the queue; yields how many are done."""
    return proposed.refreshed(history, _described(everyone))


def _exported(candidate: Candidate) -> dict[str, object]:
    """Its parts as they are: to turn the evidence of all into objects takes longer than to write it."""
    return {name: getattr(candidate, attribute) for name, attribute in _EXPORTED}


def waiting(history: History, settings: Config, protocol: bool = False, worded: bool = True) -> list[Waiting]:
    """The whole queue in its order.

    First what is listed without being asked for. Of these where the error names the cause, then what is seen in several
    sessions, then where the fix is nearest: so often a lesson is right as it stands. What a lesson is expected to save
    decides between equals.
    """
    everyone = (each for each in history.candidates.with_status() if (each.kind == PROTOCOL) == protocol)
    return _ranked(history, [described(history.home, each, settings) for each in everyone], worded)


def outlined(history: History, settings: Config, protocol: bool = False) -> list[Outline]:
    """The same in the same order; `put_triggers` adds the evidence and the triggers that are left out."""
    return _outlines(history, settings, history.candidates.counted(), protocol)


def _outlines(
    history: History, settings: Config, everyone: Sequence[CountedCandidate], protocol: bool
) -> list[Outline]:
    found = (each for each in everyone if (each.kind == PROTOCOL) == protocol)
    return _ranked(history, [_outline(history.home, each, settings) for each in found])


def _ranked(history: History, found: list[AnyOutline], worded: bool = True) -> list[AnyOutline]:
    wordings = history.wordings.all() if worded else {}
    for each in found if wordings else ():
        names = (each.counted.fingerprint, *each.counted.document.aliases)
        if wording := next((wordings[name] for name in names if name in wordings), None):
            put_wording(each.candidate, wording)
    found.sort(key=rank)
    for number, each in enumerate(found, start=1):
        each.candidate.index = number
    return found


def described(home: str, stored: StoredCandidate, settings: Config) -> Waiting:
    """The candidate without its place in the queue and without a trigger."""

    def made(each: StoredCandidate) -> Waiting:
        counted = each.counted()
        return Waiting(candidate_of(each, counted, settings.scoring), counted, each)

    return _without_fault(home, stored, made)


def _outline(home: str, counted: CountedCandidate, settings: Config) -> Outline:
    return _without_fault(home, counted, lambda each: Outline(outline_of(each, settings.scoring), each))


def _without_fault(home: str, stored: AnyStored, made: Callable[[AnyStored], AnyOutline]) -> AnyOutline:
    def faulty(fault: str) -> AnyOutline:
        document = CandidateDocument(fault=fault, aliases=stored.document.aliases)  # a wording may name one of them
        return made(msgspec.structs.replace(stored, document=document))

    return analysed(home, stored.fingerprint, lambda: made(stored), faulty)


def rank(each: Outline) -> tuple[bool, bool, bool, bool, int, float, str]:
    """Sorts the queue."""
    candidate = each.candidate
    return (
        not _is_listed(each),
        not teaches(candidate, each.counted.tally.is_fixed),
        not _is_told(each),
        not is_recurring(candidate),
        _distance(each.counted),
        -saving_of(candidate),
        candidate.fingerprint,
    )


def _is_listed(each: Outline) -> bool:
    """Whether it is shown without being asked for: it came back, or its cause is known and a lesson would help."""
    is_fixed = each.counted.tally.is_fixed
    return is_recurring(each.candidate) or (_is_told(each) and teaches(each.candidate, is_fixed))


def _is_told(each: Outline) -> bool:
    """Whether once is enough: the error names its cause, or a person asked for it."""
    return each.counted.document.cause_named or each.candidate.kind == IMPORT


def _distance(stored: CountedCandidate) -> int:
    """Calls from a failure to its fix, in the mean; far away if there is none."""
    if stored.tier != FAILURE:
        return 0
    fixed = stored.document.fixed
    return round(stored.document.calls_lost / fixed) if fixed else _FAR


def _described(chosen: Sequence[Waiting]) -> list[proposed.Described]:
    return [(each.candidate, each.stored) for each in chosen]


def _propose(
    history: History, chosen: list[proposed.Described], watch: proposed.Watch = lambda done, total: None
) -> None:
    proposed.propose(history, chosen, watch)
    for candidate, _ in chosen:
        if candidate.worded and not candidate.fault:
            put_worded_trigger(candidate, candidate.worded)
