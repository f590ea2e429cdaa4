"""A data home and its queue in, how each proposed trigger does over the calls of the whole history out."""

from collections.abc import Iterable, Sequence

import msgspec

from evals.mined import Found
from lessons.candidate import FAILURE
from lessons.match.rule import Rule, why_it_fires
from lessons.mistakes.good_calls import call_of
from lessons.model import lesson_from_document
from lessons.promote.proposals import families_of, successes_of
from lessons.promote.publish.entry import entry_of
from lessons.promote.publish.examples import rule_of
from lessons.store.history.history import History
from lessons.store.history.past_calls import StoredCall

LEAST_CAUGHT, MOST_HIT = 0.90, 0.05


class Trial(msgspec.Struct, frozen=True):
    """What a trigger fires on: of the failures it was made from, and of the good calls of their family."""

    candidate: Found
    caught: int
    failures: int
    hit: int
    successes: int

    @property
    def is_good(self) -> bool:
        return self.caught >= LEAST_CAUGHT * self.failures and self.hit <= MOST_HIT * self.successes


def trials(home: str, found: Sequence[Found]) -> list[Trial]:
    """One for each candidate from failures that has a trigger, in their order."""
    with History.for_reading(home) as history:
        proposed = [each for each in found if each.tier == FAILURE and each.proposed_trigger]
        return [_trial(history, each) for each in proposed]


def _trial(history: History, candidate: Found) -> Trial:
    rule = _rule(candidate.proposed_trigger or {})
    failures = history.calls.named(candidate.calls)
    successes = [call for family in families_of(failures) for call in successes_of(history, family)]
    return Trial(candidate, _fires(rule, failures), len(failures), _fires(rule, successes), len(successes))


def _rule(triggers: dict[str, object]) -> Rule:
    blank = {"id": "trial", "slug": "trial", "summary": "", "problem": "", "solution": ""}
    return rule_of(entry_of(lesson_from_document({**blank, "triggers": triggers})).entry)


def _fires(rule: Rule, calls: Iterable[StoredCall]) -> int:
    """How many it fires on before they run, whatever came of them."""
    return sum(why_it_fires(rule, call_of(msgspec.structs.replace(call, error=""))) is not None for call in calls)
