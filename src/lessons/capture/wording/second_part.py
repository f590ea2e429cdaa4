"""Finds what else the call that worked has: a variable that it sets, or a command before it that belongs to it."""

import re

from lessons.capture.signals.content import around
from lessons.capture.signals.pair import Command, Pair, pair_of
from lessons.capture.wording.text import code, is_one_off
from lessons.episode import Episode
from lessons.shell.looks import only_looks
from lessons.shell.named import is_named

_KINDS = frozenset(("wrong-flag", "wrong-arguments", "wrong-command"))
_LONGEST_CODE = 60
_SHORTEST_NAME = 4
_PIECE = re.compile(r"[^\s=]+")
_ASSIGNMENT = re.compile(r"(?<!\S)([A-Za-z_]\w*)=\S+\s*")


def second_part(episode: Episode) -> str:
    """Returns the rest of a sentence (`set …`, `run … first`); empty if the change is all there is."""
    fix = episode.fix
    if fix is None or episode.change.kind not in _KINDS or not episode.failure.command or not fix.command:
        return ""
    pair = pair_of(episode.failure, fix)
    if not pair.before.words or not pair.after.words:
        return ""
    return _variable(pair) or _other_command(pair)


def _variable(pair: Pair) -> str:
    """Returns the variable that the error asks for, without its value, which may be a secret."""
    if pair.before.words == pair.after.words:
        return ""  # a wrapper or a variable is the change itself
    names = _ASSIGNMENT.findall(around(pair.fix.command, pair.after.words))
    added = [name for name in names if f"{name}=" not in pair.failure.command and is_named(name, pair.error)]
    return f"set {code(added[0], _LONGEST_CODE)}" if len(added) == 1 else ""


def _other_command(pair: Pair) -> str:
    """Returns the command before the one that worked, if it has an option that this one lost, or makes what it uses."""
    place = pair.fixed.commands.index(pair.after)
    other = pair.fixed.commands[place - 1] if place else Command()
    if not _lost(pair).intersection(other.words) and not _is_made_by(other, pair):
        return ""
    if other.words in [one.words for one in pair.failed.commands] or is_one_off(_text(other)):
        return ""
    if not pair.after.piped and only_looks(_text(other)):
        return ""
    shown = code(_ASSIGNMENT.sub("", around(pair.fix.command, other.words)) + _text(other), _LONGEST_CODE)
    return f"pipe {shown} into it" if pair.after.piped else f"run {shown} first"


def _lost(pair: Pair) -> set[str]:
    return {word for word in pair.before.words if word[:1] == "-" and word not in pair.after.words}


def _is_made_by(other: Command, pair: Pair) -> bool:
    """Whether it names a file or folder that only the call that worked uses: `lamp plan -o a && lamp on a`."""
    written = around(pair.fix.command, pair.after.words).strip() + _text(pair.after)
    names = {piece for word in written.split() for piece in (word, word.partition("/")[0])}
    new = {name for name in names if len(name) >= _SHORTEST_NAME and name not in pair.failure.command}
    return any(piece in new for word in other.words[1:] for piece in _PIECE.findall(word))


def _text(command: Command) -> str:
    return " ".join(command.words)
