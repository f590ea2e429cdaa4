"""Reads review entries from a file: a Markdown log, output of `gh`, or JSON."""

import codecs
import os
import stat

from lessons.code_review import ReviewEntry
from lessons.errors import NotFound, Refused
from lessons.reviews import github, markdown_log
from lessons.reviews.entry import entry_from_json

_MOST_BYTES = 64 * 1024 * 1024
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def read_source(root: str, path: str, pull_request: int | None = None) -> list[ReviewEntry]:
    """Raises Refused with a sentence if the file has no reviews."""
    file = relative_to(root, path)
    try:
        with open(os.path.join(root, file), "rb") as opened:
            content = opened.read(_MOST_BYTES + 1)
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                file = ""  # a pipe cannot be read again
    except FileNotFoundError:
        raise NotFound(f"No file {path}: give a review log or saved output of `gh pr view`.") from None
    except OSError as fault:
        raise Refused(f"{path} cannot be read: {fault.strerror}.") from None
    if len(content) > _MOST_BYTES:
        raise Refused(f"{path} is larger than {_MOST_BYTES // 1024 // 1024} MB: too large for a review log.")
    return entries_of(text_of(content), file, pull_request)


def text_of(content: bytes) -> str:
    """Decodes UTF-8, or by its byte order mark: the Windows shell saves output as UTF-16."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, "replace")
    return content.decode("utf-8", "replace")


def entries_of(text: str, file: str = "", pull_request: int | None = None) -> list[ReviewEntry]:
    """Detects the format of the text: JSON starts with a bracket."""
    if github.looks_like(text):
        return github.entries_in(text, file, pull_request)
    if text.lstrip()[:1] in ("{", "["):
        return entry_from_json(text, file)
    return markdown_log.entries_in(text, file)


def relative_to(root: str, path: str) -> str:
    """Returns the path relative to the root, with forward slashes; absolute if outside the project."""
    whole = os.path.abspath(path)
    relative = os.path.relpath(whole, root)
    return whole if relative.startswith("..") else relative.replace(os.sep, "/")
