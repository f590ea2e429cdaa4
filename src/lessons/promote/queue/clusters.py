"""Groups near-duplicate candidates."""

from collections.abc import Sequence

from lessons.promote.intake.similarity import ALIKE, likeness
from lessons.promote.queue.candidate import Candidate


def clusters(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Each joins the first one before it that is much alike, or begins a cluster; the order stays.

    Compared is with the first of a cluster alone: a chain of small steps would lead anywhere.
    """
    found: list[list[Candidate]] = []
    for candidate in candidates:
        for cluster in found:
            if is_alike(cluster[0], candidate):
                cluster.append(candidate)
                break
        else:
            found.append([candidate])
    return found


def cluster_of(candidate: Candidate, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The cluster that `clusters` puts it into, found without comparing all of them with each other."""
    place = next((place for place, each in enumerate(candidates) if each.fingerprint == candidate.fingerprint), None)
    if place is None:
        return [candidate]
    known: dict[int, int] = {}

    def first_of(place: int) -> int:
        """The place of the first one of its cluster."""
        if place not in known:
            alike = (other for other in range(place) if is_alike(candidates[other], candidates[place]))
            known[place] = next((other for other in alike if first_of(other) == other), place)
        return known[place]

    first = first_of(place)
    later = (other for other in range(first + 1, len(candidates)) if is_alike(candidates[first], candidates[other]))
    return [candidates[first], *(candidates[other] for other in later if first_of(other) == first)]


def is_alike(one: Candidate, other: Candidate) -> bool:
    return likeness(_words(one), _words(other)) >= ALIKE


def _words(candidate: Candidate) -> str:
    return f"{candidate.problem}\n{candidate.solution}"
