"""The queue of candidates: ranked, numbered, near duplicates together, each with a proposed trigger."""

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

import msgspec

from lessons import config
from lessons.candidate import (
    FAILURE,
    IMPORT,
    REJECTED,
    CandidateDocument,
    CountedCandidate,
    StoredCandidate,
    Tier,
    word_for,
)
from lessons.config import Config
from lessons.errors import NotFound, Refused
from lessons.promote.candidate import (
    Candidate,
    candidate_of,
    outline_of,
    put_evidence,
    put_worded_trigger,
    put_wording,
    saving_of,
)
from lessons.promote.similarity import ALIKE, TextWords, likeness_of, text_words
from lessons.store import exports, review_notes
from lessons.store.history.history import History
from lessons.store.logs import analysed
from lessons.store.review_notes import Listing

if TYPE_CHECKING:
    from lessons.promote import proposals


def clusters(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Adds each to the first earlier one that is similar, or starts a cluster; keeps the order.

    Compares only with the first of a cluster: a chain of small differences could lead anywhere.
    """
    found: list[list[Candidate]] = []
    firsts = _Firsts([text_words(_words(candidate)) for candidate in candidates])
    for number, candidate in enumerate(candidates):
        cluster = firsts.cluster_of(number)
        if cluster == len(found):
            found.append([])
        found[cluster].append(candidate)
    return found


class _Firsts:
    """The first texts of clusters, indexed by words: groups thousands without comparing all pairs."""

    def __init__(self, texts: list[TextWords]) -> None:
        self._texts = texts
        self._words = _telling_words([text.words for text in texts])
        self._quoted = _telling_words([text.quoted or frozenset() for text in texts])
        self._firsts: list[TextWords] = []
        # Clusters by a rare word of their first text: all; only those that quote nothing; and by a rare word of what
        # they quote.
        self._by_word: dict[str, list[int]] = {}
        self._plain_by_word: dict[str, list[int]] = {}
        self._by_quoted_word: dict[str, list[int]] = {}

    def cluster_of(self, number: int) -> int:
        """Returns the cluster of the text with this number; a new one if it is similar to no first text."""
        text = self._texts[number]
        for cluster in sorted(self._possible(number)):
            if likeness_of(self._firsts[cluster], text) >= ALIKE:
                return cluster
        self._add(number)
        return len(self._firsts) - 1

    def _possible(self, number: int) -> set[int]:
        """Returns clusters to compare: if both quote something, that must be similar too, and fewer texts share it."""
        if self._texts[number].quoted is None:
            return {cluster for word in self._words[number] for cluster in self._by_word.get(word, ())}
        found = {cluster for word in self._words[number] for cluster in self._plain_by_word.get(word, ())}
        return found.union(*(self._by_quoted_word.get(word, ()) for word in self._quoted[number]))

    def _add(self, number: int) -> None:
        cluster, text = len(self._firsts), self._texts[number]
        self._firsts.append(text)
        for word in self._words[number]:
            self._by_word.setdefault(word, []).append(cluster)
            if text.quoted is None:
                self._plain_by_word.setdefault(word, []).append(cluster)
        for word in self._quoted[number]:
            self._by_quoted_word.setdefault(word, []).append(cluster)


def _telling_words(texts: list[frozenset[str]]) -> list[list[str]]:
    """Returns for each the rarest words, enough that two similar texts must share one of them.

    Similar texts share half of all their words. So the rarest words, more than half of a text, cannot all be missing in
    the other.
    """
    times = Counter(word for words in texts for word in words)
    return [sorted(words, key=lambda word: (times[word], word))[: int(len(words) * (1 - ALIKE)) + 1] for words in texts]


def cluster_of(candidate: Candidate, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Returns the cluster that contains it."""
    own = candidate.fingerprint
    found = (cluster for cluster in clusters(candidates) if any(each.fingerprint == own for each in cluster))
    return next(found, [candidate])


def _words(candidate: Candidate) -> str:
    return f"{candidate.problem}\n{candidate.solution}"


_AGAIN = "run `lessons candidates --all` and take the number from there"


def remember(home: str, queue: Sequence[Candidate]) -> None:
    """Stores the candidate of each number on the screen."""
    review_notes.write_listing(home, Listing([_entry(each) for each in queue]))


def by_number(
    shown: Listing | None, queue: Sequence[Candidate], decided: Mapping[str, str], numbers: Sequence[int]
) -> list[str]:
    """Returns the fingerprints. Refuses if the queue has changed since the list was shown, except for decisions."""
    if shown is None:
        raise Refused(f"No list of candidates was shown yet: {_AGAIN}.")
    left = [each for each in shown.entries if each.fingerprint not in decided]
    if left != [_entry(each) for each in queue]:
        raise Refused(f"The list has changed since it was shown: {_AGAIN}.")
    found = []
    for number in numbers:
        if not 1 <= number <= len(shown.entries):
            last = len(shown.entries)
            raise NotFound(f"No candidate {number}: the whole list has numbers 1 to {last}; {_AGAIN}.")
        fingerprint = shown.entries[number - 1].fingerprint
        if status := decided.get(fingerprint):
            raise Refused(f"Candidate {number} is already {word_for(status)}: run `lessons undo` to undo that.")
        found.append(fingerprint)
    return found


def by_name(queue: Sequence[Candidate], decided: Mapping[str, str], names: Sequence[str]) -> list[str]:
    """Returns the fingerprints with these prefixes, each of exactly one candidate."""
    waiting = [each.fingerprint for each in queue]
    return [_named(waiting, decided, name) for name in names]


def _named(waiting: Sequence[str], decided: Mapping[str, str], name: str) -> str:
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


def _entry(candidate: Candidate) -> review_notes.Entry:
    return review_notes.entry(candidate.fingerprint, candidate.problem, candidate.solution)


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


def documents(history: History, settings: Config, everything: bool) -> list[Candidate]:
    """Those seen in several sessions, or everything."""
    return shown(history, settings, everything).candidates


def shown(
    history: History,
    settings: Config,
    everything: bool,
    tier: Tier | None = None,
    watch: "proposals.Watch" = lambda done, total: None,
) -> Shown:
    """The same, of one tier alone where that is asked for: the numbers stay those of the whole queue.

    `watch` gets the number of triggers that had to be recomputed.
    """
    everyone = waiting(history, settings)
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
    return [each for each in everyone if everything or is_recurring(each.candidate)]


def whole(history: History, settings: Config) -> list[Candidate]:
    """The whole queue in its order, without triggers: to propose them takes time."""
    return [each.candidate for each in waiting(history, settings)]


def rejected(history: History, settings: Config) -> list[Candidate]:
    """Those that a person has rejected, without a number."""
    return [described(history.home, each, settings).candidate for each in history.candidates.with_status(REJECTED)]


def with_triggers(history: History, settings: Config, fingerprints: Collection[str]) -> list[Candidate]:
    """These of the queue, each with its proposed trigger."""
    everyone = waiting(history, settings)
    found = [each for each in everyone if each.stored.fingerprint in fingerprints]
    _propose(history, _described(found))
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
    exports.write_candidates(home, [_exported(candidate) for candidate in everyone])
    return everyone


def refreshed(history: History, everyone: Sequence[Waiting]) -> Iterator[int]:
    """Works out the triggers that are missing or stale, in the order of the queue; yields how many are done."""
    from lessons.promote import proposals  # its patterns take a while to load

    return proposals.refreshed(history, _described(everyone))


def _exported(candidate: Candidate) -> dict[str, object]:
    """Its parts as they are: to turn the evidence of all into objects takes longer than to write it."""
    return {name: getattr(candidate, attribute) for name, attribute in _EXPORTED}


def waiting(history: History, settings: Config) -> list[Waiting]:
    """The whole queue in its order.

    First what is listed without being asked for. Of these what a person imported, then where the fix is nearest: so
    often a lesson is right as it stands. What a lesson is expected to save decides between equals.
    """
    return _ranked(history, [described(history.home, each, settings) for each in history.candidates.with_status()])


def outlined(history: History, settings: Config) -> list[Outline]:
    """The same in the same order; `put_triggers` adds the evidence and the triggers that are left out."""
    return _ranked(history, [_outline(history.home, each, settings) for each in history.candidates.counted()])


def _ranked(history: History, found: list[AnyOutline]) -> list[AnyOutline]:
    wordings = history.answers.wordings()
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


def rank(each: Outline) -> tuple[bool, bool, int, float, str]:
    """Sorts the queue."""
    candidate = each.candidate
    return (
        not is_recurring(candidate),
        candidate.kind != IMPORT,
        _distance(each.counted),
        -saving_of(candidate),
        candidate.fingerprint,
    )


def _distance(stored: CountedCandidate) -> int:
    """Calls from a failure to its fix, in the mean; far away if there is none."""
    if stored.tier != FAILURE:
        return 0
    fixed = stored.document.fixed
    return round(stored.document.calls_lost / fixed) if fixed else _FAR


def _described(chosen: Sequence[Waiting]) -> "list[proposals.Described]":
    return [(each.candidate, each.stored) for each in chosen]


def _propose(
    history: History, chosen: "list[proposals.Described]", watch: "proposals.Watch" = lambda done, total: None
) -> None:
    from lessons.promote import proposals

    proposals.put_triggers_on(history, chosen, watch)
    for candidate, _ in chosen:
        if candidate.worded and not candidate.fault:
            put_worded_trigger(candidate, candidate.worded)


def prepare(home: str, seconds: float) -> None:
    """Stores triggers that are missing or stale, in the order of the queue, for about this long."""
    until = time.monotonic() + seconds
    # Not opened read-only: the last process to close a history cleans up its files.
    with History.opened(home) as history:
        for _ in refreshed(history, waiting(history, config.load(home))):
            if time.monotonic() > until:
                break
