"""Finds an option that was dropped, added, replaced, or given another value."""

import re

from lessons.capture.signals.content import BLANKED, contents
from lessons.capture.signals.difference import Words, blocks, is_number, shown
from lessons.capture.signals.pair import Pair, same_task
from lessons.episode import Change
from lessons.shell.named import is_named

_LETTERS = re.compile(r"-[A-Za-z]{1,6}")
_COUNT = re.compile(r"-\d+")


def change(pair: Pair) -> Change | None:
    before, after = pair.before.words, pair.after.words
    if not before or not after or before[0] != after[0] or not same_task(pair.before, pair.after):
        return None
    gone, came = _without(before, after), _without(after, before)
    if not any(word.startswith("-") for word in (*gone, *came)):
        return _value(pair)
    if any(not _belongs(word, gone) for word in gone) or any(not _belongs(word, came) for word in came):
        return None
    if _is_about_another_word(gone, pair.said) or _is_another_number(gone, came, pair.said):
        return None
    if added := _added_letters(gone, came):
        return Change("wrong-flag", "", added)
    gone, came = _told(gone, came, pair.said)
    return Change("wrong-flag", shown(gone), shown(_with_texts(came, pair)))


def _with_texts(came: list[str], pair: Pair) -> list[str]:
    """Returns the words with the quoted text that is the only one of the call."""
    texts = [text for text in contents(pair.fix.command, pair.after.words) if " " in text]
    return [f"'{texts[0]}'" if word == BLANKED and len(texts) == 1 and "'" not in texts[0] else word for word in came]


def _added_letters(gone: list[str], came: list[str]) -> str:
    """Returns `-g` if `-s` became `-sg`."""
    if len(gone) != 1 or len(came) != 1 or not all(_LETTERS.fullmatch(word) for word in (*gone, *came)):
        return ""
    added = "".join(letter for letter in came[0][1:] if letter not in gone[0])
    return f"-{added}" if added and set(gone[0]) < set(came[0]) else ""


def _without(words: Words, others: Words) -> list[str]:
    return [word for word in words if word not in others]


def _belongs(word: str, words: list[str]) -> bool:
    """Whether it is an option, or the value of the one before it."""
    place = words.index(word)
    return word.startswith("-") or (place > 0 and words[place - 1].startswith("-"))


def _is_told(word: str, said: str) -> bool:
    return word.startswith("-") and is_named(word.partition("=")[0], said)


def _is_about_another_word(gone: list[str], said: str) -> bool:
    if any(_is_told(word, said) for word in gone):
        return False
    return any(not word.startswith("-") and is_named(word, said) for word in gone)


def _is_another_number(gone: list[str], came: list[str], said: str) -> bool:
    """Detects `--limit=5` → `--limit=10` and `-5` → `-10`, unless the error is about the limit."""
    if len(gone) != 1 or len(came) != 1:
        return False
    if _COUNT.fullmatch(gone[0]) and _COUNT.fullmatch(came[0]):
        return not _is_told(gone[0], said)
    (name, _, old), (other, _, new) = gone[0].partition("="), came[0].partition("=")
    return name == other and is_number(old) and is_number(new) and not _is_told(name, said)


def _told(gone: list[str], came: list[str], said: str) -> tuple[list[str], list[str]]:
    """If several options were only removed, returns the one that the error mentions."""
    place = next((place for place, word in enumerate(gone) if _is_told(word, said)), None)
    if came or place is None:
        return gone, came
    with_value = place + 1 < len(gone) and not gone[place + 1].startswith("-")
    return gone[place : place + 1 + with_value], came


def _value(pair: Pair) -> Change | None:
    """Detects another value of an option that the error mentions, by its name or by the wrong value."""
    before, after = pair.before.words, pair.after.words
    found = blocks(before, after)
    if len(found) != 1 or len(found[0].gone) != 1 or len(found[0].came) != 1:
        return None
    (gone,), (came,) = found[0]
    option = before[before.index(gone) - 1]
    by_value = option.startswith("--") and not is_number(gone) and is_named(gone, pair.said)
    if not by_value and not _is_told(option, pair.said):
        return None
    return Change("wrong-flag", shown([option, gone]), shown([option, came]))
