"""A candidate together with the user's changes to its proposal."""

from collections.abc import Iterable

import msgspec

from lessons.lesson_fields import attribute_of
from lessons.model import Lesson, Scope, Triggers
from lessons.promote.intake.similarity import jaccard
from lessons.promote.promotion.promotion import Choice
from lessons.promote.queue.candidate import Candidate
from lessons.promote.review.pair import Pair
from lessons.store.history.diagnoses import Diagnosis


class Case(msgspec.Struct):
    """One candidate shown to the user."""

    candidate: Candidate
    pair: Pair
    choice: Choice = Choice()
    alike: list[Candidate] = []  # the same mistake in other words, decided together
    diagnosis: Diagnosis | None = None  # what the agent wrote after its newest failure
    is_ready: bool = True  # whether it has its trigger, its pair and its diagnosis

    @property
    def triggers(self) -> Triggers | None:
        if self.choice.triggers is not None:
            return self.choice.triggers
        return proposed(self.candidate)

    @property
    def scope(self) -> Scope:
        return self.choice.scope or self.candidate.scope

    def text(self, field: str) -> str:
        """Returns the lesson's text for a field: as chosen, else as the candidate proposes."""
        chosen = self.choice.text(field)
        return str(getattr(self.candidate, attribute_of(field), "")) if chosen is None else chosen


def most_similar(case: Case, lessons: Iterable[Lesson]) -> list[Lesson]:
    """Returns the lessons in the order in which a case could be merged into them."""
    about = f"{case.text('problem')} {case.text('solution')}"
    return sorted(lessons, key=lambda each: (-jaccard(about, f"{each.problem} {each.solution}"), each.slug))


def proposed(candidate: Candidate) -> Triggers | None:
    """Returns the proposed trigger, if there is one and it can be read."""
    if not candidate.proposed_trigger:
        return None
    try:
        return msgspec.convert(candidate.proposed_trigger, Triggers)
    except msgspec.ValidationError:
        return None
