"""A name that a library does not have: the trigger is on the code in the command line, or on the exact error."""

import re
from collections.abc import Iterator, Sequence

from lessons.failure.api_error import (
    ApiError,
    api_error,
    called_name,
    import_pattern,
    is_the_same_everywhere,
    library_error,
    uses,
)
from lessons.failure.libraries import BUILTINS, NODE_MODULES, is_library
from lessons.failure.script_code import code_of, python_names
from lessons.match.call import ToolCall
from lessons.match.rule import why_it_fires
from lessons.model import Scope, Triggers
from lessons.promote.propose.good_calls import GoodCalls, before
from lessons.promote.propose.judge import rule_of
from lessons.promote.propose.mistake import EVERYWHERE, Mistake
from lessons.promote.propose.scope import project_of
from lessons.promote.propose.words import literal

# What may stand before a keyword inside the parentheses of its call.
_BEFORE = r"""(?:(?:[^()"';]|"[^"\n]*"|'[^'\n]*'|\([^()]*\))*,)?\s*"""


def api_trigger(mistake: Mistake) -> Triggers | None:
    """Returns None if the failures are not all about one name that their code uses.

    The error alone is enough where it is not certain that the name is of a library, or that another one helped.
    """
    missing = _missing(mistake)
    if missing is None:
        return None
    at_error = Triggers(error_patterns=[literal(missing.line)])
    pattern = _pattern(missing, mistake.failures) if _is_certain(missing, mistake) else ""
    if not pattern:
        return at_error
    triggers = Triggers(command_patterns=[pattern], error_patterns=at_error.error_patterns, match_on="script")
    rule = rule_of(triggers)
    is_met = all(why_it_fires(rule, before(call)) for call in mistake.failures)
    good = (*_good(mistake, missing.name), *(before(fix) for fix in mistake.fixes if fix is not None))
    return triggers if is_met and not any(why_it_fires(rule, call) for call in good) else at_error


def scope_of_api(mistake: Mistake) -> Scope:
    missing = _missing(mistake)
    if missing and is_the_same_everywhere(missing) and _is_certain(missing, mistake):
        return EVERYWHERE
    return project_of(mistake) or EVERYWHERE


def _missing(mistake: Mistake) -> ApiError | None:
    """Returns the one name that all failures are about."""
    found = [api_error(call.error or "") for call in mistake.failures]
    first = found[0]
    if first is None or any(one is None or one[:4] != first[:4] for one in found):
        return None
    return first if all(_uses(first, call) for call in mistake.failures) else None


def _uses(missing: ApiError, call: ToolCall) -> bool:
    return any(uses(missing, code_of(script)) for script in call.scripts())


def _is_certain(missing: ApiError, mistake: Mistake) -> bool:
    """Whether a library lacks the name, and calls without it worked."""
    fixes = [fix for fix in mistake.fixes if fix is not None]
    if not fixes or (missing.kind in ("member", "import") and any(_uses(missing, fix) for fix in fixes)):
        return False
    return all(library_error(call.error or "", call.scripts(), call.cwd or "") for call in mistake.failures)


def _pattern(missing: ApiError, failures: Sequence[ToolCall]) -> str:
    """Returns a pattern for the use of the name with its module; empty if the code does not show that."""
    if missing.kind == "import":
        return import_pattern(missing)
    script = code_of("\n".join(failures[0].scripts()))
    if missing.kind == "member":
        return _of_member(missing, script)
    return _of_keyword(missing, script, failures[0].cwd or "") if missing.kind == "keyword" else ""


def _of_member(missing: ApiError, script: str) -> str:
    if missing.owner in NODE_MODULES:
        return ""  # in another language the module has other names
    for name in (missing.owner, *(name for name, full in python_names(script).items() if full == missing.owner)):
        use = rf"(?<![\w.]){literal(name)}\.{missing.name}\b"
        if re.search(use, script):
            return use if name == missing.owner else rf"\bimport\s+{literal(missing.owner)}\s+as\s+{name}\b[\s\S]*{use}"
    return ""


def _of_keyword(missing: ApiError, script: str, folder: str) -> str:
    """Accepts a builtin function, or a function or class that is called as part of its module."""
    name = called_name(missing)
    arguments = rf"\({_BEFORE}{missing.name}\s*=(?!=)"
    names = python_names(script)
    if name in BUILTINS and name not in names:
        return rf"(?<!def )(?<![\w.]){name}{arguments}"
    for module, full in names.items() if "." not in name else ():
        use = rf"(?<![\w.]){literal(module)}\.{name}{arguments}"
        if module == full and is_library(full, folder) and re.search(use, script):
            return use
    return ""


def _good(mistake: Mistake, name: str) -> Iterator[ToolCall]:
    for calls in (mistake.successes, mistake.others):
        yield from (good.call() for good in GoodCalls.of_calls(calls).holding((name,)))
