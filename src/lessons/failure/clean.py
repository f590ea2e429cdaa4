"""Reduces an error to what the programs wrote: removes colours, the client's frame and the exit code above it."""

import re
import unicodedata
from functools import lru_cache

LONGEST_ERROR = 4096  # characters read of one error
COLOUR = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))|\[\d{1,2}(?:;\d{1,3})*m")
_BARE_COLOURS = ("[0m", "[2m", "[39m")  # left over where the escape character was lost
FRAME_START = "<tool_use_error>"  # marks messages of the client itself
_FRAMED_WITHIN = 200  # characters, including the exit code
_FRAME = re.compile(r"</?tool_use_error>")
_EXIT_CODE = re.compile(r"\s*(?:(?:Error: )?Exit code -?\d+\b|Error\s*\Z)")


def is_of_client(error: str) -> bool:
    """Whether the agent's client wrote it, not a program that it ran."""
    return FRAME_START in error[:_FRAMED_WITHIN]


@lru_cache(maxsize=64)
def clean(error: str) -> str:
    """Returns the cleaned text; empty if a program failed without a message."""
    text = error[:LONGEST_ERROR]
    if "\x1b" in text or any(code in text for code in _BARE_COLOURS):
        text = COLOUR.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return unframed(text).strip()


def unframed(text: str) -> str:
    """Removes what the client adds around and above the output of a program."""
    if "tool_use_error>" in text:
        text = _FRAME.sub("", text)
    heading = _EXIT_CODE.match(text)
    return text[heading.end() :] if heading else text


def one_line(text: str) -> str:
    """Joins to one line: single spaces, no control characters, no characters that change the writing direction."""
    text = " ".join(text.split())
    return text if text.isprintable() else " ".join("".join(map(_shown, text)).split())


def _shown(char: str) -> str:
    category = unicodedata.category(char)
    if category in ("Cc", "Zl", "Zp"):
        return " "
    return "" if category[0] == "C" else char  # format characters, private use, single surrogates
