"""Whether code in a failed command line imports a module that is not installed."""

import re

from lessons.episode import Step

_MISSING = re.compile(
    r"^(?:ModuleNotFoundError: No module named|(?:Error: )?Cannot find module) ['\"]([\w@./-]{1,80})['\"]", re.MULTILINE
)
_INLINE = re.compile(
    r"(?:^|[\s;&|])(?:python[\d.]*|node|ruby|perl|bun|deno|php)\s(?:[^|;&\n]*\s)?-(?:c|e|p|-eval)\b|<<"
)


def imports_missing_module(step: Step, text: str) -> bool:
    found = _MISSING.search(text)
    if found is None or not _INLINE.search(step.command):
        return False
    return re.search(rf"\b(?:import|from|require)\b.{{0,40}}\b{re.escape(found[1])}\b", step.command) is not None
