"""A name that a library does not have: the trigger is on the code in the command line, or on the exact error."""

import os
import re
from collections.abc import Iterator, Sequence

from lessons.failure.api_error import ApiError, api_error, uses
from lessons.match.call import ToolCall
from lessons.match.rule import why_it_fires
from lessons.model import Scope, Triggers
from lessons.promote.propose.good_calls import GoodCalls, before
from lessons.promote.propose.judge import rule_of
from lessons.promote.propose.mistake import EVERYWHERE, Mistake
from lessons.promote.propose.scope import project_of
from lessons.promote.propose.words import literal

_LONGEST_SCRIPT = 4096
_SHORTEST_UNUSUAL = 8  # characters of a name that other classes hardly have
_ARGUMENTS = r"\((?:[^()\n]|\([^()\n]*\))*"
_IMPORT = re.compile(r"\b(?:from|import)\s+([A-Za-z_]\w*)")


def api_trigger(mistake: Mistake) -> Triggers | None:
    """Returns None if the failures are not all about one name that their code uses."""
    found = {api_error(call.error or "") for call in mistake.failures}
    missing = found.pop() if len(found) == 1 else None
    if missing is None or not all(any(uses(missing, text) for text in call.scripts()) for call in mistake.failures):
        return None
    at_error = Triggers(error_patterns=[literal(missing.line)])
    for pattern in _patterns(missing, mistake.failures):
        triggers = Triggers(command_patterns=[pattern], error_patterns=at_error.error_patterns, match_on="script")
        rule = rule_of(triggers)
        good = (*_good(mistake, missing.name), *(before(fix) for fix in mistake.fixes if fix is not None))
        if all(why_it_fires(rule, before(call)) for call in mistake.failures) and not any(
            why_it_fires(rule, call) for call in good
        ):
            return triggers
    return at_error


def scope_of_api(mistake: Mistake) -> Scope:
    """Returns the project if the code imports its own package; a library is the same everywhere."""
    own = project_of(mistake)
    package = os.path.basename(mistake.project).replace("-", "_")
    scripts = [script[:_LONGEST_SCRIPT] for call in mistake.failures for script in call.scripts()]
    return own if own and any(package in _IMPORT.findall(script) for script in scripts) else EVERYWHERE


def _patterns(missing: ApiError, failures: Sequence[ToolCall]) -> Iterator[str]:
    """Yields a pattern for the use of the name with what stands before it in the code of the failures."""
    scripts = [script[:_LONGEST_SCRIPT] for call in failures for script in call.scripts()]
    if missing.kind == "keyword":
        called = re.compile(rf"([A-Za-z_]\w*){_ARGUMENTS}\b{missing.name}\s*=(?!=)")
        for name in dict.fromkeys(found[1] for script in scripts for found in called.finditer(script)):
            yield rf"\b{name}\([^\n]*\b{missing.name}\s*=(?!=)"
    elif missing.kind == "member":
        owner = re.compile(rf"([A-Za-z_]\w*)\.{missing.name}\b")
        for name in dict.fromkeys(found[1] for script in scripts for found in owner.finditer(script)):
            yield rf"\b{name}\.{missing.name}\b"
    elif missing.kind == "import":
        yield rf"\bfrom\s+{literal(missing.owner)}\b[^\n;]*\b{missing.name}\b"
    elif "_" in missing.name.strip("_") and len(missing.name) >= _SHORTEST_UNUSUAL:
        yield rf"\.{missing.name}\b"


def _good(mistake: Mistake, name: str) -> Iterator[ToolCall]:
    for calls in (mistake.successes, mistake.others):
        yield from (good.call() for good in GoodCalls.of_calls(calls).holding((name,)))
