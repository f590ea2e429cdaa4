"""Finds which words of the call were replaced."""

import re
from difflib import SequenceMatcher

from lessons.capture.signals.content import BLANKED, EMPTY, contents
from lessons.capture.signals.difference import (
    Block,
    Words,
    blocks,
    inside,
    is_number,
    only_numbers,
    paths_apart,
    shortened,
    shown,
    similarity,
    told,
)
from lessons.capture.signals.object import is_another_object
from lessons.capture.signals.pair import Pair, same_task
from lessons.episode import Change
from lessons.shell.named import is_named

_MOST_WORDS = 4
_SIMILAR = 0.25
_SIMILAR_TEXT = 0.4
_LONG = 40
_COMPARED_CHARACTERS = 4096
_ALIKE = 0.5
_FEW_WORDS = 4  # of a quoted text: a longer one with one name replaced is the same piece of work
_COMPARED = 80  # characters of a word
_TEXT = re.compile(r"[\s(\[{\"']")  # in a word: it is written in another language
_PATH = re.compile(r"[\w.~@*+:=-]*/[\w.~@*+:=/-]*")


def change(pair: Pair) -> Change | None:
    """Finds other arguments of the same command; calls with little in common are different work."""
    if not pair.failure.command or not pair.fix.command or pair.failure.command.split() == pair.fix.command.split():
        return None
    before, after = pair.before.words, pair.after.words
    if not before or not after or (similarity(before, after) < _SIMILAR and len(before) < _LONG):
        return None
    if pair.before.program == pair.after.program and not same_task(pair.before, pair.after):
        return None
    found = blocks(contents(pair.failure.command, before), contents(pair.fix.command, after))
    if not found:  # inside a script; on a single line it is another command, which is not to blame
        return _of_text(pair) if "\n" in pair.failure.command and "\n" in pair.fix.command else None
    if only_numbers(found):
        return None  # the same about another object
    is_long = any(len(word.split()) > _FEW_WORDS for block in found for word in block.gone)
    found = told([_opened(block, pair.said) for block in found], pair.said, pair.error)
    if pair.kind is None and any(_is_another_thing(block, pair.error) for block in found):
        return None
    if not is_long and any(is_another_object(block, pair.said) for block in found):
        return None
    return _of_words(found, after)


def _of_text(pair: Pair) -> Change | None:
    before, after = pair.failure.command[:_COMPARED_CHARACTERS], pair.fix.command[:_COMPARED_CHARACTERS]
    if similarity(tuple(before.split()), tuple(after.split())) < _SIMILAR_TEXT:
        return None
    gone, came = inside(before, after, pair.said)
    if not (gone or came) or all(map(is_number, (*gone.split(), *came.split()))):
        return None
    return Change("wrong-arguments", shortened(gone), shortened(came))


def _opened(block: Block, said: str) -> Block:
    """Reduces a quoted text to the place where it differs."""
    if len(block.gone) != 1 or len(block.came) != 1 or not all(_TEXT.search(word[0]) for word in block):
        return block
    gone, came = inside(block.gone[0], block.came[0], said)
    return Block((gone,) if gone else (), (came,) if came else ())


def _is_another_thing(block: Block, error: str) -> bool:
    """Whether one plain word replaced a different one without the error blaming it."""
    if len(block.gone) != 1 or len(block.came) != 1 or " " in block.gone[0] + block.came[0]:
        return False
    (gone,), (came,) = block
    return not is_named(gone, error) and SequenceMatcher(None, gone[:_COMPARED], came[:_COMPARED]).ratio() < _ALIKE


def _of_words(found: list[Block], after: Words) -> Change:
    gone: Words = tuple(word for block in found for word in block.gone)[:_MOST_WORDS]
    came: Words = tuple(word for block in found for word in block.came)[:_MOST_WORDS]
    if came == (EMPTY,) and not gone:  # `sed -i ''`: which option it belongs to
        came = (after[max(0, after.index(BLANKED) - 1)], EMPTY) if BLANKED in after else came
    if gone and came and all(map(_PATH.fullmatch, (*gone, *came))):
        return Change("wrong-path", *map(shortened, paths_apart(shown(gone), shown(came))))
    return Change("wrong-arguments", shown(gone), shown(came))
