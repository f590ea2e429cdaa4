"""Globs against paths: tables of what must not match and what must, checked by an independent matcher."""

import re
import string
import time
import warnings

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from lessons.match.glob import glob_to_regex
from tests.sizes import examples
from tests.tables import table

QUIET = [
    ("src/*.py", "/home/u/mysrc/a.py"),
    ("src/*.py", "src/sub/a.py"),
    ("src/*.py", "src/a.pyc"),
    ("src/*.py", "src/a.py\n"),
    ("src/?.py", "src/ab.py"),
    ("src?a.py", "src/a.py"),
    ("src[/]a.py", "src/a.py"),
    ("src[!x]a.py", "src/a.py"),
    ("src[+-9]a.py", "src/a.py"),
    ("a+b(c).py", "aab(c).py"),
    ("a.py", "aXpy"),
    ("^a$", "a"),
    ("a|b", "a"),
    ("src/**", "src"),
    ("src/", "src"),
    ("src/**/x.py", "src/xx.py"),
    ("src/**/x.py", "srcx.py"),
    ("/etc/*", "/root/etc/passwd"),
    ("/etc/*", "etc/passwd"),
    ("C:/x/*", "D:/C:/x/a"),
    ("C:/x/*", "D:/x/a"),
    ("c:/x/*", "C:/X/a"),
    ("README.md", "readme.md"),
    ("*.{js,ts}", "a.jsx"),
    ("{a}.py", "a.py"),
    (r"a\*b", "aXb"),
    (r"app/\[id\]/page.tsx", "app/i/page.tsx"),
    (r"[a\-z]", "b"),
    ("[z-a]", "z"),
    ("", ""),
    ("", "a"),
    ("*", "src/"),
    ("~/x", "/home/u/x"),
]
MATCHING = [
    ("src/*.py", "/home/u/p/src/a.py"),
    ("src/*.py", "src/a.py"),
    ("src/*.py", "src/.py"),
    ("./src/*.py", "p/src/a.py"),
    ("*.py", "/a/b/c.py"),
    ("*.py", ".hidden.py"),
    ("*.py", "new\nline.py"),
    ("src/**/x.py", "src/x.py"),
    ("src/**/x.py", "p/src/a/b/x.py"),
    ("src/**", "src/a"),
    ("src/**", "p/src/a/b"),
    ("src/", "src/a/b"),
    ("**", "a/b"),
    ("**/x", "x"),
    ("/**/x", "/x"),
    ("/**/x", "/a/b/x"),
    ("**.py", "a/b.py"),
    ("a**b", "aXXb"),
    ("/etc/*", "/etc/passwd"),
    ("C:/x/*", "C:/x/a"),
    ("C:/x/*", "c:/x/a"),
    ("c:\\x\\*", "C:/x/a"),
    ("a+b(c).py", "a+b(c).py"),
    ("*.{js,ts}", "p/a.ts"),
    ("*.{j,t}s{x,}", "a.js"),
    ("*.{j,t}s{x,}", "a.tsx"),
    ("{src,lib/**}/{a,b{c,d}}.py", "lib/x/y/bd.py"),
    ("{src,**}/x", "x"),
    ("{/etc,/usr/**}/x", "/usr/a/x"),
    ("{a,b", "{a,b"),
    ("a}", "a}"),
    ("a,b", "a,b"),
    ("{{name}}/x", "{{name}}/x"),
    ("{a,{b}.py", "{a,{b}.py"),
    ("[ab", "[ab"),
    ("[a/b]", "[a/b]"),
    ("[]]", "]"),
    ("[!]]", "a"),
    ("[^x]y", "zy"),
    ("[a-c-]", "-"),
    ("[+-9]", "0"),
    ("[[&&~~||--]", "&"),
    ("[é-ü]", "ö"),
    (r"a\*b", "a*b"),
    (r"a\{b,c\}", "a{b,c}"),
    (r"app/\[id\]/page.tsx", "app/[id]/page.tsx"),
    (r"docs/a\.md", "docs/a.md"),
    (r"src\*.py", "src/a.py"),
    (r"src\\*.py", "src/a.py"),
    (r"src\**\x.py", "src/a/b/x.py"),
    (r"src\lib\[ab].py", "src/lib/a.py"),
    (r"C:\Users\*", "C:/Users/me"),
    (r"src/lib\main.py", "src/lib/main.py"),
    ("src\\", "src/a"),
]
PATHS = QUIET + MATCHING


