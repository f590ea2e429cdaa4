"""A pair in, whether an option was dropped, added or replaced out."""

from lessons.capture.signals.pair import Pair, Words
from lessons.episode import Change


def change(pair: Pair) -> Change | None:
    before, after = pair.words()
    if not before or not after or before[0] != after[0]:
        return None
    gone, came = _without(before, after), _without(after, before)
    if not any(word.startswith("-") for word in (*gone, *came)):
        return None
    if any(not _belongs(word, gone) for word in gone) or any(not _belongs(word, came) for word in came):
        return None
    return Change("wrong-flag", " ".join(gone), " ".join(came))


def _without(words: Words, others: Words) -> list[str]:
    return [word for word in words if word not in others]


def _belongs(word: str, words: list[str]) -> bool:
    """An option, or the value of the one before it."""
    place = words.index(word)
    return word.startswith("-") or (place > 0 and words[place - 1].startswith("-"))
