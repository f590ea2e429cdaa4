"""A regex of a lesson in, one out that Python and JavaScript read alike: other programs read the manifest too."""

import re
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from lessons.match.dialect import to_python
from lessons.promote.publish.literals import name_of, parts_of, tree_of

# What JavaScript does not know, or reads in another way: see the tests. A pattern without any of it stays as written.
_OF_PYTHON = re.compile(r"\\(?:[AZNUa]|u\{)|\(\?(?![:=!]|<[=!\w])|[*+?}]\+|\[\^?\]|\{,|[\U00010000-\U0010ffff]")
_WORDS = re.compile(r"\\[bBwWdD]")
_ESCAPED = re.compile(r"\\(?:\\|[^AZNUaubBwWdD])")
_IGNORES_CASE, _IS_MULTILINE, _IS_DOTALL = re.IGNORECASE.value, re.MULTILINE.value, re.DOTALL.value
_MANY = int(_parser.MAXREPEAT)
_REPEATS = {(0, 1): "?", (0, _MANY): "*", (1, _MANY): "+"}
_ONE = ("LITERAL", "NOT_LITERAL", "IN", "ANY", "SUBPATTERN")
_CATEGORIES = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}
_PLACES = {
    "AT_BEGINNING_STRING": r"(?<![\s\S])",
    "AT_END_STRING": r"(?![\s\S])",
    "AT_BOUNDARY": r"\b",
    "AT_NON_BOUNDARY": r"\B",
}
_LAST_UNIT = 0xFFFF  # of the characters that JavaScript keeps in one piece


def portable(pattern: str, flags: str = "") -> dict[str, str]:
    """Returns source and flags; raises ValueError with a sentence if JavaScript has nothing equivalent."""
    bare = _ESCAPED.sub("x", pattern)
    has_words = _WORDS.search(bare)
    if not (_OF_PYTHON.search(bare) or (has_words and not pattern.isascii())):
        return {"source": pattern, "flags": flags}
    source, bits = to_python(pattern, flags)
    if has_words and not bits & re.ASCII:
        raise ValueError(r"\b, \w and \d are about ASCII characters only there")
    tree = tree_of(source, bits)
    parts, meant = parts_of(tree), tree.state.flags
    if len(parts) == 1 and name_of(parts[0][0]) == "SUBPATTERN" and parts[0][1][:2] == (None, _IGNORES_CASE):
        parts, meant = parts_of(parts[0][1][3]), meant | _IGNORES_CASE
    printer = _Printer({number: name for name, number in tree.state.groupdict.items()}, meant & _IGNORES_CASE)
    return {"source": printer.sequence(parts, meant), "flags": "i" if meant & _IGNORES_CASE else ""}


class _Printer:
    """Writes the parts of a parsed regex."""

    def __init__(self, names: dict[int, str], is_case_ignored: int) -> None:
        self._names, self._is_case_ignored = names, is_case_ignored

    def sequence(self, parts: Any, flags: int) -> str:
        return "".join(self._part(name_of(operation), argument, flags) for operation, argument in parts_of(parts))

    def _part(self, operation: str, argument: Any, flags: int) -> str:
        match operation:
            case "LITERAL":
                return self._class([("LITERAL", argument)], flags) if self._cases(argument, flags) else _sign(argument)
            case "NOT_LITERAL":
                return self._class([("NEGATE", None), ("LITERAL", argument)], flags)
            case "IN":
                return self._class(argument, flags)
            case "ANY":
                return r"[\s\S]" if flags & _IS_DOTALL else r"[^\n]"
            case "AT":
                return self._place(name_of(argument), flags)
            case "BRANCH":
                return f"(?:{'|'.join(self.sequence(each, flags) for each in argument[1])})"
            case "SUBPATTERN":
                number, added, removed, parts = argument
                name = f"<{self._names[number]}>" if number in self._names else ""
                opening = f"?{name}" if name else "" if number else "?:"
                return f"({opening}{self.sequence(parts, (flags | added) & ~removed)})"
            case "ASSERT" | "ASSERT_NOT":
                direction, parts = argument
                sign = "=" if operation == "ASSERT" else "!"
                return f"(?{'<' if direction < 0 else ''}{sign}{self.sequence(parts, flags)})"
            case "MAX_REPEAT" | "MIN_REPEAT":
                least, most, parts = argument
                return self._repeat(least, most, parts, flags) + ("?" if operation == "MIN_REPEAT" else "")
            case "GROUPREF":
                return rf"(?:\{argument})" if argument not in self._names else rf"\k<{self._names[argument]}>"
            case "FAILURE":
                return "(?!)"
        raise ValueError(f"there is no {operation.lower().replace('_', ' ')} there")

    def _repeat(self, least: int, most: int, parts: Any, flags: int) -> str:
        inner = self.sequence(parts, flags)
        # Characters of two units are two for JavaScript; a part of several characters needs brackets too.
        is_one = len(parts) == 1 and any(
            name_of(operation) in _ONE and (name_of(operation) != "LITERAL" or argument <= _LAST_UNIT)
            for operation, argument in parts_of(parts)
        )
        times = f"{{{least}}}" if least == most else f"{{{least},{'' if most == _MANY else most}}}"
        return (inner if is_one else f"(?:{inner})") + _REPEATS.get((least, int(most)), times)

    def _place(self, place: str, flags: int) -> str:
        if place == "AT_BEGINNING":
            return r"(?<![^\n])" if flags & _IS_MULTILINE else "^"
        if place == "AT_END":
            return r"(?![^\n])" if flags & _IS_MULTILINE else r"(?=\n?(?![\s\S]))"
        return _PLACES[place]

    def _class(self, members: Any, flags: int) -> str:
        pieces = []
        for operation, argument in members:
            name = name_of(operation)
            if name == "NEGATE":
                pieces.append("^")
            elif name == "CATEGORY":
                kind = name_of(argument).removeprefix("CATEGORY_")
                escape = _CATEGORIES[kind.removeprefix("NOT_")]
                pieces.append(escape.upper() if kind.startswith("NOT_") else escape)
            else:
                low, high = (argument, argument) if name == "LITERAL" else argument
                if high > _LAST_UNIT:
                    raise ValueError(f"{chr(high)!r} is two characters there and cannot be in a class")
                pieces += [_sign(low)] if low == high else [f"{_sign(low)}-{_sign(high)}"]
                pieces += self._cases(low, flags) if low == high else self._cases_of_range(low, high, flags)
        inner = "".join(pieces)
        return inner if re.fullmatch(r"\\[sSwWdD]", inner) else f"[{inner}]"

    def _cases(self, number: int, flags: int) -> list[str]:
        """Returns the letter in the other case, where case is ignored here but not in the whole pattern."""
        if bool(flags & _IGNORES_CASE) == bool(self._is_case_ignored):
            return []
        if self._is_case_ignored:
            raise ValueError("case counts in a part of it only")
        other = chr(number).swapcase()
        return [_sign(ord(other))] if len(other) == 1 and other != chr(number) else []

    def _cases_of_range(self, low: int, high: int, flags: int) -> list[str]:
        return [each for number in range(low, min(high, 127) + 1) for each in self._cases(number, flags)]


def _sign(number: int) -> str:
    char = chr(number)
    if number < 32:
        return r"\n" if char == "\n" else f"\\x{number:02x}"
    return "\\" + char if char in "\\^$.|?*+()[]{}-/" else char
