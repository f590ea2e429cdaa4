"""Finds recurring patterns in a review log; always computed from all entries."""

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
    """One entry that names a pattern, with its findings."""

    entry: ReviewEntry
    spelling: str
    findings: list[Finding]


class Cluster(NamedTuple):
    """The spellings of one pattern, and every entry with one of them."""

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
        """The most frequent spelling; the shortest if several are."""
        spellings = Counter(each.spelling for each in self.occurrences)
        return min(spellings, key=lambda one: (-spellings[one], len(one), one))


def clusters(entries: Iterable[ReviewEntry]) -> list[Cluster]:
    """Returns every pattern, ordered by its words; an entry counts once per pattern."""
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
    """Returns the id of a pattern's candidate: independent of spellings and number of occurrences."""
    return f"review-{hashlib.sha256('|'.join([project, *words]).encode('utf-8', 'replace')).hexdigest()[:24]}"


def consolidated(entries: Sequence[ReviewEntry], project: str, before: Consolidation, now: str) -> Consolidation:
    """Returns the result over all entries; number and date change only if the entries did."""
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
    """Returns digests by key; several entries with one key, as after a merge of two branches, keep all digests."""
    found: dict[str, list[str]] = {}
    for entry in entries:
        found.setdefault(entry.key, []).append(digest(entry))
    return {key: _BETWEEN.join(sorted(found[key])) for key in sorted(found)}


def new_entries(entries: Iterable[ReviewEntry], before: Consolidation) -> int:
    """Counts entries that the last consolidation has not seen in their current form."""
    return sum(digest(entry) not in before.entries.get(entry.key, "").split(_BETWEEN) for entry in entries)


def is_due(entries: Sequence[ReviewEntry], before: Consolidation) -> bool:
    return new_entries(entries, before) >= max(1, before.threshold)


def digest(entry: ReviewEntry) -> str:
    """Digests its content, without id and archive state."""
    content = {name: value for name, value in entry_document(entry).items() if name not in ("id", "archived")}
    return hashlib.sha256(msgspec.json.encode(content)).hexdigest()[:16]


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
