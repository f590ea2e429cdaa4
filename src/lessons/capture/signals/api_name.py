"""Finds what code in the command line uses in place of a name that a library does not have."""

import re
from difflib import SequenceMatcher

from lessons.capture.signals.difference import Words, blocks, inside, shortened, similarity
from lessons.capture.signals.pair import Pair
from lessons.episode import Change
from lessons.failure.api_error import ApiError, api_error, named_error, usage
from lessons.failure.script_code import code_of
from lessons.shell.split import scripts_in

_STATEMENT = re.compile(r"[^;\n]+")
_SIMILAR = 0.4
_COMPARED_CHARACTERS = 4096
_COMPARED = 200  # characters of a statement
_LONGEST_PART = 40  # of a statement: what is longer is shown with the rest of it


def change(pair: Pair) -> Change | None:
    """Compares code without its literals: these are of one call."""
    failure = pair.failure
    if not failure.command or not pair.fix.command or api_error(failure.error) is None:
        return None
    found = named_error(failure.error, scripts_in(failure.command), failure.cwd)
    if found is None:
        return None
    old, new = (code_in(step.command) for step in (failure, pair.fix))
    if not new or still_uses(found, old, new):
        return None
    if similarity(tuple(old.split()), tuple(new.split())) < _SIMILAR and found.owner not in new:
        return None
    return _exchanged(found, old, new, pair.said)


def code_in(command: str) -> str:
    """Returns the code of a command line without literals."""
    return "\n".join(map(code_of, scripts_in(command)))[:_COMPARED_CHARACTERS]


def still_uses(found: ApiError, old: str, new: str) -> bool:
    """Whether code that worked uses the name too; another class or function may have the same one."""
    before, after = (len(usage(found, code).findall(code)) for code in (old, new))
    return after >= before if found.kind in ("attribute", "keyword") else after > 0


def _statements(code: str) -> Words:
    return tuple(text.strip() for text in _STATEMENT.findall(code) if text.strip())


def _exchanged(found: ApiError, old: str, new: str, said: str) -> Change | None:
    """Returns the part of the statement that has the name, and of the one that replaced it; else both whole."""
    use = usage(found, old)
    for gone, came in blocks(_statements(old), _statements(new)):
        before = next((text for text in gone if use.search(text)), "")
        if not before:
            continue
        after = max(came, key=lambda text: _likeness(before, text), default="")
        if keyword := _left_out(found, before, after):
            return Change("wrong-arguments", keyword, "")
        part, other = inside(before, after, said)
        is_short = found.name in part and other != "" and max(len(part), len(other)) <= _LONGEST_PART
        if is_short and before.replace(part, other) == after:
            return Change("wrong-arguments", part, other)
        return Change("wrong-arguments", shortened(before), shortened(after))
    return None


def _left_out(found: ApiError, before: str, after: str) -> str:
    """Returns the keyword with its value if the statement worked without them."""
    if found.kind != "keyword" or not after:
        return ""
    for one in re.finditer(rf"\b{found.name}\s*=(?!=)", before):
        start, size = one.start(), len(before) - len(after)
        for end in range(one.end(), min(len(before), start + size + 1)):
            first = before[:start].rstrip(", ")
            rest = before[end:].lstrip(", ") if first.endswith("(") else before[end:]
            if first + rest == after:
                return before[start:end].strip(", ")
    return ""


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one[:_COMPARED], other[:_COMPARED]).ratio()
