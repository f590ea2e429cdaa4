"""Finds code in the sentences of a lesson: its position, its commands, and whether a call contains it."""

import re
from collections.abc import Iterable, Iterator

from lessons.shell.line import parts

_CODE = re.compile(r"`([^`\n]{1,300})`|```[^\n]*\n(.*?)```", re.DOTALL)
# A placeholder for a value that differs every time.
_OPEN = re.compile(r"<[^<>]*>|\{[^{}]*\}|\[[^\[\]]*\]|…|\.\.\.|[A-Z][A-Z0-9_-]*|\d+|\$\{?\w+\}?")
_WORD = re.compile(r"[^\s'\"`;|&()]+")
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*(?:=[^\s,;.]*)?")


def code_in(text: str) -> list[str]:
    """Returns the code in backticks, each once."""
    found = (next(filter(None, match.groups()), "") for match in _CODE.finditer(text))
    return list(dict.fromkeys(code.strip() for code in found if code.strip()))


def commands_in(text: str) -> Iterator[list[str]]:
    """Yields the commands of the code in a text, and every option in its sentences."""
    for code in code_in(text):
        for line in code.splitlines():
            yield from (part.words for part in parts(line) if part.words)
            yield [line]
    for option in _OPTION.findall(_CODE.sub(" ", text)):
        yield [option]


def is_in(code: str, lines: Iterable[str]) -> bool:
    """Whether a line has the code, or all its words in order if some of them are placeholders."""
    words = _WORD.findall(code)
    whole = re.compile(rf"(?<![\w-]){re.escape(' '.join(code.split()))}(?![\w-])")
    return any(whole.search(" ".join(line.split())) or _in_order(words, _WORD.findall(line)) for line in lines)


def _in_order(words: list[str], line: list[str]) -> bool:
    """Placeholders match any word; at least one word must not be one."""
    if all(_OPEN.fullmatch(word) for word in words):
        return False
    rest = iter(line)
    return all(any(_OPEN.fullmatch(word) or word == other for other in rest) for word in words)
