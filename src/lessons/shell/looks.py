"""Decides whether a command only looks: it cannot have helped, and finding nothing is an answer."""

import re

from lessons.shell.line import LONGEST_LINE, Part, parts
from lessons.shell.looking import EDIT_IN_PLACE, LOOK, LOOK_OR_IDLE
from lessons.shell.programs import RUN_SCRIPT

_LOOKING_VERBS = frozenset(
    "list ls show status view get describe info log logs ps inspect search diff blame rev-parse ls-files ls-remote"
    " ls-tree reflog why outdated help version checks top images history explain doctor shortlog cat-file"
    " whoami".split()
)
_LOOKING_OPTIONS = frozenset(("--help", "--version", "--dry-run", "--list", "--status"))
_LOOK_ALONE = frozenset(("branch", "remote", "tag", "stash"))  # they only look if nothing follows
_ADD = frozenset(("install", "add"))
_WRITES = re.compile(r"\d?>>?(?!&)\|?(?P<target>.*)")
_IN_PLACE = re.compile(r"-[A-Za-z]{0,3}i.*|--in-?place.*")
_OF_FIND = re.compile(r"-exec\w*|-delete")


def looks(part: Part) -> bool:
    """Decides by program, sub-command and options."""
    words = part.words
    if _writes(words):
        return False
    if part.program in LOOK_OR_IDLE:
        return not _edits(part)
    if not _LOOKING_OPTIONS.isdisjoint(words):
        return True
    plain = [word for word in words[1:] if not word.startswith("-")]
    if not plain or plain[0] in RUN_SCRIPT or plain[0] in _ADD or (words[0], plain[0]) == ("go", "get"):
        return False
    if plain[0] in _LOOK_ALONE:
        return (len(plain) == 1 and plain[0] != "stash") or plain[1:2] in (["list"], ["show"])
    return any(word in _LOOKING_VERBS or word.startswith("list-") for word in plain[:2])


def is_looking_program(part: Part) -> bool:
    """Decides by the program alone, wherever its output goes."""
    return part.program in LOOK and not _edits(part)


def only_looks(command: str) -> bool:
    """Whether every command of the line only looks."""
    return all(map(looks, parts(command[:LONGEST_LINE])))


def _edits(part: Part) -> bool:
    if part.program == "find":
        return any(_OF_FIND.fullmatch(word) for word in part.words[1:])
    return part.program in EDIT_IN_PLACE and any(_IN_PLACE.fullmatch(word) for word in part.words[1:])


def _writes(words: list[str]) -> bool:
    for number, word in enumerate(words):
        found = _WRITES.fullmatch(word)
        target = (found["target"] or "".join(words[number + 1 : number + 2])) if found else "/dev/null"
        if target != "/dev/null":
            return True
    return False
