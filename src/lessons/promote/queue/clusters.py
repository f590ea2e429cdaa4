"""Groups near-duplicate candidates."""

from collections import Counter
from collections.abc import Sequence

from lessons.promote.intake.similarity import ALIKE, TextWords, likeness, likeness_of, text_words
from lessons.promote.queue.candidate import Candidate


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


def is_alike(one: Candidate, other: Candidate) -> bool:
    return likeness(_words(one), _words(other)) >= ALIKE


def _words(candidate: Candidate) -> str:
    return f"{candidate.problem}\n{candidate.solution}"
