"""Dangerous regexes: what must not be refused, what must be, and that nothing is left behind."""

import re
import signal
import threading
import time

import pytest

from lessons.match.glob import glob_to_regex
from lessons.promote.publish.slow import find_danger
from tests.tables import table

ORDINARY = [
    r"\bpytest\b(?!.*(--no-header|-p no:faulthandler))",
    r"^git push .*--force(?!-with-lease)",
    r"npm (i|install)\b",
    r"^rm -rf? \S+",
    r".*git push.*",
    r"^.*foo.*$",
    r"\s+$",
    r"\S+ foo",
    r".*=",
    r"\w+=\S+ make",
    r"docker (run|exec) .*-it?\b.*",
    r"cp .*-p.*-i",
    r"curl .*\| *(ba|z)?sh",
    r'git\s+commit\s+.*-m\s+"[^"]*"',
    r'"(?:[^"\\]|\\.)*"',
    r"https?://[\w.-]+(?:/[\w./?=&%-]*)?",
    r"^(\w+/)*\w+$",
    r"(?i)\bkill(all)? -9\b",
    r"(?:^|[;&|]\s*)cd\s+\S+",
    r"(?s)<<'?EOF'?\n.*\nEOF",
    glob_to_regex("**/*a*b*c*/**/*.{py,pyi}"),
    glob_to_regex("src/**/test_*.py"),
]
DANGEROUS = [
    r"^(a+)+$",
    r"(a|a)*b",
    r"(\w+\s?)+$",
    r"(.*a){20}",
    r"^(\S+\s?)+$",
    r"foo\s+(\d+)*x",
    r"(a?){30}a{30}",
    "a?" * 28 + "a" * 28,
    r"(?:a{1,10}){1,10}b",
    r"(\s*,\s*\w*)*;",
    r"(?!(a+)+b)c",
    r'"(?:[^"\\]|\\.|.)*"x',
    r".*.*.*=.*",
    r"(?i)^(?:git|GIT|g.t)+$!",
]


@table("source", ORDINARY)
def test_ordinary_regexes_pass(source: str) -> None:
    assert find_danger(source, 0) is None


@table("source", DANGEROUS)
def test_dangerous_regexes_are_named(source: str) -> None:
    reason = find_danger(source, 0)
    assert reason is not None
    assert reason.startswith("It takes more than 50 ms on a text with ")
    assert reason.endswith("over and over.")


def test_what_is_no_regex_is_the_callers_to_handle() -> None:
    with pytest.raises(re.error):
        find_danger("(", 0)


def test_the_handler_is_restored() -> None:
    def handler(*_: object) -> None:
        raise AssertionError("the timer of the test must not ring")

    before = signal.signal(signal.SIGVTALRM, handler)
    try:
        find_danger.cache_clear()
        find_danger("^(a+)+$", 0)
        assert signal.getsignal(signal.SIGVTALRM) is handler
        with pytest.raises(re.error):
            find_danger("(", 0)
        assert signal.getsignal(signal.SIGVTALRM) is handler
    finally:
        signal.signal(signal.SIGVTALRM, before)


def test_ordinary_regexes_take_little_time() -> None:
    """About a millisecond each, as some of these grow with the square; the bound leaves room for a slow machine."""
    batch = [source.replace("foo", f"foo{number}") for number in range(10) for source in ORDINARY]
    start = time.process_time()
    for source in batch:
        find_danger(source, 0)
    assert (time.process_time() - start) / len(batch) < 0.01


def test_another_thread_and_a_system_without_timers_come_to_the_same_verdict() -> None:
    """There a search cannot be interrupted: texts grow until it takes too long."""
    find_danger.cache_clear()
    verdicts: list[bool] = []
    patterns = ["a+b", "^(a+)+$"]
    thread = threading.Thread(target=lambda: verdicts.extend(find_danger(each, 0) is None for each in patterns))
    thread.start()
    thread.join()
    assert verdicts == [True, False]


@table("source", ["((((a{900}){900}){900}b+){900}c)*", "x(?!y(?:[^a-z]|,)*)", "(a)?(?(1)b+|c)", "(?>a*)"])
def test_any_regex_comes_to_a_verdict(source: str) -> None:
    started = time.process_time()
    find_danger(source, 0)
    assert time.process_time() - started < 1
