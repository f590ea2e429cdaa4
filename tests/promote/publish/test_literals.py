"""Required literals: tables of what must not be promised and what is found, and soundness on generated texts."""

import re
import sys
import warnings

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lessons.match.call import fold
from lessons.promote.publish import literals
from lessons.promote.publish.literals import all_literal_sets
from tests.sizes import examples
from tests.tables import table


@table(
    "source",
    [
        "",
        "a",
        "a|bcd",
        "abc|",
        "(abc)?",
        "(abc)*",
        "(?!abc)",
        "(?<!abc)",
        ".*",
        r"\w+ \d",
        "[abc][abcdef]",
        "[^a]b",
        "éÉß",
        "(?i:ÀÖ)",
        r"(a)?(?(1)bcd|efg)",
        r"(.)\1",
        "a?b?",
        "(?:a(?=bcd))?",
        "(?:foo|x)",
        "|".join(chr(97 + number) * 5 for number in range(20)),
        "(" * 2000 + ")" * 2000,
    ],
)
def test_promises_nothing(source: str) -> None:
    assert all_literal_sets(source, 0) == []


@table(
    ("source", "expected"),
    [
        (r"\bpytest\b(?!.*(--no-header|-p no:faulthandler))", ("pytest",)),
        (r"^git push .*--force(?!-with-lease)", ("git push ",)),
        (r"npm (i|install)\b", ("npm i",)),
        (r"npm (install|ci)\b", ("npm ci", "npm install")),
        (r"^rm -rf? \S+", ("rm -r ", "rm -rf ")),
        ("https?://", ("http://", "https://")),
        ("[Tt]est", ("test",)),
        ("[hb]at", ("bat", "hat")),
        ("(ab){2,}", ("abab",)),
        ("x{3}", ("xxx",)),
        ("x{3,}y", ("xxxy",)),
        ("git +push", (" push",)),
        ("git.push", ("push",)),
        (r"ab\scd\wefg", ("efg",)),
        ("(?:ab)+?cd", ("abcd",)),
        ("(?>foo)bar", ("foobar",)),
        ("a++bc", ("abc",)),
        ("(?i)KILL -9", ("kill -9",)),
        ("(?x) pip \\s # words\n install", ("install",)),
        ("foo(?=bar)", ("bar",)),
        ("(?<=sudo )rm", ("sudo ",)),
        ("foo$\\nbar", ("foo\nbar",)),
        ("é日本é", ("日本",)),
        ("(?:foo.*|bars+)", ("bars", "foo")),
        ("(?:a|b)?cat", ("cat",)),
        ("v[0-9]+", None),
    ],
)
def test_finds_the_most_telling_set(source: str, expected: tuple[str, ...] | None) -> None:
    assert next(iter(all_literal_sets(source, 0)), None) == expected


def test_offers_every_set_to_choose_from() -> None:
    assert all_literal_sets("git push .*--force", 0) == [("git push ",), ("--force",)]
    assert all_literal_sets("(foo|bar) baz", 0) == [("bar baz", "foo baz"), (" baz",)]


def test_long_and_many_strings_are_kept_in_bounds() -> None:
    for source in ("x{5000}y{70}", "(ab|cd){9}", "(a?){100}bc", "(?:(?:xy){50}){50}", "[ab]" * 40 + "cd", "word" * 99):
        for strings in all_literal_sets(source, 0):
            assert len(strings) <= 16
            assert all(2 <= len(string) <= 64 for string in strings)
            assert all(fold(string) == string for string in strings)


def test_no_other_character_is_taken_for_a_comparable_one() -> None:
    """For every character there is: those that may be in a literal match themselves only, or are ASCII."""
    characters = list(map(chr, range(128, sys.maxunicode + 1)))
    comparable = [char for char in characters if literals._is_comparable(char)]
    others = sorted(set(map(chr, range(sys.maxunicode + 1))) - set(comparable))
    assert {"日", "—", "\u0307"} < set(comparable)
    assert {"\u0345", "\u0130", "\u017f", "Σ", "ς", "ß", "é"} < set(others)
    any_other = re.compile("[" + "".join(map(re.escape, others)) + "]", re.IGNORECASE)
    assert any_other.search("".join(comparable)) is None
    assert fold("".join(comparable)) == "".join(comparable)


def assert_sound(source: str, flags: int, text: str) -> None:
    folded = fold(text)
    for strings in all_literal_sets(source, flags):
        assert any(string in folded for string in strings), (source, flags, text, strings)


ATOMS = [
    "a",
    "b",
    "k",
    "K",
    "S",
    "ss",
    "i",
    "I",
    "git",
    " ",
    "-",
    "日",
    "é",
    "ſ",
    "\u212a",
    "\u0130",
    r"\b",
    "^",
    "$",
    ".",
    r"\w",
]
CLASSES = ["[kK]", "[a-c]", "[^a]", "[I-K]", "[sS日]", r"[\sab]", "[éa]"]
# Without an end on small parts only: a regex that never finishes would say nothing about its literals.
OPEN_QUANTIFIERS = ["*", "+", "{2,}", "+?", "*+"]
QUANTIFIERS = ["?", "{2}", "{0,2}", "??", "{1,2}?", "?+", "{3}"]


def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.lists(inner, min_size=2, max_size=4).map("".join),
        st.lists(inner, min_size=2, max_size=3).map("|".join).map("(?:{})".format),
        st.tuples(inner, st.sampled_from(QUANTIFIERS)).map(lambda pair: f"(?:{pair[0]}){pair[1]}"),
        st.tuples(st.sampled_from(["(", "(?i:", "(?-i:", "(?=", "(?!", "(?>", "(?s:"]), inner).map(
            lambda pair: "".join(pair) + ")"
        ),
        inner.map(lambda one: rf"(?P<g>{one})(?P=g)" if "(?P" not in one else one),
        inner.map(lambda one: rf"(?P<h>a)?(?(h){one}|b)" if "(?P" not in one else one),
    )


atoms = st.sampled_from(ATOMS + CLASSES)
repeated_atoms = st.tuples(atoms, st.sampled_from(OPEN_QUANTIFIERS)).map(lambda pair: f"(?:{pair[0]}){pair[1]}")
regexes = st.recursive(st.one_of(atoms, repeated_atoms), larger, max_leaves=10)
all_flags = st.sampled_from([0, re.I, re.I | re.A, re.S, re.I | re.M])
TWINS = str.maketrans({"i": "ı", "I": "İ", "s": "ſ", "S": "ſ", "k": "\u212a", "K": "\u212a"})
slow_is_fine = settings(max_examples=examples(300), deadline=None, suppress_health_check=list(HealthCheck))


@slow_is_fine
@given(regexes, all_flags, st.lists(st.text("abckKsSiIgt -日éſİıK\n", max_size=10), min_size=5, max_size=20))
def test_sound_on_random_texts(source: str, flags: int, texts: list[str]) -> None:
    try:
        compiled = re.compile(source, flags)
    except re.error:
        return
    for text in texts:
        if compiled.search(text):
            assert_sound(source, flags, text)


@slow_is_fine
@given(st.data(), regexes, all_flags)
def test_sound_on_texts_made_from_the_regex(data: st.DataObject, source: str, flags: int) -> None:
    try:
        compiled = re.compile(source, flags)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = data.draw(st.from_regex(compiled))
    except (re.error, NotImplementedError):
        return
    for variant in (text, text.upper(), text.lower(), text.swapcase(), text.translate(TWINS), text.title()):
        if compiled.search(variant):
            assert_sound(source, flags, variant)
