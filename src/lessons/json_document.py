"""JSON files that people edit: parsed in their own order, and written back in their own style."""

import codecs
import json
import math
import re
from typing import NamedTuple, NoReturn

from lessons.errors import DamagedFile
from lessons.system import open_regular

_LONGEST_LINE = 100
_LONGEST_ENDING = 1_000
_SURROGATE = re.compile("[\ud800-\udfff]")
_INDENTED_LINE = re.compile(r"\n([ \t]+)\S")
_INLINE_LIST = re.compile(r'":[ \t]*\[[ \t]*[^\s\[\]{]')
_SPREAD_LIST = re.compile(r'":[ \t]*\[\r?\n[ \t]*[^\s\[\]{]')


class Style(NamedTuple):
    """The layout of a hand-edited file."""

    indent: str = "  "
    newline: str = "\n"
    inline_lists: bool = True
    ending: str = "\n"


def read_text(path: str, remedy: str) -> str | None:
    """Returns the text of a file, None if missing; raises DamagedFile if it is not readable text."""
    content = read_content(path, remedy)
    return None if content is None else content.decode()


def read_content(path: str, remedy: str) -> bytes | None:
    """Returns the content as UTF-8, without a byte order mark."""
    try:
        with open_regular(path) as file:
            content = file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DamagedFile(f"{path} cannot be read ({error.strerror}): {remedy}.") from None
    try:
        if not content.isascii():
            content.decode()
    except UnicodeDecodeError as error:
        line, column = _place(content[: error.start].decode("utf-8", "replace"))
        reason = f"{path} is not UTF-8 text at line {line}, column {column}"
        raise DamagedFile(f"{reason}: {remedy}.") from None
    return content.removeprefix(codecs.BOM_UTF8)


def parse(text: str, path: str, remedy: str) -> dict[str, object]:
    """Returns the object in the text, in its key order; raises DamagedFile if it cannot be written back unchanged."""
    try:
        document = strict(text)
    except json.JSONDecodeError as error:
        reason = f"{path} is not valid JSON at line {error.lineno}, column {error.colno} ({error.msg})"
        raise DamagedFile(f"{reason}: {remedy}; JSON has no comments and no trailing commas.") from None
    except RecursionError:
        raise DamagedFile(f"{path} is nested too deeply to be read: {remedy}.") from None
    except ValueError as error:
        raise DamagedFile(f"{path} cannot be kept as it is ({error}): {remedy}.") from None
    if not isinstance(document, dict):
        raise DamagedFile(f"{path} at line 1, column 1 is not an object in braces: {remedy}.")
    return document


def strict(text: str) -> object:
    """Returns the value in the text; raises ValueError if it cannot be written back unchanged."""
    return _DECODER.decode(text)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"an object has the key {json.dumps(twice)} twice")
    return members


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"the number {text} is too large")
    return number


def _not_a_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a JSON number")


# Accepts only what can be written back unchanged.
_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_finite, parse_constant=_not_a_number)


def _place(before: str) -> tuple[int, int]:
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def style_of(text: str) -> Style:
    """Returns the layout of a text, so that a rewrite changes only what it should."""
    indented = _INDENTED_LINE.search(text)
    # The first line shows the newline style, and trailing white space is short: no need to search a long text.
    end_of_line = max(0, text.find("\n"))
    tail = text if text[-_LONGEST_ENDING:].isspace() else text[-_LONGEST_ENDING:]
    return Style(
        indent=indented[1] if indented else Style().indent,
        newline="\r\n" if text[end_of_line - 1 : end_of_line] == "\r" else "\n",
        inline_lists=_INLINE_LIST.search(text) is not None or _SPREAD_LIST.search(text) is None,
        ending=tail[len(tail.rstrip()) :],
    )


def render(document: dict[str, object], style: Style) -> str:
    """Returns the document as text in that layout."""
    return render_part(document, style, 0) + style.ending


def render_part(value: object, style: Style, depth: int) -> str:
    """Renders a value that is `depth` levels below the document."""
    text = _rendered(value, style, depth * style.indent).replace("\n", style.newline)
    # JSON can represent half a surrogate pair, UTF-8 cannot: write it as the escape it came from.
    return _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def _rendered(value: object, style: Style, margin: str) -> str:
    inner = margin + style.indent
    if isinstance(value, dict) and value:
        members = (f"{inner}{_line(key)}: {_rendered(member, style, inner)}" for key, member in value.items())
        return "{\n" + ",\n".join(members) + f"\n{margin}}}"
    if isinstance(value, list) and value:
        flat = not any(isinstance(item, dict | list) for item in value)
        if flat and style.inline_lists and len(line := _line(value)) <= _LONGEST_LINE:
            return line
        return "[\n" + ",\n".join(inner + _rendered(item, style, inner) for item in value) + f"\n{margin}]"
    return _line(value)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
