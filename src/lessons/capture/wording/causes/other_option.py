"""Finds what the call that worked has instead of an option that does not exist."""

import re

from lessons.capture.signals.difference import is_number
from lessons.capture.wording.command import essential, is_several
from lessons.capture.wording.text import code, is_one_off
from lessons.episode import Episode, Step
from lessons.failure.complaint import complains_about
from lessons.shell.line import Part

_LONGEST_CODE = 70
_LONGEST_CALL = 90
_LETTERS = re.compile(r"-[A-Za-z]{2,}")
_VALUE = re.compile(r"[A-Za-z][\w.:-]{0,30}")


def remedy(episode: Episode, failed: Part, same: list[Part], wrong: str) -> str:
    """Returns what to do instead; empty if the call that worked does not show it. `same` are its same commands."""
    fix = episode.fix
    if fix is None:
        return ""
    if not same:
        return _other_program(episode, failed, wrong) or _whole(fix, episode.change.after)
    part = same[0]
    if other := _replacement(failed, part, episode.failure.error):
        return f"Use {code(other, _LONGEST_CODE)} instead of {code(wrong, _LONGEST_CODE)}"
    if _only_lacks(failed, part):
        return f"Leave out {code(wrong, _LONGEST_CODE)}"
    return _whole(fix, episode.change.after)


def options_of(words: list[str]) -> list[str]:
    return [word.partition("=")[0] for word in words[1:] if word[:1] == "-" and word.strip("-")]


def _replacement(failed: Part, part: Part, error: str) -> str:
    """Returns the one option that it had instead, or that the error proposes, or several in a row; not a path."""
    options = options_of(failed.words)
    new = [option for option in options_of(part.words) if option not in options]
    if len(new) == 1 and _LETTERS.fullmatch(new[0]) and (letters := _LETTERS.fullmatch(" ".join(options))):
        added = [f"-{letter}" for letter in new[0][1:] if letter not in letters[0]]
        return added[0] if len(added) == 1 else ""  # `-E` of `-oE`, it was `-oP`
    told = [option for option in new if complains_about(option, error)]
    if chosen := next((chosen[0] for chosen in (new, told) if len(chosen) == 1), ""):
        return chosen + _own_value(chosen, failed.words, part.words)
    row = " ".join(new)
    return row if new and f" {row} " in f" {' '.join(part.words)} " else ""


def _own_value(option: str, failed: list[str], words: list[str]) -> str:
    """Returns ` dev` of `--group dev`: the value came with the option, and replaces no word of the failed call."""
    known = {piece for word in failed for piece in (word, word.partition("=")[2])}
    if not all(word in words for word in failed[1:] if word[:1] != "-"):
        return ""
    place = next(place for place, word in enumerate(words) if word.partition("=")[0] == option)
    _, equals, inside = words[place].partition("=")
    value = inside if equals else next(iter(words[place + 1 : place + 2]), "")
    is_own = _VALUE.fullmatch(value) and value not in known and not is_number(value) and not is_one_off(value)
    return f"{equals or ' '}{value}" if is_own else ""


def _only_lacks(failed: Part, part: Part) -> bool:
    """Whether it has no more words than the failed one, in the same order."""
    if set(options_of(part.words)) - set(options_of(failed.words)):
        return False
    plain, left = ([word for word in words if word[:1] != "-"] for words in (part.words, failed.words))
    is_moved = set(plain) <= set(left) and [word for word in left if word in plain] != plain
    return len(plain) <= len(left) and not is_moved


def _other_program(episode: Episode, failed: Part, wrong: str) -> str:
    """Returns the program that did it instead."""
    change = episode.change
    if change.kind != "wrong-command" or change.before.split(" ")[:1] != [failed.program]:
        return ""
    if not change.after or is_one_off(change.after) or is_several(change.after):
        return ""
    old = change.before if wrong in change.before.split(" ") else f"{failed.program} {wrong}"
    return f"Use {code(change.after, _LONGEST_CODE)} instead of {code(old, _LONGEST_CODE)}"


def _whole(fix: Step, changed: str) -> str:
    shown = essential(fix, changed, _LONGEST_CALL)
    return "" if is_one_off(shown) else f"Write it like {code(shown, _LONGEST_CALL)}"
