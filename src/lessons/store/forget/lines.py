"""Blanks every line of log files that belongs to a scope to forget."""

import os
import re
from collections.abc import Callable, Iterable, Iterator

from lessons.store.forget.scope import ForgetScope
from lessons.store.home_files import existing
from lessons.store.injection_files import rotated
from lessons.store.json_text import decode

_BEGINNING = b'{"time":'
# Earlier versions wrote the types of unknown records into scan.log: words from an unknown transcript.
_UNKNOWN_TYPES = re.compile(rb"; unknown types: .*?(?=\. [\d,]+ tool call|\Z)", re.DOTALL)
_MOMENT = re.compile(r'(?:\{"time":")?(\d{4}-\d\d-\d\dT[^\s"]*)')  # plain lines and JSON begin with it
Belongs = Callable[[bytes], bool]


def injection_files(home: str) -> list[str]:
    """Returns the log of the hook, and its copies in the backups."""
    folded = set(folded_files(home))
    return [path for path in existing(home, "injections") if path not in folded]


def folded_files(home: str) -> list[str]:
    """Returns the rotated parts of the log: their lines are in the history too, and are counted there."""
    return rotated(home)


def log_files(home: str) -> list[str]:
    return existing(home, "log")


def sessions_in(home: str) -> set[str]:
    """Returns every session in the log of the hook."""
    files = (*injection_files(home), *folded_files(home))
    events = (_decoded(line) for path in files for _, line in _lines(path))
    return {str(event["session"]) for event in events if event and event.get("session")}


def blank_unknown_types(home: str) -> None:
    for path in log_files(home):
        with open(path, "r+b", buffering=0) as file:
            for found in _UNKNOWN_TYPES.finditer(file.read()):
                os.pwrite(file.fileno(), b" " * len(found[0]), found.start())


def injections_of(scope: ForgetScope) -> Belongs:
    def belongs(line: bytes) -> bool:
        event = _decoded(line) or {}
        names = (str(event.get(key) or "") for key in ("session", "cwd", "time"))
        return bool(event) and scope.covers(*names)

    return belongs


def log_lines_of(scope: ForgetScope, files: Iterable[str]) -> Belongs:
    """Matches lines that name the session, the project's folder or one of its transcripts; or that are too old.

    Clients name the folder of a project's transcripts after its path, with a hyphen for each sign.
    """
    folders = [name for folder in scope.folders for name in (folder, re.sub("[^A-Za-z0-9]", "-", folder))]
    names = [name for name in (scope.session, *folders, *files) if name.strip("-")]
    pattern = re.compile("|".join(rf"(?:{re.escape(name)})(?![\w.-]*\w)" for name in names) or r"(?!)")

    def belongs(line: bytes) -> bool:
        text = line.decode("utf-8", "replace")
        moment = _MOMENT.match(text)
        is_old = bool(scope.before and moment and moment[1] < scope.before)
        return is_old or pattern.search(text) is not None

    return belongs


def count(paths_of_files: Iterable[str], belongs: Belongs) -> int:
    return sum(belongs(line) for path in paths_of_files for _, line in _lines(path))


def blank(paths_of_files: Iterable[str], belongs: Belongs) -> int:
    """Overwrites matching lines with spaces in place: a hook may append a line meanwhile, and none may be lost."""
    blanked = 0
    for path in paths_of_files:
        with open(path, "r+b", buffering=0) as file:
            for start, line in list(_lines(path)):
                all_of_it = belongs(line)
                blanked += all_of_it
                length = len(line) if all_of_it else _cut_off(line) if ".jsonl" in path else 0
                os.pwrite(file.fileno(), b" " * length, start)
            os.fsync(file.fileno())
    return blanked


def _cut_off(line: bytes) -> int:
    """Returns the length of what a crash left, before a whole line or alone: it may contain anything."""
    return len(line) if _decoded(line) is None else max(line.rfind(_BEGINNING), 0)


def _lines(path: str) -> Iterator[tuple[int, bytes]]:
    """Yields where each line begins, and its bytes without the line end; leaves out blank ones."""
    position = 0
    try:
        with open(path, "rb") as file:
            for line in file:
                if line.strip():
                    yield position, line.rstrip(b"\r\n")
                position += len(line)
    except FileNotFoundError:
        return


def _decoded(line: bytes) -> dict[str, object] | None:
    try:
        value = decode(line[max(line.rfind(_BEGINNING), 0) :].decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
