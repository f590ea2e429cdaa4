"""Decides what may be between the head of a command and a wrong option: not another command with its own options."""

import re
from collections.abc import Iterable

from lessons.match.call import ToolCall
from lessons.promote.propose.heads import Key, begins
from lessons.promote.propose.named import Named

ANYTHING = r".*"
_ONLY_OPTIONS = r"(?:\s-\S+)*"
_NO_END_OF_OPTIONS = r"(?:\s(?!--\s)\S+)*"


def gap_before(named: Named, head: Key, failures: Iterable[ToolCall]) -> str:
    """Returns a pattern for anything, unless the failures agree on something narrower."""
    found = {_gap(named, head, call) for call in failures} if named.pattern[0] == "-" else set()
    return found.pop() if len(found) == 1 else ANYTHING


def _gap(named: Named, head: Key, call: ToolCall) -> str:
    commands = [text for texts in call.invocations() for text in texts]
    own = next((text for text in commands if begins(text.split(" "), head)), "")
    words = own.split(" ")[len(head) :]
    place = next((number for number, word in enumerate(words) if re.match(named.pattern, word)), len(words))
    if "--" in words[place:]:
        return _NO_END_OF_OPTIONS
    runs_another = any(own.endswith(" " + text) for text in commands if text != own)
    return _ONLY_OPTIONS if runs_another and all(word[:1] == "-" for word in words[:place]) else ANYTHING
