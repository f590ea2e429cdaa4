"""Derives continued lines from a text in one line: before each option, or at every blank, in the ways of all shells."""

import json
import re
from collections.abc import Callable
from functools import partial

Form = Callable[[str], str]

_BEFORE_OPTION = re.compile(r"[ \t]+(?=--?[A-Za-z])")
_AT_BLANKS = re.compile(r"[ \t]+")


def _continued(places: re.Pattern[str], end: str, text: str) -> str:
    return places.sub(lambda blanks: end, text)


def _escaped(text: str) -> str:
    """Returns a text with an option as it stands inside a JSON string."""
    continued = CONTINUED(text)
    return text if continued == text else json.dumps(continued, ensure_ascii=False)[1:-1]


CONTINUED: Form = partial(_continued, _BEFORE_OPTION, " \\\n  ")
FORMS: tuple[Form, ...] = (
    CONTINUED,
    partial(_continued, _BEFORE_OPTION, " \\\r\n\t"),
    partial(_continued, _BEFORE_OPTION, " \\\n"),
    partial(_continued, _BEFORE_OPTION, "\\\n" + " " * 40),
    partial(_continued, _BEFORE_OPTION, " \\ "),
    partial(_continued, _BEFORE_OPTION, " `\n  "),
    partial(_continued, _BEFORE_OPTION, " ^\r\n  "),
    partial(_continued, _AT_BLANKS, " \\\n    "),
    partial(_continued, _AT_BLANKS, " \\ "),
    _escaped,
)