def matches(pattern: str, path: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return re.search(glob_to_regex(pattern), path) is not None


@table(("pattern", "path"), QUIET)
def test_does_not_match(pattern: str, path: str) -> None:
    assert not matches(pattern, path)


@table(("pattern", "path"), MATCHING)
def test_matches(pattern: str, path: str) -> None:
    assert matches(pattern, path)


@table("pattern", ["{a,b}" * 30, "{" * 40 + "a" + ",b}" * 40, "{" + "," * 300 + "}"])
def test_braces_that_stand_for_too_much_are_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="braces"):
        glob_to_regex(pattern)


@table(
    ("pattern", "path"),
    [
        ("**/**/**/*a*b*c*", "/".join(["ab" * 20] * 100)),
        ("*a" * 30, "a" * 255 + "!"),
        ("*a" * 30 + "*b", "a" * 255),
        ("**/a/" * 30 + "b", "a/" * 2000 + "c"),
        ("**/*a*a*a*/**/" * 8 + "b", ("a" * 100 + "/") * 40),
        ("[!b]*" * 30 + "b", "a" * 255),
        ("?*" * 40 + "b", "a" * 255),
        ("{**,*}/" * 5 + "b", "a/" * 500),
    ],
)
def test_hostile_pattern_and_path_stay_quick(pattern: str, path: str) -> None:
    compiled = re.compile(glob_to_regex(pattern))
    start = time.process_time()
    assert compiled.search(path) is None
    assert time.process_time() - start < 0.5


def brace_alternatives(pattern: str) -> list[str]:
    """All readings of a pattern's innermost-last braces, by rewriting the text until none is left."""
    for found in re.finditer(r"\{([^{}]*,[^{}]*)\}", pattern):
        before, after = pattern[: found.start()], pattern[found.end() :]
        return [one for part in found[1].split(",") for one in brace_alternatives(before + part + after)]
    return [pattern]


def name_matches(pattern: str, name: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == "*":
        return name_matches(pattern[1:], name) or (name != "" and name_matches(pattern, name[1:]))
    if not name:
        return False
    if pattern[0] == "[":
        negated, members, rest = pattern[1] == "!", pattern[1:].split("]")[0].lstrip("!"), pattern.split("]", 1)[1]
        return ((name[0] in members) != negated) and name_matches(rest, name[1:])
    return pattern[0] in ("?", name[0]) and name_matches(pattern[1:], name[1:])


def names_match(patterns: list[str], names: list[str]) -> bool:
    if not patterns:
        return not names
    head, *tail = patterns
    if len(head) > 1 and set(head) == {"*"}:
        if not tail:
            return "/".join(names) != ""
        return any(names_match(tail, names[i:]) for i in range(len(names) + 1))
    if not names or (head and set(head) == {"*"} and not names[0]):
        return False
    return name_matches(head, names[0]) and names_match(tail, names[1:])


def judge(pattern: str, path: str) -> bool:
    names = path.split("/")
    for one in brace_alternatives(pattern):
        patterns = one.split("/")
        starts = range(1) if one.startswith("/") else range(len(names))
        if one.strip("/") and any(names_match(patterns, names[start:]) for start in starts):
            return True
    return False


pieces = st.sampled_from(
    ["a", "b", ".", "*", "**", "?", "/", "/**/", "[ab]", "[!a]", "{a,b}", "{,*}", "{a/,**/}", "+", "("]
)
patterns = st.lists(pieces, min_size=1, max_size=7).map("".join).filter(lambda text: not text.startswith("./"))
nested = st.builds("{{{0},{1}}}{2}".format, patterns, patterns, patterns)
paths = st.text("ab./+(", min_size=0, max_size=9)


@settings(max_examples=examples(2000), deadline=None)
@given(st.one_of(patterns, nested), paths)
@example("a/**/b", "a/b")
@example("**/**", "a")
def test_agrees_with_a_plain_matcher(pattern: str, path: str) -> None:
    assume(pattern.count("{") < 5)
    if any(one.endswith("/") or one.startswith("./") for one in brace_alternatives(pattern)):
        return  # shorthands of our own, in the tables above
    assert matches(pattern, path) == judge(pattern, path)


@settings(max_examples=examples(1000), deadline=None)
@given(st.text(string.printable + "éß\u2028", max_size=20))
def test_always_a_valid_regex(pattern: str) -> None:
    try:
        source = glob_to_regex(pattern)
    except ValueError:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        re.compile(source)


@settings(max_examples=examples(1000), deadline=None)
@given(st.text(string.printable + "éß", min_size=1, max_size=20).filter(lambda text: not set(text) & set("*?[]{}\\/")))
def test_a_plain_name_matches_itself_and_nothing_else(name: str) -> None:
    assert matches(name, name)
    assert matches(name, "some/folder/" + name)
    assert not matches(name, "x" + name)
    assert not matches(name, name + "x")
