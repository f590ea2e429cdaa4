"""Folding: compared with IGNORECASE, for every character there is."""

import re
import string
import sys

from hypothesis import given
from hypothesis import strategies as st

from lessons.match.fold import fold
from tests.tables import table

EVERY_CHARACTER = "".join(map(chr, range(sys.maxunicode + 1)))
ASCII = "".join(map(chr, range(128)))


@table("text", ["", "abc", "a-b /c", "日本語", "é"])
def test_leaves_alone(text: str) -> None:
    assert fold(text) == text


def test_folds() -> None:
    assert fold("GIT Push") == "git push"
    assert fold("PYTE\u017fT \u0130\u0131 \u212a") == "pytest ii k"
    assert fold("ÉΣ") == "éς"


@table("char", list(ASCII))
def test_whatever_ignorecase_takes_for_an_ascii_character_folds_to_it(char: str) -> None:
    alike = re.findall(re.escape(char), EVERY_CHARACTER, re.IGNORECASE)
    assert {fold(one) for one in alike} == {fold(char)}


@table(("low", "high"), [("a", "z"), ("A", "Z"), ("Z", "a"), ("h", "l"), ("R", "T"), ("\0", "\x7f")])
def test_the_same_for_ranges(low: str, high: str) -> None:
    alike = re.findall(f"[{re.escape(low)}-{re.escape(high)}]", EVERY_CHARACTER, re.IGNORECASE)
    members = {fold(chr(number)) for number in range(ord(low), ord(high) + 1)}
    assert {fold(one) for one in alike} == members


def test_a_character_folds_to_ascii_only_where_ignorecase_agrees() -> None:
    folded_to_ascii = {one for one in EVERY_CHARACTER if not one.isascii() and fold(one).isascii()}
    assert folded_to_ascii == set(re.findall(f"[{string.ascii_letters}]", EVERY_CHARACTER, re.I)) - set(ASCII)


def test_every_character_stays_one_character() -> None:
    assert all(len(fold(one)) == 1 for one in EVERY_CHARACTER)


@given(st.text(), st.text())
def test_a_text_folds_piece_by_piece_but_for_the_final_sigma(left: str, right: str) -> None:
    assert fold(left + right).replace("ς", "σ") == (fold(left) + fold(right)).replace("ς", "σ")


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)).replace("ς", "σ") == fold(text).replace("ς", "σ")
