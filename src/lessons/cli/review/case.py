"""A candidate and what a person has changed of its proposal in, the lesson as it stands now out."""

import msgspec

from lessons.cli.review.pair import Pair
from lessons.model import Scope, Triggers
from lessons.promote.promotion.promotion import Choice
from lessons.promote.queue.candidate import Candidate


class Case(msgspec.Struct):
    """One candidate in front of a person."""

    candidate: Candidate
    pair: Pair
    choice: Choice = Choice()
    alike: list[Candidate] = []  # the same mistake in other words: decided together

    @property
    def triggers(self) -> Triggers | None:
        if self.choice.triggers is not None:
            return self.choice.triggers
        return proposed(self.candidate)

    @property
    def scope(self) -> Scope:
        return self.choice.scope or self.candidate.scope

    def text(self, field: str) -> str:
        """The summary, problem or solution."""
        chosen = getattr(self.choice, field)
        return str(getattr(self.candidate, field) if chosen is None else chosen)


def proposed(candidate: Candidate) -> Triggers | None:
    """The trigger that was proposed, if there is one and it can be read."""
    if not candidate.proposed_trigger:
        return None
    try:
        return msgspec.convert(candidate.proposed_trigger, Triggers)
    except msgspec.ValidationError:
        return None
