"""Turns recurring patterns into candidates, with every entry that names them as evidence."""

from collections.abc import Sequence

from lessons.candidate import REVIEW, REVIEW_SESSIONS, WRITTEN, CandidateDocument, Occurrence, Quote
from lessons.code_review import ReviewEntry
from lessons.reviews import consolidate
from lessons.reviews.consolidate import Cluster
from lessons.reviews.rule import triggers_of
from lessons.reviews.words import normal_words
from lessons.store.history.candidates import CandidateRow

_HIGHEST_CONFIDENCE = 0.9
_LOWEST_CONFIDENCE = 0.5
_PER_OCCURRENCE = 0.05
_MOST_QUOTES = 3
_LONGEST_SUMMARY = 120
_KEYS = ("problem", "solution", "summary", "quotes", "tags", "triggers", "project", "source")


def rows_of(entries: Sequence[ReviewEntry], project: str, file: str) -> list[CandidateRow]:
    """One candidate per recurring pattern; `file` is the review log that the evidence points to."""
    return [_row(cluster, project, file) for cluster in consolidate.recurring(entries)]


def _row(cluster: Cluster, project: str, file: str) -> CandidateRow:
    name = cluster.name.replace("-", " ")
    times, pull_requests = len(cluster.occurrences), cluster.pull_requests
    numbers = ", ".join(f"#{number}" for number in pull_requests[:5]) + (
        " and others" if len(pull_requests) > 5 else ""
    )
    texts = list(dict.fromkeys(one.text for each in cluster.occurrences for one in each.findings if one.text))
    learned = [line for each in cluster.occurrences for line in each.entry.learnings if _is_about(line, cluster)]
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
    evidence = [_evidence(each.entry, project, file) for each in cluster.occurrences]
    mark = consolidate.fingerprint(project, cluster.words)
    return CandidateRow(mark, WRITTEN, REVIEW, document.text(*_KEYS), confidence, reviews=evidence)


def _is_about(line: str, cluster: Cluster) -> bool:
    words = set(normal_words(line))
    return len(words & set(cluster.words)) * 2 > len(cluster.words)


def _evidence(entry: ReviewEntry, project: str, file: str) -> Occurrence:
    """Uses an entry like a transcript record: its pull request as the session, its key as the record."""
    of_pull_request, of_review = REVIEW_SESSIONS
    session = f"{of_pull_request}{entry.pr}" if entry.pr is not None else f"{of_review}{entry.id}"
    return Occurrence(session, entry.key, "", "", project, entry.date, file)
