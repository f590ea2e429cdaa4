"""How similar two texts of any script are: 0 to 1."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

ALIKE = 0.5
_WORD = re.compile(r"[^\W_]+")
_ASCII_WORD = re.compile("[a-z0-9]+")
_QUOTED = re.compile(r"`[^`\n]*\w[^`\n]*`|“[^”\n]*\w[^”\n]*”|「[^」\n]*\w[^」\n]*」|«[^»\n]*\w[^»\n]*»")
# Scripts that put no space between words, or glue so much to a word that two forms of it look unlike: Thai to Khmer,
# Hangul, kana, the ideographs with their extensions.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u3040-\u30ff\u3100-\u318f\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)


@lru_cache(maxsize=20_000)
def tokens(text: str) -> frozenset[str]:
    """The same as `words_in`, for texts that are compared with many others."""
    return words_in(text)


def words_in(text: str) -> frozenset[str]:
    """The words of a text, whatever their case and signs; where words are not told apart, pairs of characters."""
    if text.isascii():
        return frozenset(_ASCII_WORD.findall(text.lower()))
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    # Marks on letters are no ends of words: a script that writes vowels as marks would fall to pieces.
    plain = "".join(letter for letter in unicodedata.normalize("NFD", plain) if not _is_mark(letter))
    plain = unicodedata.normalize("NFC", plain)
    found = {pair for run in _UNSPACED.findall(plain) for pair in _pairs(run)}
    found.update(_WORD.findall(_UNSPACED.sub(" ", plain)))
    return frozenset(found)


def jaccard(one: str, other: str) -> float:
    """What both texts say, as a share of what either says; texts that say nothing have nothing in common."""
    return _share(tokens(one), tokens(other))


class Said(NamedTuple):
    """The words of a text, and of what it quotes; None where it quotes nothing."""

    words: frozenset[str]
    quoted: frozenset[str] | None


@lru_cache(maxsize=20_000)
def said(text: str) -> Said:
    quotations = _QUOTED.findall(text)
    return Said(tokens(text), tokens("\n".join(quotations)) if quotations else None)


def likeness(one: str, other: str) -> float:
    """Of whole texts; where both quote code or words of somebody, what they quote must be alike too.

    Texts that were written by a rule share all but what they are about: "`x` is not there" is not "`y` is not there".
    """
    return likeness_of(said(one), said(other))


def likeness_of(one: Said, other: Said) -> float:
    """The same of texts that are split into words already."""
    whole = _share(one.words, other.words)
    return whole if one.quoted is None or other.quoted is None else min(whole, _share(one.quoted, other.quoted))


def _share(here: frozenset[str], there: frozenset[str]) -> float:
    both = len(here & there)
    return both / (len(here) + len(there) - both) if both else 0.0


def is_repetition(one: str, other: str) -> bool:
    """Whether they are the same words in the same order, give or take a few."""
    here, there = _sequence(one), _sequence(other)
    return bool(here and there) and len(here & there) >= 0.9 * len(here | there)


def _sequence(text: str) -> frozenset[tuple[str, str]]:
    words = _WORD.findall(unicodedata.normalize("NFKC", text).casefold())
    return frozenset(zip(["", *words], [*words, ""], strict=True)) if words else frozenset()


def _pairs(run: str) -> list[str]:
    return [run[start : start + 2] for start in range(len(run) - 1)] or [run]


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) == "Mn"
