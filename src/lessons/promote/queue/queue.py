"""The queue of candidates: ranked, numbered, each with a proposed trigger."""

from collections.abc import Collection, Iterator, Sequence

import msgspec

from lessons import config
from lessons.candidate import FAILURE, IMPORT, PROTOCOL, REJECTED, CandidateDocument, StoredCandidate, Tier
from lessons.config import Config
from lessons.promote.queue import proposed
from lessons.promote.queue.candidate import Candidate, candidate_of, put_worded_trigger, put_wording, saving_of
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
    _propose(history, found, watch)
    return Shown([each.candidate for each in found], hidden, [each.candidate for each in everyone])


def unproposed(history: History, settings: Config, everything: bool, tier: Tier | None = None) -> Shown:
    """What `shown` returns, still without triggers; `put_triggers` gives them to those that are looked at."""
    everyone = waiting(history, settings)
    found, hidden = _chosen(everyone, everything, tier)
    return Shown([each.candidate for each in found], hidden, [each.candidate for each in everyone])


def put_triggers(history: History, candidates: Sequence[Candidate]) -> None:
    """Gives each candidate its trigger; one that is no longer in the history gets none."""
    stored = {each.fingerprint: each for each in history.candidates.named(each.fingerprint for each in candidates)}
    _propose(history, [Waiting(each, stored[each.fingerprint]) for each in candidates if each.fingerprint in stored])


def _chosen(everyone: "list[Waiting]", everything: bool, tier: Tier | None) -> "tuple[list[Waiting], int]":
    """Those to show, and how many others of the tier there are."""
    of_tier = [each for each in everyone if tier in (None, each.stored.tier)]
    found = chosen(of_tier, everything)
    return found, len(of_tier) - len(found)


def chosen(everyone: "list[Waiting]", everything: bool) -> "list[Waiting]":
    """Those to show."""
    return [each for each in everyone if everything or _is_listed(each)]


def whole(history: History, settings: Config, protocol: bool = False) -> list[Candidate]:
    """The whole queue in its order, without triggers: to propose them takes time."""
    return [each.candidate for each in waiting(history, settings, protocol)]


def both(history: History, settings: Config) -> tuple[list[Candidate], list[Candidate]]:
    """The whole queue, and what is kept out of it, read at once."""
    everyone = history.candidates.with_status()
    queued, kept_out = (_ranked(history, settings, everyone, protocol) for protocol in (False, True))
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
    _propose(history, found)
    return [each.candidate for each in found]


def is_recurring(candidate: Candidate) -> bool:
    """What a person imported counts too: they asked for it."""
    return candidate.session_count >= RECURRING_SESSIONS or candidate.kind == IMPORT


def export(home: str) -> list[Candidate]:
    """Write the file for outside programs, if anything in it is new; returns the whole queue.

    Without triggers: to propose them takes longer than a scan of what is new.
    """
    with History.for_reading(home) as history:
        everyone = [each.candidate for each in waiting(history, config.load(home))]
    candidates_file.write(home, [_exported(candidate) for candidate in everyone])
    return everyone


def refreshed(history: History, everyone: "Sequence[Waiting]") -> Iterator[int]:
    """Works out the triggers that are missing or stale, in the order of the queue; yields how many are done."""
    return proposed.refreshed(history, [(each.candidate, each.stored) for each in everyone])


def _exported(candidate: Candidate) -> dict[str, object]:
    """Its parts as they are: to turn the evidence of all into objects takes longer than to write it."""
    return {name: getattr(candidate, attribute) for name, attribute in _EXPORTED}


class Waiting(msgspec.Struct, frozen=True):
    """A candidate in the making and what it is made from."""

    candidate: Candidate
    stored: StoredCandidate


def waiting(history: History, settings: Config, protocol: bool = False, worded: bool = True) -> list[Waiting]:
    """The whole queue in its order.

    First what is listed without being asked for. Of these where the error names the cause, then what is seen in several
    sessions, then where the fix is nearest: so often a lesson is right as it stands. What a lesson is expected to save
    decides between equals.
    """
    return _ranked(history, settings, history.candidates.with_status(), protocol, worded)


def _ranked(
    history: History, settings: Config, everyone: Sequence[StoredCandidate], protocol: bool, worded: bool = True
) -> list[Waiting]:
    found = []
    wordings = history.wordings.all() if worded else {}
    for stored in everyone:
        if (stored.kind == PROTOCOL) == protocol:
            found.append(described(history.home, stored, settings))
            names = (stored.fingerprint, *stored.document.aliases)
            if wording := next((wordings[name] for name in names if name in wordings), None):
                put_wording(found[-1].candidate, wording)
    found.sort(key=rank)
    for number, each in enumerate(found, start=1):
        each.candidate.index = number
    return found


def described(home: str, stored: StoredCandidate, settings: Config) -> Waiting:
    """The candidate without its place in the queue and without a trigger."""

    def made(stored: StoredCandidate) -> Waiting:
        return Waiting(candidate_of(stored, settings.scoring), stored)

    def faulty(fault: str) -> Waiting:
        return made(msgspec.structs.replace(stored, document=CandidateDocument(fault=fault)))

    return analysed(home, stored.fingerprint, lambda: made(stored), faulty)


def rank(each: Waiting) -> tuple[bool, bool, bool, bool, int, float, str]:
    """Sorts the queue."""
    candidate = each.candidate
    return (
        not _is_listed(each),
        not teaches(candidate),
        not _is_told(each),
        not is_recurring(candidate),
        _distance(each.stored),
        -saving_of(candidate),
        candidate.fingerprint,
    )


def _is_listed(each: Waiting) -> bool:
    """Whether it is shown without being asked for: it came back, or its cause is known and a lesson would help."""
    return is_recurring(each.candidate) or (_is_told(each) and teaches(each.candidate))


def _is_told(each: Waiting) -> bool:
    """Whether once is enough: the error names its cause, or a person asked for it."""
    return each.stored.document.cause_named or each.candidate.kind == IMPORT


def _distance(stored: StoredCandidate) -> int:
    """Calls from a failure to its fix, in the mean; far away if there is none."""
    if stored.tier != FAILURE:
        return 0
    fixed = stored.document.fixed
    return round(stored.document.calls_lost / fixed) if fixed else _FAR


def _propose(history: History, chosen: list[Waiting], watch: proposed.Watch = lambda done, total: None) -> None:
    proposed.propose(history, [(each.candidate, each.stored) for each in chosen], watch)
    for each in chosen:
        if each.candidate.worded and not each.candidate.fault:
            put_worded_trigger(each.candidate, each.candidate.worded)
