"""Measures how similar two texts of any script are: 0 to 1."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

ALIKE = 0.5
_WORD = re.compile(r"[^\W_]+")
_ASCII_WORD = re.compile("[a-z0-9]+")
_QUOTED = re.compile(r"`[^`\n]*\w[^`\n]*`|“[^”\n]*\w[^”\n]*”|「[^」\n]*\w[^」\n]*」|«[^»\n]*\w[^»\n]*»")
# Scripts without spaces between words, or with so many endings that two forms of a word look different. These are Thai
# to Khmer, Hangul, kana, and the ideographs with their extensions.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u3040-\u30ff\u3100-\u318f\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+"
)


@lru_cache(maxsize=20_000)  # texts are compared with many others
def tokens(text: str) -> frozenset[str]:
    """Returns the words of a text, ignoring case and signs; pairs of characters if words are not separated."""
    if text.isascii():
        return frozenset(_ASCII_WORD.findall(text.lower()))
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    # Marks on letters do not end a word: a script that writes vowels as marks would fall apart.
    plain = "".join(letter for letter in unicodedata.normalize("NFD", plain) if unicodedata.category(letter) != "Mn")
    plain = unicodedata.normalize("NFC", plain)
    found = {pair for run in _UNSPACED.findall(plain) for pair in _pairs(run)}
    found.update(_WORD.findall(_UNSPACED.sub(" ", plain)))
    return frozenset(found)


def jaccard(one: str, other: str) -> float:
    """Returns the shared words as a share of all words of both; 0 for texts without words."""
    return _share(tokens(one), tokens(other))


class TextWords(NamedTuple):
    """The words of a text, and of its quotations; None if it quotes nothing."""

    words: frozenset[str]
    quoted: frozenset[str] | None


@lru_cache(maxsize=20_000)
def text_words(text: str) -> TextWords:
    quotations = _QUOTED.findall(text)
    return TextWords(tokens(text), tokens("\n".join(quotations)) if quotations else None)


def likeness(one: str, other: str) -> float:
    """Compares whole texts; if both quote code or somebody's words, their quotations must be alike too.

    Texts written by a rule differ only in their subject: "`x` is missing" is not "`y` is missing".
    """
    return likeness_of(text_words(one), text_words(other))


def likeness_of(one: TextWords, other: TextWords) -> float:
    """Compares texts that are already split into words."""
    whole = _share(one.words, other.words)
    return whole if one.quoted is None or other.quoted is None else min(whole, _share(one.quoted, other.quoted))


def _share(here: frozenset[str], there: frozenset[str]) -> float:
    both = len(here & there)
    return both / (len(here) + len(there) - both) if both else 0.0


def is_repetition(one: str, other: str) -> bool:
    """Whether they are the same words in the same order, except for a few."""
    here, there = _sequence(one), _sequence(other)
    return bool(here and there) and len(here & there) >= 0.9 * len(here | there)


def _sequence(text: str) -> frozenset[tuple[str, str]]:
    words = _WORD.findall(unicodedata.normalize("NFKC", text).casefold())
    return frozenset(zip(["", *words], [*words, ""], strict=True)) if words else frozenset()


def _pairs(run: str) -> list[str]:
    return [run[start : start + 2] for start in range(len(run) - 1)] or [run]
