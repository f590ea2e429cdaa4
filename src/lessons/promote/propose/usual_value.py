"""A value that the calls that worked always have: the failing ones had guessed another."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from lessons.failure.complaint import complained_texts, is_about_files
from lessons.match.call import ToolCall
from lessons.promote.propose.good_calls import text_of
from lessons.promote.propose.judge import Case
from lessons.promote.propose.words import literal

_LONGEST_TEXT = 8192
_SHARE_OF_GOOD = 0.9
_FEWEST_GUESSES = 2  # one wrong value says nothing about the others,
_MANY_APART = 5  # unless that many other calls have the usual one
_NAME = re.compile(r"(?<![\w@-])[A-Za-z][\w@-]{1,60}(?![\w@-])")
_NAME_BEFORE = re.compile(r"(?:(--[A-Za-z][\w-]*)[ =]|\b([A-Za-z_]\w{1,30})(?: ?[:=] ?|/))[\\]?[\"']?$")
_VALUE = r"[\w@][\w@-]*"


class Role(NamedTuple):
    """The name in front of a value: `owner: "`, `--repo `, `repos/`."""

    name: str

    @property
    def pattern(self) -> str:
        between = r"[ =][\"']?" if self.name[0] == "-" else r"(?: ?[:=] ?\\?[\"']|=|/)"
        return rf"(?<![\w-]){literal(self.name)}{between}"


def usual_values(case: Case) -> list[tuple[str, str, str]]:
    """Patterns that fire on any other value, each with the role's name and the value that works."""
    found = []
    for role in _shared_roles(case):
        values = _values(role, chain(map(text_of, case.fixes), case.successes.texts, case.others.texts))
        usual, number = values.most_common(1)[0] if values else ("", 0)
        guesses = _values(role, [text_of(call) for call in case.failures])
        if len(guesses) < _FEWEST_GUESSES and len(_values_apart(role, usual, case)) < _MANY_APART:
            continue
        if number >= _SHARE_OF_GOOD * values.total() and usual and _is_name(usual):
            found.append((rf"{role.pattern}(?!{literal(usual)}(?![\w@-])){_VALUE}", role.name, usual))
    return found


def _values(role: Role, texts: Iterable[str]) -> Counter[str]:
    """How many of the texts have each value."""
    return Counter(
        value for text in texts for value in set(re.findall(f"{role.pattern}({_VALUE})", text[:_LONGEST_TEXT]))
    )


def _values_apart(role: Role, usual: str, case: Case) -> set[str]:
    """The texts of calls with the usual value that are no fix of the mistake."""
    fixes = {text_of(call) for call in case.fixes}
    texts = {*case.successes.texts, *case.others.texts} - fixes
    return {text for text in texts if usual in _values(role, [text])}


def _shared_roles(case: Case) -> list[Role]:
    """Of values that every error quotes."""
    if any(is_about_files(error) for error in case.errors):
        return []  # a path is another one each time
    pairs = zip(case.failures, case.errors, strict=True)
    roles = [set(_roles(call, error)) for call, error in pairs]
    return sorted(set.intersection(*roles)) if roles else []


def _roles(call: ToolCall, error: str) -> Iterator[Role]:
    text = text_of(call)[:_LONGEST_TEXT]
    for name in {name for quoted in complained_texts(error) for name in _NAME.findall(quoted)}:
        for found in re.finditer(rf"(?<![\w@-]){re.escape(name)}(?![\w@-])", text):
            before = _NAME_BEFORE.search(text, max(0, found.start() - 60), found.start())
            if before:
                yield Role(before[1] or before[2])


def _is_name(text: str) -> bool:
    return any(character.isalpha() for character in text)
