"""Recurring patterns of the review log: which findings are the same, and the candidate that each pattern becomes."""

import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from lessons.candidate import REVIEW, REVIEW_SESSIONS, WRITTEN, CandidateDocument, Occurrence, Quote
from lessons.project_state import Consolidation, Finding, RecurringPattern, ReviewEntry, entry_document
from lessons.reviews.entry import cleaned, is_heading, normal_words
from lessons.reviews.review_text import blamed_code, forbidden_code, key_of, quoted_code
from lessons.store.history.candidates import CandidateRow

LEAST_OCCURRENCES = 3
LEAST_PULL_REQUESTS = 2
_BETWEEN = " "


class PatternUse(NamedTuple):
    """One entry that names a pattern, with its findings."""

    entry: ReviewEntry
    spelling: str
    findings: list[Finding]


class Cluster(NamedTuple):
    """The spellings of one pattern, and every entry with one of them."""

    words: tuple[str, ...]
    occurrences: list[PatternUse]

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
    found: dict[tuple[str, ...], list[PatternUse]] = {}
    # The file may be edited by hand, or come with a repository.
    for entry in sorted(map(cleaned, entries), key=_place):
        named: dict[tuple[str, ...], str] = {}
        for name in entry.pattern_names():
            if not is_heading(name):
                named.setdefault(normal_words(name), name)
        for words, spelling in named.items():
            own = [one for one in entry.findings if normal_words(one.pattern) == words]
            found.setdefault(words, []).append(PatternUse(entry, spelling, own))
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


_LEAST_ENTRIES = 2
_SHARE = 0.5  # of the entries that quote any code
_SPECIAL = re.compile(r"([.^$*+?{}\[\]\\|()])")


def triggers_of(cluster: Cluster) -> dict[str, object]:
    """Returns a content pattern, gated by a path pattern if all files are of one type; empty if no code recurs."""
    quoting = [each for each in cluster.occurrences if any(one.code for one in each.findings)]
    counts = Counter(key for each in quoting for key in _keys(each.findings))
    good = {key_of(code) for each in quoting for one in each.findings for code in quoted_code(one.text).recommended}
    usable = {key: count for key, count in counts.items() if key not in good and len(re.findall(r"\w", key)) >= 4}
    blamed = Counter(key for each in quoting for one in each.findings for key in map(key_of, blamed_code(one.text)))
    best = min(usable, key=lambda key: (-usable[key], -blamed[key], -len(key), key), default="")
    if not best or usable[best] < max(_LEAST_ENTRIES, _SHARE * len(quoting)):
        return {}
    findings = [one for each in quoting for one in each.findings if best in _keys([one])]
    triggers: dict[str, object] = {"contentPatterns": [_literal_pattern(best, findings)]}
    endings = {os.path.splitext(one.path)[1] for one in findings if one.path}
    if len(endings) == 1 and "" not in endings:
        triggers["pathPatterns"] = [f"**/*{endings.pop()}"]
    return triggers


def _keys(findings: Sequence[Finding]) -> set[str]:
    """Returns the code that the findings reject everywhere, as far as their text shows."""
    found = set()
    for one in findings:
        only_named = {*quoted_code(one.text).wrong} - {*forbidden_code(one.text)}
        found |= {key_of(code) for code in one.code if code not in only_named}
    return found


def _literal_pattern(key: str, findings: Sequence[Finding]) -> str:
    """Matches the code literally; white space may differ, and it must not be part of a longer name."""
    escaped = r"\s+".join(_SPECIAL.sub(r"\\\1", word) for word in key.split())
    calls = [code for one in findings for code in one.code if key_of(code) == key]
    end = r"\s*\(" if all(code.endswith(")") and code != key for code in calls) else r"\b" if key[-1].isalnum() else ""
    return (r"\b" if key[0].isalnum() or key[0] == "_" else "") + escaped + end


_HIGHEST_CONFIDENCE = 0.9
_LOWEST_CONFIDENCE = 0.5
_PER_OCCURRENCE = 0.05
_MOST_QUOTES = 3
_LONGEST_SUMMARY = 120
_KEYS = ("problem", "solution", "summary", "quotes", "tags", "triggers", "project", "source")


def rows_of(entries: Sequence[ReviewEntry], project: str, file: str) -> list[CandidateRow]:
    """One candidate per recurring pattern; `file` is the review log that the evidence points to."""
    return [_row(cluster, project, file) for cluster in recurring(entries)]


def _row(cluster: Cluster, project: str, file: str) -> CandidateRow:
    name = cluster.name.replace("-", " ")
    times, pull_requests = len(cluster.occurrences), cluster.pull_requests
    numbers = ", ".join(f"#{number}" for number in pull_requests[:5]) + (
        " and others" if len(pull_requests) > 5 else ""
    )
    texts = list(dict.fromkeys(one.text for each in cluster.occurrences for one in each.findings if one.text))
    learned = [
        line
        for each in cluster.occurrences
        for line in each.entry.learnings
        if len({*normal_words(line)} & {*cluster.words}) * 2 > len(cluster.words)
    ]
    advice = texts[-1] if texts else learned[-1] if learned else ""
    document = CandidateDocument(
        problem=f"Reviews keep finding “{name}”: {times} times, in pull requests {numbers}.",
        solution=f"Check for it before a review does. A reviewer said: “{advice}”" if advice else f"Check for {name}.",
        summary=f"Reviewers keep finding: {name}"[:_LONGEST_SUMMARY],
        quotes=[Quote(error=text) for text in texts[-_MOST_QUOTES:]],
        tags=["topic:review"],
        triggers=triggers_of(cluster),
        project=project,
        source=file,
    )
    confidence = round(min(_HIGHEST_CONFIDENCE, _LOWEST_CONFIDENCE + _PER_OCCURRENCE * times), 2)
    of_pull_request, of_review = REVIEW_SESSIONS
    # An entry is evidence like a transcript record: its pull request as the session, its key as the record.
    evidence = [
        Occurrence(
            f"{of_review}{entry.id}" if entry.pr is None else f"{of_pull_request}{entry.pr}",
            *(entry.key, "", "", project, entry.date, file),
        )
        for entry in (each.entry for each in cluster.occurrences)
    ]
    mark = fingerprint(project, cluster.words)
    return CandidateRow(mark, WRITTEN, REVIEW, document.text(*_KEYS), confidence, reviews=evidence)
