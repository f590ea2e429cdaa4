"""Finds the simplest trigger for a mistake: at the call, else at its error, else a note at the start of a session."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from lessons.failure.complaint import is_about_files
from lessons.match.call import ToolCall
from lessons.model import Scope, Triggers
from lessons.promote.propose.error import error_trigger, option_errors, place_trigger
from lessons.promote.propose.judge import Attempt, Case, Verdict, judge
from lessons.promote.propose.missing import IsHere, missing_program_trigger
from lessons.promote.propose.mistake import EVERYWHERE, Mistake
from lessons.promote.propose.parts import joined
from lessons.promote.propose.redirect import redirect_trigger
from lessons.promote.propose.scope import project_of, scope_of_missing, scopes_of, scopes_of_kind
from lessons.promote.propose.shell import shell_attempts
from lessons.promote.propose.tool import tool_attempts
from lessons.shell.missing import is_said_by_shell

# When a lesson acts: before the call runs, right after it failed, or at the start of a session.
Moment = Literal["call", "error", "start"]
OtherErrors = Callable[[Scope], Sequence[str]]

_NO_FAILURE = "There is no failing call to make a trigger from."
_MANY_TOOLS = "The failures are calls of several tools, and their errors have too little in common."
_NOTHING = "The same command sometimes works, and the error says too little for a trigger."
_SLACK = 0.01  # of the successes: a few of them are unreported failures
_MOST_PARTS = 48  # failures that are analysed alone, each compared with every success
_WORDS_OF_A_SENTENCE = 6  # no other program says the same,
# but each program in a language says what its runtime or compiler does.
_OF_LANGUAGE = re.compile(
    r"\b[A-Z]\w*(?:Error|Exception|Warning)\b|could not compile|previous error|\b(?:TS|CS|E)\d{3,5}\b|^panic: "
)
# Facts about a machine or a project, worth a line before anything is called.
_FACTS = frozenset(("missing-tool", "wrong-path", "order-of-steps"))


class Proposal(msgspec.Struct, frozen=True):
    """A trigger and its result on the calls; without one, why there is none."""

    triggers: Triggers | None
    reason: str = ""
    caught: float = 0.0  # share of the failures that it fires on
    spared: float = 1.0  # share of the successes that it does not fire on
    scope: Scope = EVERYWHERE
    acts_at: Moment | None = None
    option: str = ""  # an option that does not exist, according to the error


def propose(
    failures: Sequence[ToolCall],
    fixes: Sequence[ToolCall],
    successes: Sequence[ToolCall],
    others: Sequence[ToolCall] = (),
) -> Proposal:
    """Proposes a trigger on the call alone, compared with successful calls everywhere."""
    mistake = Mistake(failures, (), fixes, successes, others)
    return _at_call(mistake, [EVERYWHERE])


def propose_for(
    mistake: Mistake, other_errors: OtherErrors = lambda scope: (), is_here: IsHere = lambda program: False
) -> Proposal:
    """Returns the earliest moment that works; `other_errors` are those that the lesson would see besides its own."""
    if not mistake.failures:
        return Proposal(None, _NO_FAILURE)
    if missing := missing_program_trigger(mistake, is_here):
        scope = scope_of_missing(mistake)
        return Proposal(missing, "", 1.0, 1.0, scope, "call" if missing.command_patterns else "error")
    found = _at_call(mistake, scopes_of(mistake))
    if found.triggers is None:
        found = _of_parts(mistake)
    errors = [call.error for call in mistake.failures if call.error]
    if found.triggers is not None:
        on_error = error_trigger(errors, other_errors(found.scope), mistake.is_to_blame)
        net = _net(on_error, found.option, errors)
        return _with_error(found, net if net and _is_clear(net, found.scope, mistake) else None)
    if (own := project_of(mistake)) and (in_state := redirect_trigger(mistake)):
        return Proposal(in_state, scope=own, acts_at="call", caught=1.0)
    for scope in scopes_of_kind(mistake):
        on_error = error_trigger(errors, other_errors(scope), mistake.is_to_blame)
        if on_error and _is_clear(on_error, scope, mistake):
            return Proposal(on_error, scope=scope, acts_at="error", caught=1.0)
    if mistake.kind not in _FACTS and own and (on_error := place_trigger(mistake.failures)):
        return Proposal(on_error, scope=own, acts_at="error", caught=1.0)
    if mistake.kind in _FACTS and mistake.project:
        note = Triggers(session_start=True)
        return Proposal(note, found.reason, scope=Scope(type="project", path=mistake.project), acts_at="start")
    return found


def _net(on_error: Triggers | None, option: str, errors: Sequence[str]) -> Triggers | None:
    """Prefers a trigger that names the wrong option to a line that may be about any other."""
    if not option or (on_error is not None and option.strip("-") in on_error.error_patterns[0]):
        return on_error
    named = option_errors(option)
    return named if on_error is None or any(re.search(named.error_patterns[0], error) for error in errors) else on_error


def _is_clear(on_error: Triggers, scope: Scope, mistake: Mistake) -> bool:
    """Whether errors of one project are clear everywhere: a whole sentence, or one with the program, word or shell."""
    if scope.path or not mistake.project:
        return True
    lines = [line for call in mistake.failures for line in (call.error or "").splitlines()]
    matching = [line for line in lines if re.search(on_error.error_patterns[0], line)]
    if matching and all(map(is_said_by_shell, matching)):
        return True
    words = set(re.findall(r"[\w-]{2,}", on_error.error_patterns[0]))
    is_sentence = len(words) >= _WORDS_OF_A_SENTENCE and not any(map(_OF_LANGUAGE.search, matching))
    if is_sentence and not any(map(is_about_files, matching)):
        return True
    called = {text.partition(" ")[0] for call in mistake.failures for texts in call.invocations() for text in texts}
    return bool({word.lower() for word in words} & called) or any(map(mistake.is_to_blame, words))


def _with_error(found: Proposal, on_error: Triggers | None) -> Proposal:
    """Adds the error trigger, which catches the same mistake in a call that looks different."""
    if on_error is None or found.triggers is None:
        return found
    triggers = msgspec.structs.replace(found.triggers, error_patterns=on_error.error_patterns)
    return msgspec.structs.replace(found, triggers=triggers)


def _at_call(mistake: Mistake, scopes: Sequence[Scope]) -> Proposal:
    """Tries what the error names first, in every scope; then what else distinguishes the failures.

    The result fires on nearly all failures, on no fix and on almost no success in its scope.
    """
    if not mistake.failures:
        return Proposal(None, _NO_FAILURE)
    tool, number = Counter(call.names[0] for call in mistake.failures).most_common(1)[0]
    if number < len(mistake.failures):
        return Proposal(None, _MANY_TOOLS)
    cases = [(scope, mistake.case_in(scope)) for scope in scopes]
    for is_named in (True, False):
        for scope, case in cases:
            is_meant = _meant(is_named, scope, len(set(mistake.projects)) == 1, mistake.has_remedy)
            if best := _best(case, tool == "Bash", is_meant):
                return _proposal(best, case, scope)
    return Proposal(None, _NOTHING)


def _proposal(best: tuple[Attempt, Verdict], case: Case, scope: Scope) -> Proposal:
    attempt, verdict = best
    good = len(case.successes) + len(case.others)
    spared = 1 - verdict.hit / good if good else 1.0
    caught = verdict.caught / len(case.failures)
    return Proposal(attempt.triggers, "", caught, spared, scope, "call", attempt.option)


def _meant(is_named: bool, scope: Scope, is_of_one_project: bool, has_remedy: bool) -> Callable[[Attempt], bool]:
    """Limits what names a place to its own project; what works elsewhere is not wrong in one project alone.

    Without a remedy only what is never right is met at the call: a call with anything else may be correct.
    """

    def is_meant(attempt: Attempt) -> bool:
        if attempt.is_named != is_named or not (has_remedy or attempt.is_never_right):
            return False
        return not attempt.is_head_alone if scope.path else not (attempt.is_local and is_of_one_project)

    return is_meant


def _of_parts(mistake: Mistake) -> Proposal:
    """Finds patterns for single failures whose errors name what is wrong with each."""
    found = []
    places = range(0, len(mistake.failures), len(mistake.failures) // _MOST_PARTS + 1)
    for place in places:
        alone = mistake.alone(place)
        for scope in scopes_of(alone):
            is_meant = _meant(True, scope, True, mistake.has_remedy)
            best = _best(alone.case_in(scope), alone.failures[0].is_shell, is_meant)
            if best:
                found.append((best[0], scope))
                break
    triggers, scope = joined(found, mistake)
    if triggers is None:
        return Proposal(None, _NOTHING)
    return Proposal(triggers, "", len(found) / len(places), 1.0, scope, "call")


def _best(case: Case, is_shell: bool, is_meant: Callable[[Attempt], bool]) -> tuple[Attempt, Verdict] | None:
    """Returns the simplest that works; one that fires on successes is replaced if another fires on many fewer."""
    fallback: tuple[Attempt, Verdict] | None = None
    slack = _SLACK * len(case.successes)
    for attempts in shell_attempts(case) if is_shell else tool_attempts(case):
        meant = [attempt for attempt in attempts if is_meant(attempt)]
        judged = [(attempt, verdict) for attempt in meant if (verdict := judge(attempt, case))]
        if not judged:
            continue
        least = min(verdict.hit for _, verdict in judged)
        best = next(one for one in judged if one[1].hit <= least + slack)
        if best[1].hit <= slack:
            return best
        if fallback is None or best[1].hit + slack < fallback[1].hit:
            fallback = best
    return fallback
