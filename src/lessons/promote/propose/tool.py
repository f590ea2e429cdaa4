"""Proposes triggers that separate failing calls of other tools from those that worked."""

from collections import Counter
from collections.abc import Iterator

from lessons.match.call import ToolCall
from lessons.model import Triggers
from lessons.promote.propose.arguments import folders_of, host_of
from lessons.promote.propose.judge import Attempt, Case
from lessons.promote.propose.tokens import telling_tokens
from lessons.promote.propose.words import is_plain, literal

_LONGEST_VALUE = 200
_MOST_PATTERNS = 8
_MOST_WORDS = 4


def tool_attempts(case: Case) -> Iterator[list[Attempt]]:
    """Yields any use of the tool, a whole value, a host or folder at the start of one, then a name inside one."""
    tool = case.failures[0].names[0]
    if not tool.strip():
        return
    if case.distinct > 1:
        yield [Attempt(Triggers(tool_names=[tool]))]
    values = [value for value in _values(case) if case.is_backed(value[1])]
    places = _places(case) if case.distinct > 1 or case.fixes else []
    for found in (values, places, [(rf"\b{token}\b", token) for token in telling_tokens(case)]):
        yield [
            Attempt(Triggers(tool_names=[tool], command_patterns=[pattern]), (text,))
            for pattern, text in found[:_MOST_PATTERNS]
        ]


def _values(case: Case) -> list[tuple[str, str]]:
    """Returns arguments that are one plain word, such as the name of a mode; a few words if failures share them."""
    counts: Counter[str] = Counter()
    for call in case.failures:
        counts.update({value for value in _short_strings(call) if _is_name(value, case.distinct > 1)})
    return [(f"^{literal(value)}$", value) for value, number in sorted(counts.items()) if case.enough(number)]


def _is_name(value: str, of_words: bool) -> bool:
    words = value.split(" ")
    return len(words) <= (_MOST_WORDS if of_words else 1) and all(is_plain(word) for word in words)


def _places(case: Case) -> list[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for call in case.failures:
        found: dict[tuple[str, str], None] = {}
        for value in _short_strings(call):
            if host := host_of(value):
                found[rf"^\S*{literal(host)}(?![\w.-])", host] = None
            elif top := _top_folder(value):
                found[f"^{literal(top)}/", top + "/"] = None
            for folder in folders_of(value) if case.distinct > 1 else ():
                found[f"^{literal(folder)}/", folder + "/"] = None
        counts.update(list(found))
    return [place for place, number in counts.items() if case.enough(number)]


def _top_folder(value: str) -> str:
    """Returns `/tmp` for `/tmp/x`: wide enough to be no coincidence, even once."""
    parts = value.split("/")
    return "/" + parts[1] if len(parts) > 2 and not parts[0] and is_plain(parts[1]) else ""


def _short_strings(call: ToolCall) -> list[str]:
    return [value for value in call.strings if 0 < len(value) <= _LONGEST_VALUE]
