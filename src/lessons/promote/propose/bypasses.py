"""Detects calls that worked only by bypassing the check on which the others failed."""

from collections.abc import Iterable

from lessons.match.call import ToolCall
from lessons.shell.bypass import may_bypass_check, may_set_check_off


def is_bypass(fix: ToolCall, failures: Iterable[ToolCall]) -> bool:
    """Whether the call that worked has such an option or assignment, and no failing one does."""
    found = _bypasses(fix)
    return bool(found) and not any(found & _bypasses(failure) for failure in failures)


def _bypasses(call: ToolCall) -> set[str]:
    found: set[str] = set()
    for texts in call.invocations():
        words = texts[-1].split(" ")
        options = {word.partition("=")[0] for word in words[1:] if word[:1] == "-"}
        found |= {option for option in options if may_bypass_check(words, option)}
        found |= {word.partition("=")[0] for word in texts[0].split(" ") if "=" in word and may_set_check_off(word)}
    return found
