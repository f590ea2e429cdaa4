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


def is_alike(one: Candidate, other: Candidate) -> bool:
    return likeness(_words(one), _words(other)) >= ALIKE


def _words(candidate: Candidate) -> str:
    return f"{candidate.problem}\n{candidate.solution}"
