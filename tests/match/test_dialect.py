"""Regexes of two dialects: what is refused, what is unchanged, what is translated with the same meaning."""

import re
import warnings

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lessons.match.dialect import to_python
from tests.sizes import examples
from tests.tables import table


def is_ambiguous(source: str) -> bool:
    try:
        to_python(source)
    except ValueError as reason:
        return "two ways" in str(reason)
    return False


def compiled(source: str, flags: str = "") -> re.Pattern[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return re.compile(*to_python(source, flags))


@table(
    ("source", "flags", "reason"),
    [
        ("a", "g", "'g'"),
        ("a", "y", "'y'"),
        ("a", "d", "'d'"),
        ("a", "iv", "'v'"),
        ("a", "x", "'x'"),
        ("a", "I", "'I'"),
        (r"\p{L}", "u", r"\\p"),
        (r"[\P{Lu}a]", "", r"\\P"),
        (r"\u{110000}", "", "10FFFF"),
        (r"\u{}", "", "hexadecimal"),
        (r"\u{12", "", "hexadecimal"),
        (r"\u12", "", "four hexadecimal"),
        (r"[\uXYZW]", "", "four hexadecimal"),
        (r"(?<a-b>x)", "", "group name"),
        (r"(?<$>x)", "", "group name"),
        (r"(?<a", "", "group name"),
        (r"(?<a>x)\k<a", "", "group name"),
        (r"\q", "", "no meaning"),
        (r"[\k<a>]", "", "no meaning"),
        (r"\c1", "", "no meaning"),
        ("a\\", "", "backslash"),
        ("[a", "", "never closed"),
        ("[a\\", "", "backslash"),
        ("x[^]a[b]", "", "two ways"),
    ],
)
def test_refused_with_a_reason(source: str, flags: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        to_python(source, flags)


@table(
    "source",
    [
        "",
        "pytest",
        r"(?P<a>x)(?P=a)",
        r"(?i:x)(?-i:y)(?s-i:z)",
        r"(?i)x",
        r"\Aa\Z",
        r"(?#c [ (?<x> \q)a",
        r"(?<=a)b(?<!c)d",
        r"(?>a+)b*+c",
        r"(?x) a [b] # see [c \q (?<n>",
        r"(?ix: a # \p{L} [)" + "\n)",
        r"(a)?(?(1)b|c)\1",
        r"\s\S\n\t\x41\u00e9\U0001F600\N{EM DASH}\012[\s\S]",
        r"(?u:\w)\s",
        r"(?iu)\bx\b",
        r"(?a)\w\s",
        r"\bécran\b",
        r"[]a]",
        r"[^]]+",
        r"[^]a-z]x[b]",
        r"[a-c-e]",
        r"[--a]",
        r"[-a]",
        r"[a-]",
        r"[\]\-\\^]",
        r"a{2,3}b{,2}c{d",
        r"\.\-\"\(\[\ ",
    ],
)
def test_python_patterns_stay_as_they_are(source: str) -> None:
    assert to_python(source) == (source, 0)
    compiled(source)


@table(
    "source",
    [
        r"\bpytest\b(?!.*(--no-header|-p no:faulthandler))",
        r"\d\w\D\W\n\t\x41\u00e9\U0001F600\N{EM DASH}\012",
        r"[\w-]",
        r"[\b\d.]",
        r"(?i:\b)(?s-i:z)(?P<aux>x)(?=auto)",
        r"(?ix) a # \w",
    ],
)
def test_words_and_digits_are_ascii(source: str) -> None:
    assert to_python(source) == (source, re.ASCII)
    compiled(source)


@table(
    ("source", "text", "expected"),
    [
        (r"\bpytest\b", "运行pytest一下", True),  # a letter of another script is no word here, as in JavaScript
        (r"\bnpm\b", "énpm", True),
        (r"^\w+$", "é", False),
        (r"[\w]", "é", False),
        (r"^\W$", "é", True),
        (r"^\d+$", "٣٤", False),
        (r"^\D$", "٣", True),
        (r"\Bnpm", "énpm", False),
        (r"\bécran\b", "un écran.", True),  # such a pattern means words of its own letters
        (r"\bécran\b", "unécran", False),
        (r"(?u:\w)$", "é", True),
        (r"\bgit\s+stash", "git\u00a0stash", True),  # white space of any kind stays white space
        (r"\bgit[\s]+stash", "git\u3000stash", True),
        (r"\bgit[^\s]+stash", "git\u3000stash", False),
        (r"\bgit\S+stash", "git\u3000stash", False),
        (r"\bx[\s\S]", "x\u3000", True),
        (r"\bx[\\s]", "x\u3000", False),
        (r"\bcafe", "CAFE", False),
        (r"(?i)\bk\b", "\u212a", False),  # the Kelvin sign
    ],
)
def test_what_is_a_word_and_what_is_white_space(source: str, text: str, expected: bool) -> None:
    assert bool(compiled(source).search(text)) is expected


@table(
    ("source", "expected"),
    [
        (r"(?<year>\d+)-\k<year>", r"(?P<year>\d+)-(?P=year)"),
        (r"a\/b[\/]", "a/b[/]"),
        (r"\u{1F600}+[\u{61}-\u{7a}]", r"\U0001f600+[\u0061-\u007a]"),
        (r"\ud83d\ude00", r"\U0001f600"),
        (r"\ud83dx", r"\ud83dx"),
        (r"[^]*", r"[\s\S]*"),
        (r"a[^]*?[bc]", r"a[\s\S]*?[bc]"),
        (r"([^])", r"([\s\S])"),
        (r"[]", r"[^\s\S]"),
        (r"a|[]|b", r"a|[^\s\S]|b"),
        (r"\cA\cz[\cJ]", r"\x01\x1a[\x0a]"),
        (r"[[a]", r"[\[a]"),
        (r"[^[]", r"[^\[]"),
        (r"[^][]", r"[^]\[]"),
        (r"[[:alpha:]]", r"[\[:alpha:]]"),
        (r"[a&&b||c~~d]", r"[a\&&b\||c\~~d]"),
        (r"[+--]", r"[+-\-]"),
        (r"[\w-.]", r"[\w\-.]"),
        (r"[.-\d]", r"[.\-\d]"),
        (r"[\w-a-z]", r"[\w\-a\-z]"),
    ],
)
def test_translated(source: str, expected: str) -> None:
    assert to_python(source) == (expected, re.ASCII if r"\d" in source or r"\w" in source else 0)
    compiled(source)


@table(("flags", "bits"), [("", 0), ("i", 2), ("m", 8), ("s", 16), ("u", 0), ("imsu", 26)])
def test_flags(flags: str, bits: int) -> None:
    assert to_python("a", flags) == ("a", bits)
    assert bits == sum({"i": re.I, "m": re.M, "s": re.S, "u": 0}[flag] for flag in flags)


# Pairs of one meaning: as another system would spell it, and as a Python programmer would.
TWINS = [
    ("a", "a"),
    (r"\/", "/"),
    (r"\u{61}", "a"),
    (r"\u{1F600}", "😀"),
    (r"\uD83D\uDE00", "😀"),
    (r"(?:[^])", r"(?:.|\n)"),
    (r"[^]*?", r"(?:.|\n)*?"),
    (r"\cJ", r"\n"),
    ("[[a]", r"(?:a|\[)"),
    ("[^[]", r"(?:(?!\[)(?s:.))"),
    ("[a&&b]", "(?:a|b|&)"),
    (r"[\w-.]", r"(?:\w|-|\.)"),
    (r"[\d-a-c]", r"(?:\d|-|a|c)"),
    (r"[+--]", r"(?:\+|,|-)"),
    (r"[^\/\]]", r"(?:(?![/\]])(?s:.))"),
    (r"\d", r"\d"),
    ("(?:", "(?:"),
    ("(?<=a)", "(?<=a)"),
    ("(?<!a)", "(?<!a)"),
    (")", ")"),
    ("|", "|"),
    ("*", "*"),
    ("?", "?"),
]
TEXTS = st.text("ab-.,+/[]&0\n\\😀c^", max_size=12)


@settings(max_examples=examples(1500), deadline=None)
@given(st.lists(st.sampled_from(TWINS), max_size=8), TEXTS, st.sampled_from(["", "i", "m", "s", "imsu"]))
def test_meaning_is_unchanged(parts: list[tuple[str, str]], text: str, flags: str) -> None:
    foreign, native = ("".join(part[side] for part in parts) for side in (0, 1))
    bits = to_python("", flags)[1]
    try:
        expected = re.compile(native, bits)
    except re.error:
        return
    assume(not is_ambiguous(foreign))
    spans = [found.span() for found in compiled(foreign, flags).finditer(text)]
    assert spans == [found.span() for found in expected.finditer(text)]


@settings(max_examples=examples(500), deadline=None)
@given(st.sampled_from(["a", "+", r"\w", "[^]"]), TEXTS)
def test_named_groups_keep_their_meaning(body: str, text: str) -> None:
    body = "a" if body == "+" else body
    found = compiled(rf"(?<one>{body})-\k<one>").search(text)
    expected = compiled(rf"(?P<one>{body})-(?P=one)").search(text)
    assert (found and found.groupdict()) == (expected and expected.groupdict())


@settings(max_examples=examples(2000), deadline=None)
@given(st.text(r"ab\[]^-&|/(?<>=!:#)kucdpxw{}0159*+", max_size=16))
def test_what_python_accepts_keeps_its_meaning(source: str) -> None:
    """A pattern that is valid Python either stays valid or is refused; it never becomes a broken one."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(source)
    except (re.error, OverflowError):
        return
    assume(not is_ambiguous(source))
    compiled(source)
