"""Finds the files with instructions that agents read: of the user, of the project, and what these import."""

import os
import re
from collections.abc import Iterator, Sequence
from glob import glob
from typing import NamedTuple

from lessons.errors import NotFound, Refused
from lessons.system import open_regular

LARGEST_FILE = 1024 * 1024
MOST_FILES = 100
_DEEPEST_IMPORT = 5  # as Claude Code follows them

# Below the home folder, and below the root of the project. A pattern may match several files.
_OF_USER = (
    ".claude/CLAUDE.md",
    ".claude/rules/**/*.md",
    ".codex/AGENTS.md",
    ".gemini/GEMINI.md",
    ".qwen/QWEN.md",
    ".config/opencode/AGENTS.md",
    ".copilot/copilot-instructions.md",
)
_OF_PROJECT = (
    "CLAUDE.md",
    "CLAUDE.local.md",
    ".claude/CLAUDE.md",
    ".claude/rules/**/*.md",
    "AGENTS.md",
    "GEMINI.md",
    "QWEN.md",
    ".cursorrules",
    ".cursor/rules/**/*.md*",
    ".github/copilot-instructions.md",
    ".github/instructions/**/*.md",
)
# What an agent wrote for itself: Claude Code has one folder for each project.
_MEMORY = ".claude/projects/{name}/memory/*.md"
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"`[^`\n]*`")
_IMPORT = re.compile(
    r"(?:^|(?<=\s))@((?:~/|\.{0,2}/)?[\w./-]*[\w-]\.(?:md|mdc|txt|markdown))(?=[\s.,;:)]|$)", re.MULTILINE
)


class RuleFile(NamedTuple):
    """One file, and the project whose calls its rules are about (empty: all of them)."""

    path: str
    project: str
    text: str


class FoundFiles(NamedTuple):
    """The files in the order in which they are read, and a sentence for each that was skipped."""

    files: list[RuleFile]
    skipped: list[str]


def found_files(root: str, user_home: str) -> FoundFiles:
    """Returns the files of the user and of the project; what cannot be read is skipped with a sentence."""
    memory = _MEMORY.format(name=re.sub(r"[^A-Za-z0-9-]", "-", root))
    places = [(path, "") for path in _below(user_home, _OF_USER)]
    places += [(path, root) for path in _below(user_home, (memory,))]
    if os.path.realpath(root) != os.path.realpath(user_home):
        places += [(path, root) for path in _below(root, _OF_PROJECT)]
    return _read(places, user_home)


def named_files(paths: Sequence[str], root: str, user_home: str) -> FoundFiles:
    """Returns these files with what they import; refuses one that is missing or cannot be read."""
    places = []
    for path in map(os.path.abspath, paths):
        if not os.path.exists(path):
            raise NotFound(f"No file {path}: give a CLAUDE.md, an AGENTS.md or another file with instructions.")
        is_in_project = os.path.realpath(path).startswith(os.path.realpath(root) + os.sep)
        is_of_user = path in _below(user_home, _OF_USER)
        places.append((path, root if is_in_project and not is_of_user else "" if is_of_user else os.path.dirname(path)))
    found = _read(places, user_home)
    own = {os.path.realpath(each.path) for each in found.files}
    if missing := [path for path, _ in places if os.path.realpath(path) not in own]:
        raise Refused(next((each for each in found.skipped if missing[0] in each), f"{missing[0]} cannot be read."))
    return found


def _below(folder: str, patterns: Sequence[str]) -> Iterator[str]:
    for pattern in patterns:
        if "*" in pattern:
            yield from sorted(glob(os.path.join(folder, pattern), recursive=True))[:MOST_FILES]
        elif os.path.lexists(path := os.path.join(folder, pattern)):
            yield path


def _read(places: Sequence[tuple[str, str]], user_home: str) -> FoundFiles:
    found: dict[str, RuleFile] = {}
    skipped: list[str] = []
    waiting = [(path, project, 0) for path, project in places]
    while waiting:
        path, project, depth = waiting.pop(0)
        real = os.path.realpath(path)
        if real in found:  # a link to another file, or a cycle of imports
            continue
        if len(found) >= MOST_FILES:
            skipped.append(f"More than {MOST_FILES} files have instructions: the rest was skipped.")
            break
        text = _text_of(path)
        if isinstance(text, str):
            found[real] = RuleFile(path, project, text)
            if depth < _DEEPEST_IMPORT:
                imports = _imported(text, os.path.dirname(real), user_home)
                waiting[:0] = [(each, project, depth + 1) for each in imports]
        elif depth == 0 or text.is_there:
            skipped.append(text.sentence)
    return FoundFiles(list(found.values()), skipped)


class _Unreadable(NamedTuple):
    sentence: str
    is_there: bool


def _text_of(path: str) -> str | _Unreadable:
    try:
        with open_regular(path) as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as fault:
        reason = fault.strerror or "it cannot be opened"
        return _Unreadable(f"{path} was skipped: {reason}.", not isinstance(fault, FileNotFoundError))
    if len(content) > LARGEST_FILE:
        return _Unreadable(f"{path} was skipped: it is larger than {LARGEST_FILE // 1024**2} MB.", True)
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\0", "\ufffd")
    except UnicodeDecodeError:
        return _Unreadable(f"{path} was skipped: it is not UTF-8 text.", True)


def _imported(text: str, folder: str, user_home: str) -> list[str]:
    """Returns the paths of `@file` imports outside code, in their order."""
    prose = _CODE.sub("", _FENCE.sub("", text))
    names = dict.fromkeys(found[1] for found in _IMPORT.finditer(prose))
    return [
        os.path.join(user_home, name[2:]) if name.startswith("~/") else os.path.join(folder, name)
        for name in list(names)[:MOST_FILES]
    ]
