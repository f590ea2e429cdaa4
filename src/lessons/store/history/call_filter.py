"""Which calls a trigger can fire on, and the SQL condition that finds them."""

import string
from collections.abc import Sequence
from typing import Literal, NamedTuple

Folding = Literal["exact", "lower", "ignore case"]  # what is done to a text before a literal is looked for in it
About = Literal["every call", "command", "path", "arguments", "error"]
Preview = Literal["command", "path", "tool"]

_MOST_SETS = 3
# What IGNORECASE takes for an ASCII letter although lower() of SQLite does not.
_LOOKALIKES = (("\u0130", "i"), ("\u0131", "i"), ("\u017f", "s"), ("\u212a", "k"))
_HAS_PATH = "path <> '' OR tool = 'apply_patch'"
_PRESENT: dict[About, str] = {
    "command": "command <> ''",
    "error": "outcome = 'failed' AND error <> ''",
}
_PREVIEWS: dict[Preview, str] = {
    "command": "command",
    "path": "CASE WHEN path GLOB '/*' AND NOT instr(path, char(10)) THEN path || char(10) || arguments END",
    "tool": "tool",
}
# Characters that JSON writes as they are; any of them may still stand there as \uXXXX.
_PLAIN_IN_JSON = frozenset(string.ascii_letters + string.digits + " !#$%&'()*+,-.:;<=>?@[]^_`{|}~")

_SQL = tuple[str, list[str]]  # a condition and its values
_EVERYTHING: _SQL = ("1", [])


class Needed(NamedTuple):
    """What one pattern cannot match without: of each set one literal, once text and literal are folded."""

    sets: Sequence[tuple[str, ...]]  # none: any text may match
    folding: Folding = "exact"


class Texts(NamedTuple):
    """Calls that have such a text, which holds what one of the patterns needs; without patterns, whatever it says."""

    about: About
    needed: Sequence[Needed] = ()


class CallFilter(NamedTuple):
    """Calls that any of the texts fits; no text at all: no call.

    `preview` is what the caller is shown of each of them to decide whether to read it as a whole: the command, the
    tool, or the path with the arguments on a line below (None if the path is not absolute).
    """

    any_of: Sequence[Texts]
    preview: Preview = "tool"

    @property
    def is_of_lines(self) -> bool:
        """Whether it is about shell calls alone, of which the line is shown."""
        return self.preview == "command" and all(texts.about == "command" for texts in self.any_of)


class Condition(NamedTuple):
    """The same in SQL."""

    sql: str
    values: list[str]
    column: str


def condition_of(wanted: CallFilter) -> Condition:
    parts = [_sql_of(texts) for texts in wanted.any_of]
    joined = " OR ".join(f"({sql})" for sql, _ in parts) or "0"
    return Condition(joined, [value for _, values in parts for value in values], _PREVIEWS[wanted.preview])


def _sql_of(texts: Texts) -> _SQL:
    if texts.about == "every call":
        return _EVERYTHING
    if texts.about == "path":
        return _HAS_PATH, []
    sql, values = _holds(texts.about, texts.needed) if texts.needed else _EVERYTHING
    return (f"{_PRESENT[texts.about]} AND ({sql})", values) if texts.about in _PRESENT else (sql, values)


def _holds(column: str, needed: Sequence[Needed]) -> _SQL:
    in_json = column == "arguments"
    parts: list[str] = []
    values: list[str] = []
    for each in needed:
        sets = [one for one in each.sets if not in_json or _PLAIN_IN_JSON.issuperset("".join(one))][:_MOST_SETS]
        if not sets:
            return _EVERYTHING
        text = _folded(column, each.folding)
        holds = [" OR ".join([f"instr({text}, ?)"] * len(one)) for one in sets]
        parts.append(" AND ".join(f"({one})" for one in holds))
        values += [literal for one in sets for literal in one]
    if in_json:
        parts.append(rf"instr({column}, '\u')")
    return " OR ".join(f"({part})" for part in parts), values


def _folded(column: str, folding: Folding) -> str:
    if folding == "exact":
        return column
    if folding == "ignore case":
        for character, letter in _LOOKALIKES:
            column = f"replace({column}, '{character}', '{letter}')"
    return f"lower({column})"
