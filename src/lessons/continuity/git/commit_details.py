"""The details of a commit: parents, author, message and files, redacted and bounded."""

from typing import NamedTuple

from lessons.continuity.git.git import run
from lessons.redact.texts import clean_name, redacted_start

_MOST_FILES = 30
_LONGEST_MESSAGE = 300
_READ_CHARACTERS = 4000  # of a message: a secret may start in the stored part and end after it
# A merge is compared with the branch it was made on. Every record starts with an empty part, which is never a file
# name.
_SHOW = ("log", "--no-walk=unsorted", "-m", "--first-parent", "--root", "-z", "--encoding=UTF-8", "--no-notes")
_PLAIN = ("--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=dirty")
_FORMAT = "--format=%x00%H%x00%P%x00%an%x00%aI%x00%B"


class Details(NamedTuple):
    """Details of one commit; `files` are the first of `files_changed` files."""

    parents: list[str]
    author: str
    author_date: str
    message: str
    files: list[str]
    files_changed: int


def details_of(root: str, hashes: list[str]) -> dict[str, Details] | None:
    """Returns the details by hash; without files if finding them takes too long, None if git fails."""
    if not hashes:
        return {}
    answer = run(root, *_SHOW, *_PLAIN, "--name-only", _FORMAT, *hashes, "--")
    if answer is None:
        answer = run(root, *_SHOW, "--no-patch", _FORMAT, *hashes, "--")
    return None if answer is None else _read(answer.split("\0"))


def _read(parts: list[str]) -> dict[str, Details]:
    found = {}
    position = 0
    while position + 5 < len(parts):
        name, parents, author, date, message = parts[position + 1 : position + 6]
        position += 6
        files: list[str] = []
        while position < len(parts) and parts[position]:
            files.append(parts[position] if files else parts[position].removeprefix("\n"))
            position += 1
        kept = [clean_name(file) for file in files[:_MOST_FILES]]
        found[name] = Details(parents.split(), _line(clean_name(author)), date, subject(message), kept, len(files))
    return found


def subject(message: str) -> str:
    """Returns the first paragraph of a message as one line, without secrets and control characters."""
    first = redacted_start(message, _READ_CHARACTERS).strip().replace("\r\n", "\n").partition("\n\n")[0]
    return _line(first)[:_LONGEST_MESSAGE]


def _line(text: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
