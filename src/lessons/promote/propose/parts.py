"""Joins the triggers of single failures to one trigger of their mistake."""

from collections.abc import Sequence

from lessons.match.rule import why_it_fires
from lessons.model import Scope, Triggers
from lessons.promote.propose.good_calls import before
from lessons.promote.propose.judge import Attempt, rule_of
from lessons.promote.propose.mistake import EVERYWHERE, Mistake

_LEAST_CAUGHT = 0.4  # of the failures: a lesson about less would be about another mistake
_MOST_PATTERNS = 4


def joined(found: Sequence[tuple[Attempt, Scope]], mistake: Mistake) -> tuple[Triggers | None, Scope]:
    """The patterns that catch most failures, one after the other, with the narrowest scope that all may have."""
    if any(scope != EVERYWHERE for _, scope in found) and not mistake.project:
        found = [(attempt, scope) for attempt, scope in found if scope == EVERYWHERE]
    for match_on in ("invocation", "command", None):
        attempts = [attempt for attempt, _ in found if _is_plain(attempt.triggers, match_on)]
        patterns, caught = _chosen(attempts, mistake)
        if patterns and caught >= _LEAST_CAUGHT * len(mistake.failures):
            first = attempts[0].triggers
            triggers = Triggers(tool_names=first.tool_names, command_patterns=patterns, match_on=first.match_on)
            return triggers, next((scope for _, scope in found if scope != EVERYWHERE), EVERYWHERE)
    return None, EVERYWHERE


def _is_plain(triggers: Triggers, match_on: str | None) -> bool:
    return triggers.match_on == match_on and bool(triggers.command_patterns) and not triggers.unless


def _chosen(attempts: Sequence[Attempt], mistake: Mistake) -> tuple[list[str], int]:
    """Those that catch most of what the others leave, and how many failures they catch together."""
    calls = [before(call) for call in mistake.failures]
    fires = {
        attempt.triggers.command_patterns[0]: {
            place for place, call in enumerate(calls) if why_it_fires(rule_of(attempt.triggers), call)
        }
        for attempt in attempts
    }
    patterns: list[str] = []
    caught: set[int] = set()
    while len(patterns) < _MOST_PATTERNS and len(patterns) < len(fires):
        best = max(fires, key=lambda pattern: (len(fires[pattern] - caught), pattern))
        if not fires[best] - caught:
            break
        patterns.append(best)
        caught |= fires[best]
    return sorted(patterns), len(caught)
