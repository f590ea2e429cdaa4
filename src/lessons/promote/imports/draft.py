"""A draft, the common form of all formats."""

import os
import stat
from typing import NamedTuple

from lessons.errors import NotFound, Refused

LARGEST_FILE = 16 * 1024 * 1024
MOST_DRAFTS = 1000
_LONGEST_NAME = 80
_LONGEST_SUMMARY = 120


class Draft(NamedTuple):
    """One lesson of another system; `refusal` says why it cannot become one of ours."""

    place: str
    name: str
    document: dict[str, object] = {}  # noqa: RUF012  (never changed)
    refusal: str = ""
    note: str = ""


class NotOurs(Exception):
    """Why a record of another system cannot become a lesson; it is stored in `refusal`."""


def content_of(path: str, largest: int = LARGEST_FILE) -> bytes:
    """Returns the bytes of a plain file; refuses anything else, and files far too large for lessons."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        raise NotFound(f"No file {path}: give a file or a folder to import.") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise Refused(f"{path} is not a regular file: give one, or its folder.")
    with open(descriptor, "rb") as file:
        content = file.read(largest + 1)
    if len(content) > largest:
        raise Refused(f"{path} is larger than {largest // 1024**2} MB: too large for lessons.")
    return content


def text_of(path: str) -> str:
    try:
        return content_of(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(f"{path} is not UTF-8 text: save it as UTF-8.") from None


def short_name(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_NAME else line[: _LONGEST_NAME - 1].rstrip() + "…"


def first_sentence(text: str) -> str:
    """Returns what fits a summary: the first sentence, or whole words from its beginning."""
    line = " ".join(text.split())
    for position, character in enumerate(line[:_LONGEST_SUMMARY]):
        if character in ".!?。" and line[position + 1 : position + 2] in ("", " ") and position >= 19:
            return line[:position]
    if len(line) <= _LONGEST_SUMMARY:
        return line.rstrip(".")
    return line[: _LONGEST_SUMMARY + 1].rpartition(" ")[0].rstrip(",;:–-") or line[:_LONGEST_SUMMARY]
