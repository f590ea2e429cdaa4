"""A regex on paths as a glob: never one that matches more, none where there is none."""

import re

from hypothesis import given
from hypothesis import strategies as st

from lessons.match.glob import glob_to_regex
from lessons.promote.imports.lessons_learned import globs_of
from tests.tables import table

PIECES = (
    "src",
    "/",
    r"\.",
    "ts",
    ".*",
    "[^/]*",
    "[^/]+",
    "[^/]",
    "x?",
    "(a|b)",
    "$",
    "^",
    "(^|/)",
    "|",
    "a.b",
    r"\d",
    "",
)
PATHS = st.lists(st.sampled_from(["src", "/", ".", "ts", "x", "a", "b", "tsx", "1", "lib"]), max_size=9).map(
    lambda parts: "/" + "".join(parts)
)


@table("source", ["", "^", "$", ".*", "^src/", r"\d+", "a.b", "[a-z]", "(a", "a{2}", "a.*b", "**"])
def test_there_is_none(source: str) -> None:
    assert globs_of(source) is None


@table(
    ("source", "glob"),
    [
        (r"\.env$", "*.env"),
        (r"\.env", "*.env*"),
        (r"\.tsx?$", "*.ts{x,}"),
        (r"\.(js|ts)$", "*.{js,ts}"),
        (r"(^|/)package\.json$", "package.json"),
        (r"^/etc/hosts$", "/etc/hosts"),
        (r"/migrations/", "**/migrations/"),
        (r".*\.lock$", "*.lock"),
        (r"src/.*\.py$", "*src/**/*.py"),
    ],
)
def test_a_search_in_a_path(source: str, glob: str) -> None:
    assert globs_of(source) == [glob]


@table(("source", "glob"), [(r"[^/]*\.lock", "*.lock"), (r"src/.*/[^/]*\.ts", "src/**/*.ts"), (r".*/x\.py", "**/x.py")])
def test_what_was_made_of_a_glob_becomes_that_glob(source: str, glob: str) -> None:
    assert globs_of(source, whole=True) == [glob]


@table("source", ["", "|", "a|", "a.b|c", r"a|\d", "(a|b|c", "a|^src/"])
def test_alternatives_without_a_glob(source: str) -> None:
    assert globs_of(source) is None


@table(
    ("source", "globs"),
    [
        (r"credentials|secrets|\.env$", ["*credentials*", "*secrets*", "*.env"]),
        (r"\.env$|^/etc/hosts$", ["*.env", "/etc/hosts"]),
        (r"\.(js|ts)$|x", ["*.{js,ts}", "*x*"]),
        (r"\.lock$", ["*.lock"]),
    ],
)
def test_each_alternative_is_a_glob(source: str, globs: list[str]) -> None:
    assert globs_of(source) == globs


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join), st.lists(PATHS, min_size=1, max_size=20))
def test_what_the_glob_matches_the_regex_would(source: str, paths: list[str]) -> None:
    for glob in globs_of(source) or []:
        for path in paths:
            if re.search(glob_to_regex(glob), path):
                assert re.search(source, path), (source, glob, path)
