"""The failing calls of a mistake, their fixes and other calls that worked in, the simplest trigger for it out."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from lessons.match.call import ToolCall
from lessons.model import Triggers
from lessons.promote.propose.bypasses import is_bypass
from lessons.promote.propose.judge import Attempt, Case, Verdict, judge
from lessons.promote.propose.shell import shell_attempts
from lessons.promote.propose.tool import tool_attempts

_NO_FAILURE = "There is no failing call to make a trigger from."
_MANY_TOOLS = "The failures are calls of several tools: use it as a session-start note."
_NOTHING = "Nothing in the call tells the failures from the calls that worked: use it as a session-start note."
_SLACK = 0.01  # of the successes: a few of them are failures that did not tell


class Proposal(msgspec.Struct, frozen=True):
    """A trigger and how it would have done; without one, why there is none."""

    triggers: Triggers | None
    reason: str = ""
    caught: float = 0.0  # share of the failures that it fires on
    spared: float = 1.0  # share of the successes that it does not fire on


def propose(
    failures: Sequence[ToolCall],
    fixes: Sequence[ToolCall],
    successes: Sequence[ToolCall],
    others: Sequence[ToolCall] = (),
) -> Proposal:
    """The simplest trigger that fires on nearly all failures, on no fix and on next to no success.

    Failures are of one family and one error, and may carry it: a word that the error names is preferred. Successes are
    other calls of the family that worked, `others` those of the same programs whatever they did, the more the better.
    What only bypasses a check is no fix, but it worked.
    """
    if not failures:
        return Proposal(None, _NO_FAILURE)
    tool, number = Counter(call.names[0] for call in failures).most_common(1)[0]
    if number < len(failures):
        return Proposal(None, _MANY_TOOLS)
    real = [fix for fix in fixes if not is_bypass(fix, failures)]
    case = Case(failures, real, [*successes, *(fix for fix in fixes if fix not in real)], others)
    best = _best(case, tool == "Bash")
    if best is None:
        return Proposal(None, _NOTHING)
    attempt, verdict = best
    good = len(case.successes) + len(case.others)
    return Proposal(attempt.triggers, "", verdict.caught / len(failures), 1 - verdict.hit / good if good else 1.0)


def _best(case: Case, is_shell: bool) -> tuple[Attempt, Verdict] | None:
    """The simplest that will do; what fires on some success gives way to what fires on fewer, if that is many fewer."""
    fallback: tuple[Attempt, Verdict] | None = None
    slack = _SLACK * len(case.successes)
    for attempts in shell_attempts(case) if is_shell else tool_attempts(case):
        judged = [(attempt, verdict) for attempt in attempts if (verdict := judge(attempt, case))]
        if not judged:
            continue
        least = min(verdict.hit for _, verdict in judged)
        best = next(one for one in judged if one[1].hit <= least + slack)
        if best[1].hit <= slack:
            return best
        if fallback is None or best[1].hit + slack < fallback[1].hit:
            fallback = best
    return fallback
