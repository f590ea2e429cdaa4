"""Regexes of the manifest in JavaScript: Node.js refuses none and decides alike; what only Python reads is told."""

import re
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lessons.match.dialect import to_python
from lessons.model import lesson_from_document
from lessons.promote.publish.entry import entry_of, folder_regex, warnings_about
from lessons.promote.publish.portable import portable
from lessons.promote.starter import pack
from lessons.store.manifest import REGEX_KEYS, compile_source
from tests.builders.home import DataHome
from tests.builders.lessons import lesson
from tests.flows.seed_record import RECORD
from tests.hook.test_original_blocks import DENIED
from tests.javascript import Case, decisions
from tests.match.test_glob import PATHS
from tests.sizes import examples
from tests.tables import table


@table(
    ("pattern", "reason"),
    [
        ("a++b", "possessive"),
        ("(?>a|ab)c", "atomic"),
        ("(a)?(?(1)b|c)", "groupref exists"),
        (r"\bécran\b", "ASCII"),
        (r"(?u:\w)", "ASCII"),
        ("[😀x]", "two characters"),
        ("(?i)a(?-i:b)", "case"),
    ],
)
def test_what_only_python_reads_is_told_and_still_used(pattern: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        portable(pattern)
    record = lesson_from_document({**lesson(triggers={"commandPatterns": [pattern], "matchOn": "command"})})
    entry = entry_of(record).entry
    assert entry["commandRegexSources"] == [{"source": pattern, "flags": ""}]
    (warning,) = warnings_about(entry)
    assert warning.startswith("The pattern ") and "JavaScript" in warning and reason in warning


def test_build_says_so(tmp_path: Any) -> None:
    triggers = {"commandPatterns": ["git stash++", "git push"], "matchOn": "command"}
    report = DataHome(tmp_path).publish(lesson("odd", triggers=triggers))
    assert report.included == 1
    assert [each for each in report.warnings if "JavaScript" in each and each.startswith("odd: ")]


@table(
    "pattern",
    [
        "git stash$",
        r"\bpytest\b(?!.*(--no-header|-p no:faulthandler))",
        r"(?<year>\d+)-\k<year>",
        r"a\\Zb",
        r"[\w.-]+\s*[^\n]*?(?:x|y){2,3}",
        "é+ [à-ü]",
    ],
)
def test_what_both_read_stays_as_written(pattern: str) -> None:
    assert portable(pattern) == {"source": pattern, "flags": ""}


@table(
    ("pattern", "source", "flags"),
    [
        ("(?i)Docker", "Docker", "i"),
        ("(?i:drop table)", "drop table", "i"),
        ("run (?i:Me)", "run (?:[Mm][eE])", ""),
        (r"\Agit\Z", r"(?<![\s\S])git(?![\s\S])", ""),
        ("(?P<a>x)(?P=a)", r"(?<a>x)\k<a>", ""),
        (r"(?x) a \s  # two", r"a\s", ""),
        ("[]a]", r"[\]a]", ""),
        ("a{,2}", "a{0,2}", ""),
        ("(?s:.)(?m:^x$)", r"(?:[\s\S])(?:(?<![^\n])x(?![^\n]))", ""),
    ],
)
def test_what_python_alone_reads_is_written_for_both(pattern: str, source: str, flags: str) -> None:
    assert portable(pattern) == {"source": source, "flags": flags}
    assert portable(source)["source"] == source, "an entry is checked as it stands in the manifest"


def sample_entries() -> Iterator[dict[str, Any]]:
    yield from (entry_of(lesson_from_document({"id": "x", **record})).entry for record in [*pack(), RECORD])
    for triggers in (
        {"commandPatterns": [pattern for pattern, _, _ in DENIED]},
        {"pathPatterns": sorted({pattern for pattern, _ in PATHS} - {""})},
    ):
        yield entry_of(lesson_from_document(lesson(triggers=triggers))).entry


def texts_of(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for each in value.values() for text in texts_of(each))
    elif isinstance(value, list):
        yield from (text for each in value for text in texts_of(each))


def test_every_regex_of_starter_and_sample_lessons_decides_alike_in_javascript() -> None:
    texts = {text for record in pack() for text in texts_of(record.get("examples", {}))}
    texts |= {text for _, *both in DENIED for text in both} | {path for _, path in PATHS}
    ordered = sorted(texts, key=lambda text: (len(text), text))
    items = [item for entry in sample_entries() for key in REGEX_KEYS for item in entry.get(key, ())]
    items += [{"source": folder_regex(glob), "flags": ""} for glob in (".", "web/**", "*/src")]
    assert len(items) > 200 and len(ordered) > 500
    answers = decisions([Case(item["source"], item["flags"], ordered) for item in items])
    assert [(item, answer) for item, answer in zip(items, answers, strict=True) if isinstance(answer, str)] == []
    wrong = [
        (item["source"], text)
        for item, answer in zip(items, answers, strict=True)
        for text, found in zip(ordered, answer, strict=True)
        if found is not bool(compile_source(item).search(text))
    ]
    assert wrong == []


PARTS = [
    "a", "B", "é", "-", "😀", ".", "^", "$", "|", r"\A", r"\Z", r"\s", r"\.", "[]a]", "[^]b]", "[a-c]", "[^B]", "(",
    ")", "(?:", "(?=", "(?!", "(?<=", "(?i:", "(?s:", "(?m:", "(?P<n>", "(?P=n)", r"\1", "*", "+", "?", "{,2}", "{2}",
    "*?", "(?#c)",
]  # fmt: skip


@settings(max_examples=examples(1500), deadline=None)
@given(
    st.sampled_from(["", "(?i)", "(?x) ", "(?im)"]),
    st.lists(st.sampled_from(PARTS), max_size=7),
    st.lists(st.text("aAbBcé-. \n😀", max_size=8), max_size=4),
)
def test_the_meaning_for_python_stays(flags: str, parts: list[str], texts: list[str]) -> None:
    pattern = flags + "".join(parts)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = re.compile(*to_python(pattern))
            written = portable(pattern)
        except (ValueError, re.error, OverflowError):
            assume(False)
        found = compile_source(written)
    for text in texts:
        assert [each.span() for each in found.finditer(text)] == [each.span() for each in expected.finditer(text)], (
            written
        )
    assert found.groupindex == expected.groupindex and found.groups == expected.groups
