"""Finds the patterns that recur in a review log; always computed from all entries."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from lessons.code_review import Consolidation, Finding, RecurringPattern, ReviewEntry, entry_document
from lessons.reviews.entry import cleaned
from lessons.reviews.words import is_heading, normal_words

LEAST_OCCURRENCES = 3
LEAST_PULL_REQUESTS = 2
_BETWEEN = " "


class Occurrence(NamedTuple):
    """One entry that names a pattern, with what it found."""

    entry: ReviewEntry
    spelling: str
    findings: list[Finding]


class Cluster(NamedTuple):
    """The spellings of one pattern, and every entry that has one of them."""

    words: tuple[str, ...]
    occurrences: list[Occurrence]

    @property
    def pull_requests(self) -> list[int]:
        return sorted({each.entry.pr for each in self.occurrences if each.entry.pr is not None})

    @property
    def is_recurring(self) -> bool:
        return len(self.occurrences) >= LEAST_OCCURRENCES and len(self.pull_requests) >= LEAST_PULL_REQUESTS

    @property
    def name(self) -> str:
        """The most frequent spelling; the shortest of several."""
        spellings = Counter(each.spelling for each in self.occurrences)
        return min(spellings, key=lambda one: (-spellings[one], len(one), one))


def clusters(entries: Iterable[ReviewEntry]) -> list[Cluster]:
    """Every pattern, in the order of its words; an entry counts once for a pattern, however often it names it."""
    found: dict[tuple[str, ...], list[Occurrence]] = {}
    # The file may be edited by hand, or come with a repository.
    for entry in sorted(map(cleaned, entries), key=_place):
        named: dict[tuple[str, ...], str] = {}
        for name in entry.pattern_names():
            if not is_heading(name):
                named.setdefault(normal_words(name), name)
        for words, spelling in named.items():
            own = [one for one in entry.findings if normal_words(one.pattern) == words]
            found.setdefault(words, []).append(Occurrence(entry, spelling, own))
    return [Cluster(words, found[words]) for words in sorted(found)]


def recurring(entries: Iterable[ReviewEntry]) -> list[Cluster]:
    return [cluster for cluster in clusters(entries) if cluster.is_recurring]


def _place(entry: ReviewEntry) -> tuple[str, str, str]:
    return entry.date, entry.key, digest(entry)


def fingerprint(project: str, words: Sequence[str]) -> str:
    """The name of a pattern's candidate: the same whatever its spellings and however often it came back."""
    return f"review-{hashlib.sha256('|'.join([project, *words]).encode('utf-8', 'replace')).hexdigest()[:24]}"


def consolidated(entries: Sequence[ReviewEntry], project: str, before: Consolidation, now: str) -> Consolidation:
    """The result over all entries; number and date change only where the entries did."""
    digests = _digests(entries)
    newest = max(entries, key=_place, default=None)
    is_new = digests != before.entries
    return Consolidation(
        last_consolidated_review=newest.id if newest else None,
        consolidation_number=before.consolidation_number + is_new,
        last_date=now if is_new else before.last_date,
        threshold=before.threshold,
        entries=digests,
        patterns=[_pattern(cluster, project) for cluster in recurring(entries)],
    )


def _digests(entries: Iterable[ReviewEntry]) -> dict[str, str]:
    """By key; of several entries under one key, as a merge of two branches leaves them, all digests."""
    found: dict[str, list[str]] = {}
    for entry in entries:
        found.setdefault(entry.key, []).append(digest(entry))
    return {key: _BETWEEN.join(sorted(found[key])) for key in sorted(found)}


def new_entries(entries: Iterable[ReviewEntry], before: Consolidation) -> int:
    """How many entries the last consolidation has not seen as they are now, by what they say."""
    return sum(digest(entry) not in before.entries.get(entry.key, "").split(_BETWEEN) for entry in entries)


def is_due(entries: Sequence[ReviewEntry], before: Consolidation) -> bool:
    return new_entries(entries, before) >= max(1, before.threshold)


def digest(entry: ReviewEntry) -> str:
    """Of what it says; its id and whether it is archived do not count."""
    said = {name: value for name, value in entry_document(entry).items() if name not in ("id", "archived")}
    return hashlib.sha256(msgspec.json.encode(said)).hexdigest()[:16]


def _pattern(cluster: Cluster, project: str) -> RecurringPattern:
    dates = [each.entry.date for each in cluster.occurrences if each.entry.date]
    return RecurringPattern(
        pattern=cluster.name,
        words=list(cluster.words),
        spellings=sorted({each.spelling for each in cluster.occurrences}),
        occurrences=len(cluster.occurrences),
        pull_requests=cluster.pull_requests,
        entries=[each.entry.id for each in cluster.occurrences],
        first_seen=min(dates, default=""),
        last_seen=max(dates, default=""),
        candidate=fingerprint(project, cluster.words),
    )
