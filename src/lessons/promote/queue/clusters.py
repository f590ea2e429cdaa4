"""Groups near-duplicate candidates."""

from collections import Counter
from collections.abc import Sequence

from lessons.promote.intake.similarity import ALIKE, likeness, tokens
from lessons.promote.queue.candidate import Candidate


def clusters(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Each joins the first one before it that is much alike, or begins a cluster; the order stays.

    Compared is with the first of a cluster alone: a chain of small steps would lead anywhere.
    """
    found: list[list[Candidate]] = []
    telling = _telling_words(candidates)
    by_word: dict[str, list[int]] = {}  # the clusters whose first one has this among its telling words
    for candidate, words in zip(candidates, telling, strict=True):
        possible = sorted({number for word in words for number in by_word.get(word, ())})
        alike = next((number for number in possible if is_alike(found[number][0], candidate)), None)
        if alike is not None:
            found[alike].append(candidate)
            continue
        for word in words:
            by_word.setdefault(word, []).append(len(found))
        found.append([candidate])
    return found


def _telling_words(candidates: Sequence[Candidate]) -> list[list[str]]:
    """Of each the rarest of its words, so many that two which are alike must have one of them in common.

    To be alike is to share half of all the words that either says, so the more than half of its own that are rarest
    cannot all be missing in the other: thousands are grouped without comparing each with each.
    """
    said = [tokens(_words(candidate)) for candidate in candidates]
    times = Counter(word for words in said for word in words)
    return [sorted(words, key=lambda word: (times[word], word))[: int(len(words) * (1 - ALIKE)) + 1] for words in said]


def cluster_of(candidate: Candidate, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The cluster that `clusters` puts it into."""
    own = candidate.fingerprint
    found = (cluster for cluster in clusters(candidates) if any(each.fingerprint == own for each in cluster))
    return next(found, [candidate])


def is_alike(one: Candidate, other: Candidate) -> bool:
    return likeness(_words(one), _words(other)) >= ALIKE


def _words(candidate: Candidate) -> str:
    return f"{candidate.problem}\n{candidate.solution}"
