"""The queue of candidates: ranked, numbered, near duplicates together, each with a proposed trigger."""

import math
import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from lessons import config, paths
from lessons.candidate import CORRECTION, FAILURE, IMPORT, REJECTED, CandidateDocument, StoredCandidate, Tier, word_for
from lessons.config import Config
from lessons.errors import LessonsError, NotFound, Refused
from lessons.promote.answered import closed
from lessons.promote.candidate import (
    Candidate,
    candidate_of,
    put_trigger,
    put_worded_trigger,
    put_wording,
    saving_of,
)
from lessons.promote.similarity import ALIKE, TextWords, likeness_of, text_words
from lessons.store import exports
from lessons.store.history.candidates import ProposedTrigger
from lessons.store.history.database import as_json
from lessons.store.history.history import History
from lessons.store.logs import analysed


def clusters(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Adds each to the first earlier one that is similar, or starts a cluster; keeps the order.

    Compares only with the first of a cluster: a chain of small differences could lead anywhere.
    """
    texts = [text_words(_words(candidate)) for candidate in candidates]
    times = Counter(word for text in texts for word in text.words)
    found: list[list[Candidate]] = []
    firsts: list[TextWords] = []
    by_word: dict[str, list[int]] = {}
    for candidate, text in zip(candidates, texts, strict=True):
        # Similar texts share half of all their words: the rarest, more than half of one, cannot all be missing.
        rarest = sorted(text.words, key=lambda word: (times[word], word))[: int(len(text.words) * (1 - ALIKE)) + 1]
        possible = sorted({cluster for word in rarest for cluster in by_word.get(word, ())})
        similar = next((each for each in possible if likeness_of(firsts[each], text) >= ALIKE), None)
        if similar is not None:
            found[similar].append(candidate)
            continue
        for word in rarest:
            by_word.setdefault(word, []).append(len(found))
        found.append([candidate])
        firsts.append(text)
    return found


def with_duplicates(candidate: Candidate, everyone: Sequence[Candidate]) -> list[Candidate]:
    """Returns it, followed by the others of its cluster."""
    own = candidate.fingerprint
    for cluster in clusters(everyone):
        others = [each for each in cluster if each.fingerprint != own]
        if len(others) < len(cluster):
            return [candidate, *others]
    return [candidate]


def _words(candidate: Candidate) -> str:
    return f"{candidate.problem}\n{candidate.solution}"


_LISTING, _SKIPPED = "lastListing", "skipped"  # facts of the history
Listing = dict[str, str]  # the whole queue in order, of which a part was shown: a digest of each text by fingerprint
_AGAIN = "run `lessons candidates --all` and take the number from there"


def remember(home: str, queue: Sequence[Candidate]) -> None:
    """Stores the candidate of each number on the screen; ignores a read-only home, which can still be listed."""
    if os.path.exists(paths.history_file(home)):
        with suppress(LessonsError), History.opened(home) as history:
            history.put_fact(_LISTING, as_json(_listing(queue)))


def listings(home: str, with_file: bool = False) -> list[Listing]:
    """Returns what was shown last, if anything was; then the numbers in cross-project-candidates.json, if wanted."""
    shown = _fact(home, _LISTING)
    return [each for each in (shown, exports.texts(home) if with_file else None) if each is not None]


def by_number(
    lists: Sequence[Listing], queue: Sequence[Candidate], decided: Mapping[str, str], numbers: Sequence[int]
) -> list[str]:
    """Returns the fingerprints by the first list that still holds: only decisions have changed the queue since.

    Refuses a number that means another candidate in a list before that: somebody may still look at it.
    """
    if not lists:
        raise Refused(f"No list of candidates was shown yet: {_AGAIN}.")
    now = list(_listing(queue).items())
    holds = [[each for each in one.items() if each[0] not in decided] == now for one in lists]
    changed = Refused(f"The list has changed since it was shown: {_AGAIN}.")
    if True not in holds:
        raise changed
    shown, *before = [list(one) for one in reversed(lists[: holds.index(True) + 1])]
    found = []
    for number in numbers:
        if not 1 <= number <= len(shown):
            raise NotFound(f"No candidate {number}: the whole list has numbers 1 to {len(shown)}; {_AGAIN}.")
        fingerprint = shown[number - 1]
        if any(one[number - 1 : number] != [fingerprint] for one in before):
            raise changed
        if status := decided.get(fingerprint):
            raise Refused(f"Candidate {number} is already {word_for(status)}: run `lessons undo` to undo that.")
        found.append(fingerprint)
    return found


def named(queue: Sequence[Candidate], decided: Mapping[str, str], name: str) -> str:
    """Returns the fingerprint with this prefix, of exactly one candidate."""
    waiting = [each.fingerprint for each in queue]
    found = [each for each in waiting if each == name] or [each for each in waiting if name and each.startswith(name)]
    if len(found) > 1:
        raise Refused(f"{name} matches {len(found)} candidates: write more of the fingerprint.")
    if found:
        return found[0]
    for fingerprint, status in decided.items():
        if name and fingerprint.startswith(name):
            raise Refused(f"{fingerprint} is already {word_for(status)}: run `lessons undo` to undo that.")
    hint = "`lessons candidates --all --json` lists the fingerprints"
    raise NotFound(f"No candidate {name!r}: {hint}.")


def _listing(queue: Sequence[Candidate]) -> Listing:
    return {each.fingerprint: exports.digest(each.problem, each.solution) for each in queue}


def skipped(home: str) -> dict[str, str]:
    """Returns when each candidate was skipped; they come last the next time."""
    return _fact(home, _SKIPPED) or {}


def skip(home: str, fingerprints: Collection[str], undo: bool = False) -> None:
    """Marks them as skipped, or puts them back in their own place."""
    before = skipped(home)
    if undo and before.keys().isdisjoint(fingerprints):
        return
    now = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
    after = {mark: when for mark, when in before.items() if mark not in fingerprints}
    with History.opened(home) as history:
        history.put_fact(_SKIPPED, as_json(after if undo else {**after, **dict.fromkeys(fingerprints, now)}))


def _fact(home: str, name: str) -> dict[str, str] | None:
    try:
        with History.for_reading(home) as history:
            return msgspec.json.decode(history.fact(name), type=dict[str, str])
    except (LessonsError, msgspec.MsgspecError):
        return None


# Seen in so many sessions it is a pattern, and shown without being asked for.
RECURRING_SESSIONS = 2
_FAR = 100  # calls
_MANY = 50  # triggers that take a while
Watch = Callable[[int, int], None]  # how many triggers are done, of how many
_NOT_EXPORTED = ("proposedTrigger", "noTrigger")
_EXPORTED = [
    (name, attribute)
    for name, attribute in zip(Candidate.__struct_encode_fields__, Candidate.__struct_fields__, strict=True)
    if name not in _NOT_EXPORTED
]


class Waiting(NamedTuple):
    """A candidate of the queue, and what it is made from."""

    candidate: Candidate
    stored: StoredCandidate


class Shown(NamedTuple):
    """What a person is shown."""

    candidates: list[Candidate]
    hidden: int  # how many more there are of what was asked for
    queue: list[Candidate]  # all that have a number, whether they are shown or not


def shown(
    history: History,
    settings: Config,
    everything: bool,
    tier: Tier | None = None,
    watch: Watch = lambda done, total: None,
    with_triggers: bool = True,
) -> Shown:
    """Returns those seen in several sessions that no lesson answers, or everything; of one tier if given.

    Numbers are those of the queue.

    `watch` gets the number of triggers that had to be recomputed. Without triggers, `put_triggers` adds those that are
    looked at.
    """
    everyone = waiting(history, settings)
    of_tier = [each for each in everyone if tier in (None, each.stored.tier)]
    if not everything:
        answered = closed(history, (each.stored for each in of_tier))
        of_tier = [each for each in of_tier if each.stored.fingerprint not in answered]
    found = [each for each in of_tier if everything or is_recurring(each.candidate)]
    if with_triggers:
        _propose(history, found, watch)
    return Shown([each.candidate for each in found], len(of_tier) - len(found), [each.candidate for each in everyone])


def put_triggers(history: History, candidates: Sequence[Candidate], alike: Sequence[Candidate] = ()) -> None:
    """Gives each candidate its trigger; one that is no longer in the history has no evidence then.

    Near duplicates only lose their evidence if they are gone.
    """
    stored = {
        each.fingerprint: each for each in history.candidates.named(one.fingerprint for one in (*candidates, *alike))
    }
    for each in (*candidates, *alike):
        if each.fingerprint not in stored:
            each.evidence = []
    _propose(history, [Waiting(each, stored[each.fingerprint]) for each in candidates if each.fingerprint in stored])


def whole(history: History, settings: Config) -> list[Candidate]:
    """Returns the whole queue in its order, without triggers: to propose them takes time."""
    return [each.candidate for each in waiting(history, settings)]


def rejected(history: History, settings: Config) -> list[Candidate]:
    """Returns those that a person has rejected, without a number."""
    return [described(history.home, each, settings).candidate for each in history.candidates.with_status(REJECTED)]


def is_recurring(candidate: Candidate) -> bool:
    """Whether it was seen in several sessions; what a person imported counts too, because they asked for it."""
    return candidate.session_count >= RECURRING_SESSIONS or candidate.kind == IMPORT


def export(home: str) -> list[Candidate]:
    """Writes the file for outside programs, if anything in it is new; returns the whole queue.

    Without triggers: to propose them takes longer than a scan of what is new.
    """
    with History.for_reading(home) as history:
        everyone = whole(history, config.load(home))
    # Its parts as they are: to turn the evidence of all into objects takes longer than to write it.
    exported = [{name: getattr(each, attribute) for name, attribute in _EXPORTED} for each in everyone]
    exports.write_candidates(home, exported)
    return everyone


def waiting(history: History, settings: Config) -> list[Waiting]:
    """Returns the whole queue in its order.

    First what is listed without being asked for. Of these what a person corrected, then where the fix is nearest: so
    often a lesson is right as it stands; imports without evidence come last. What a lesson is expected to save decides
    between equals.
    """
    found = [described(history.home, each, settings) for each in history.candidates.with_status()]
    wordings = history.answers.wordings()
    for each in found if wordings else ():
        if wording := next((wordings[name] for name in each.stored.names if name in wordings), None):
            put_wording(each.candidate, wording)
    found.sort(key=rank)
    for number, each in enumerate(found, start=1):
        each.candidate.index = number
    return found


def described(home: str, stored: StoredCandidate, settings: Config) -> Waiting:
    """Returns the candidate without its place in the queue and without a trigger."""

    def faulty(fault: str) -> Waiting:
        document = CandidateDocument(fault=fault, aliases=stored.document.aliases)  # a wording may name one of them
        without = msgspec.structs.replace(stored, document=document)
        return Waiting(candidate_of(without, settings.scoring), without)

    return analysed(home, stored.fingerprint, lambda: Waiting(candidate_of(stored, settings.scoring), stored), faulty)


def rank(each: Waiting) -> tuple[bool, bool, bool, int, float, str]:
    """Sorts the queue."""
    candidate, document = each.candidate, each.stored.document
    distance = 0  # calls from a failure to its fix, in the mean
    if candidate.tier == FAILURE:
        distance = round(document.calls_lost / document.fixed) if document.fixed else _FAR
    return (
        not is_recurring(candidate),
        candidate.tier != CORRECTION,
        candidate.kind == IMPORT and not each.stored.evidence,
        distance,
        -saving_of(candidate),
        candidate.fingerprint,
    )


def _propose(
    history: History, chosen: Sequence[Waiting], watch: Watch = lambda done, total: None, until: float = math.inf
) -> None:
    """Gives each its trigger, or the reason for having none: the stored one if that still holds, else a new one.

    New ones are stored, also if it stops early because `until` has passed.
    """
    current = history.proposals.current(each.fingerprint for _, each in chosen)
    # Those of one family follow each other: they are compared with the same calls.
    by_family: dict[tuple[str, str], list[Waiting]] = {}
    for candidate, stored in chosen:
        document = stored.document
        if stored.fingerprint in current and not document.fault:
            put_trigger(candidate, current[stored.fingerprint])
        else:
            by_family.setdefault((document.tool, document.family), []).append(Waiting(candidate, stored))
    if missing := [each for family in by_family.values() for each in family]:
        _propose_and_store(history, missing, watch, until)
    for candidate, _ in chosen:
        if candidate.worded and not candidate.fault:
            put_worded_trigger(candidate, candidate.worded)


def _propose_and_store(history: History, missing: Sequence[Waiting], watch: Watch, until: float) -> None:
    from lessons.promote.proposals import Proposals, put_proposal  # its patterns take a while to load

    # Before anything is looked at: what a scan adds meanwhile counts as new.
    proposals, newest_call = Proposals(history), history.proposals.newest_call()
    made: dict[str, tuple[StoredCandidate, ProposedTrigger]] = {}
    try:
        for done, (candidate, stored) in enumerate(missing):
            if len(missing) > _MANY and done % _MANY == 0:
                watch(done, len(missing))
            trigger = put_proposal(proposals, candidate, stored)
            if not trigger.fault:
                made[stored.fingerprint] = stored, trigger
            if time.monotonic() > until:
                break
    finally:
        # What cannot be stored now, or what a scan has changed since, is proposed again next time.
        with suppress(LessonsError, OSError), History.opened(history.home) as writable, writable.transaction():
            now = writable.candidates.named(made)
            same = {each.fingerprint for each in now if each == made[each.fingerprint][0]}
            writable.proposals.put({name: trigger for name, (_, trigger) in made.items() if name in same}, newest_call)


def prepare(home: str, seconds: float) -> None:
    """Stores triggers that are missing or stale, in the order of the queue, for about this long."""
    until = time.monotonic() + seconds
    # Not opened read-only: the last process to close a history cleans up its files.
    with History.opened(home) as history:
        _propose(history, waiting(history, config.load(home)), until=until)
