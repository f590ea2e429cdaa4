"""A program that is not installed: the trigger names it, wherever it is called."""

from collections.abc import Callable, Sequence

import msgspec

from lessons.match.call import ToolCall
from lessons.match.rule import why_it_fires
from lessons.model import Triggers, When
from lessons.promote.propose.good_calls import GoodCalls, before
from lessons.promote.propose.judge import rule_of
from lessons.promote.propose.mistake import Mistake
from lessons.promote.propose.words import is_program, literal
from lessons.shell.elsewhere import carrier
from lessons.shell.missing import missing_programs

IsHere = Callable[[str], bool]
_FREQUENT_FAILURES = 3  # failures of a program that is here now


def missing_program_trigger(mistake: Mistake, is_here: IsHere) -> Triggers | None:
    """For a program that none of the failures found and that one of them calls by that name.

    It acts while the program is missing. Where the program is here now and yet failed again and again and never worked
    (the failures are of a container or of another machine), that condition would keep the lesson silent for ever: then
    the call is enough. After few failures it may as well have been installed since: then the error is enough.
    """
    if mistake.kind == "quoting":  # the shell ran what was meant as a text
        return None
    missing = set.intersection(*(missing_programs(call.error or "") for call in mistake.failures))
    called = [text.partition(" ")[0] for call in mistake.failures for texts in call.invocations() for text in texts]
    name = next((name for name in called if is_program(name) and name in missing), "")
    if not name:
        return None
    if is_missing_elsewhere(mistake):
        return _at_error(name)
    fixes = [fix for fix in (*mistake.fixes, *mistake.other_fixes) if fix is not None]
    if is_here(name):
        good = GoodCalls.of_calls(mistake.successes).plus(GoodCalls.of_calls(mistake.others))
        worked = [*(each.call() for each in good), *map(before, fixes)]
        unmet = [triggers for triggers in _forms(name) if not _fires_on_any(triggers, worked)]
        if unmet:
            return unmet[0] if len(mistake.failures) >= _FREQUENT_FAILURES else _at_error(name)
    return msgspec.structs.replace(_forms(name)[0], when=When(missing=[name]))


def is_missing_elsewhere(mistake: Mistake) -> bool:
    """Whether another machine or a container lacks it: what this machine has says nothing about that."""
    return all(
        any(carrier(call.command or "", name) for name in missing_programs(call.error or ""))
        for call in mistake.failures
    )


def _forms(name: str) -> Sequence[Triggers]:
    """However it is started; where the line itself names it, not a runner such as `npx`; where the line begins so."""
    return (
        Triggers(command_patterns=[rf"^{literal(name)}\b"], match_on="invocation"),
        Triggers(command_patterns=[rf"(?:^|[;&|(\n])\s*{literal(name)}\b"]),
        Triggers(command_patterns=[rf"^(?:cd \S+ *(?:&&|;) *)?{literal(name)}\b"]),
    )


def _at_error(name: str) -> Triggers:
    """In the words of any shell, or of what starts a container."""
    said = rf"not found: {literal(name)}(?![\w-])|(?<![\w-]){literal(name)}: (?:command )?not found"
    said += rf'|exec: "{literal(name)}": executable file not found'
    return Triggers(error_patterns=[rf"{said}|(?<![\w-]){literal(name)}['’] is not recognized as"])


def _fires_on_any(triggers: Triggers, calls: Sequence[ToolCall]) -> bool:
    rule = rule_of(triggers)
    return any(why_it_fires(rule, call) for call in calls)
