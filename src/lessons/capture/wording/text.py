"""Any text of a transcript in, one plain line of bounded length out that is safe inside a sentence."""

import re

from lessons.failure.clean import COLOUR, one_line

ELLIPSIS = "…"
_LONGEST_TEXT = 16_384  # the rest is never shown
_HOME = re.compile(r"/(?:Users|home)/[^/\s]+(?=/)")
# Absolute paths, hosts, users at hosts, ids, dates and long numbers: specific to one machine or day.
_ONE_OFF = re.compile(
    r"(?<![\w./])[~]?/(?!dev/)[\w.@+-]+/|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[\w.-]+@[\w.-]+|\b\d{5,}\b|\d{4}-\d\d-\d\d"
    r"|\b(?=[a-f]*\d)[0-9a-f]{7,}\b|://(?!localhost)"
)
_PIECE_ENDS = "/\\=,;:.&?_-"


def plain(text: str) -> str:
    """Returns one line without colours and control characters."""
    text = text[:_LONGEST_TEXT]
    return one_line(COLOUR.sub(" ", text) if "\x1b" in text else text)


def cut(text: str, limit: int) -> str:
    """Returns at most `limit` characters, cut after a whole word; keeps backticks in pairs."""
    if len(text) <= limit:
        return text
    room = limit - 3  # a blank, the ellipsis and a backtick
    end = text.rfind(" ", 0, room + 1)
    if end < limit // 3:  # one enormous word: after one of its pieces, if there are any
        end = max((text.rfind(char, 0, room) + 1 for char in _PIECE_ENDS), default=0)
        end = end if end >= limit // 3 else room
        shown = text[:end].rstrip() + ELLIPSIS
    else:
        shown = f"{text[:end].rstrip(' ,;:')} {ELLIPSIS}".lstrip()
    return shown + "`" if shown.count("`") % 2 else shown


def code(text: str, limit: int) -> str:
    """Puts the text in backticks; its own backticks become quotes."""
    return f"`{cut(unticked(text), limit - 2)}`"


def unticked(text: str) -> str:
    return plain(text).replace("`", "'")


def sentence(text: str) -> str:
    """Adds a full stop, unless the text ends with its own punctuation."""
    return text if text.endswith((".", "!", "?", ELLIPSIS, f"{ELLIPSIS}`")) else text + "."


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def with_short_homes(text: str) -> str:
    """Replaces home directories by `~`."""
    return _HOME.sub("~", text)


def is_one_off(text: str) -> bool:
    """Whether it names something that will not recur: a path of one machine, a host, an id, a date."""
    return _ONE_OFF.search(text) is not None
