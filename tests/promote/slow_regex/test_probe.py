"""Dangerous regexes: what must not be refused, what must be, and that nothing is left behind."""

import re
import signal
import threading
import time

import pytest

from lessons.match.glob import glob_to_regex
from lessons.promote.slow_regex import probe_child
from lessons.promote.slow_regex.probe import find_danger, find_dangers
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
    r"(x+x+)+y",
    r"([a-z]+)*\d",
    r"^(\S+\s?)+$",
    r"^([^,]+,?)+$",
    r"(a+)+!",
    r"foo\s+(\d+)*x",
    r"(a?){30}a{30}",
    "a?" * 28 + "a" * 28,
    r"(?:a{1,10}){1,10}b",
    r"(\d+|[0-9a-f]+)*x",
    r"(ab|a|b)*c",
    r"(\s*,\s*\w*)*;",
    r"(?!(a+)+b)c",
    r"x(?=(y*)*z)",
    r"^(?:\w+\.?)+@",
    r"(.+)+=",
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


def test_a_batch_keeps_its_order() -> None:
    verdicts = find_dangers([("a+b", 0), ("^(a+)+$", 0), ("x", re.IGNORECASE)])
    assert [verdict is None for verdict in verdicts] == [True, False, True]
    assert find_dangers([]) == []


def test_the_limit_decides() -> None:
    assert find_danger(r"\w+\s*=\s*\w+", 0, limit_seconds=5) is None
    assert find_danger(r"\w+\s*=\s*\w+", 0, limit_seconds=0.000_1) is not None


def test_what_is_no_regex_is_the_callers_to_handle() -> None:
    with pytest.raises(re.error):
        find_danger("(", 0)


def test_handler_and_timer_are_restored() -> None:
    def handler(*_: object) -> None:
        raise AssertionError("the timer of the test must not ring")

    before = signal.signal(signal.SIGVTALRM, handler)
    signal.setitimer(signal.ITIMER_VIRTUAL, 1000)
    try:
        find_dangers([("^(a+)+$", 0), ("a+b", 0)])
        assert signal.getsignal(signal.SIGVTALRM) is handler
        assert 900 < signal.getitimer(signal.ITIMER_VIRTUAL)[0] < 1001
        with pytest.raises(re.error):
            find_danger("(", 0)
        assert signal.getsignal(signal.SIGVTALRM) is handler
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def test_another_thread_gets_the_same_answers() -> None:
    verdicts: list[str | None] = []
    patterns = [("a+b", 0), ("^(a+)+$", 0), (r"(?i)kill -9 \S+", 2), (r"(\w+\s?)+$", 0)]
    thread = threading.Thread(target=lambda: verdicts.extend(find_dangers(patterns)))
    thread.start()
    thread.join()
    assert verdicts == find_dangers(patterns)


def test_a_system_without_timers_ends_the_child() -> None:
    verdicts = probe_child.probe([("a+b", 0), ("x ^(a+)+$", 0), ("^(a+)+$", 0), ("é+", 0)], 0.05, interruptible=False)
    assert [verdict is None for verdict in verdicts] == [True, True, False, True]
    assert "'a' over and over" in str(verdicts[2])


def test_ordinary_regexes_take_little_time() -> None:
    """About a millisecond each, as some of these grow with the square; the bound leaves room for a slow machine."""
    batch = [(source.replace("foo", f"foo{number}"), 0) for number in range(10) for source in ORDINARY]
    start = time.process_time()
    find_dangers(batch)
    assert (time.process_time() - start) / len(batch) < 0.01
