"""Slow patterns outside the hook: interrupted like in the hook, whatever the probe at publishing overlooks."""

import re
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from lessons.errors import Refused
from lessons.match.call import ToolCall
from lessons.match.rule import Rule
from lessons.match.time_limit import MOST_SLOW_CALLS, TooSlow, is_slow, judge, occurs, time_limit, why_it_fires
from lessons.model import Triggers, lesson_from_document
from lessons.promote.backtest import backtest
from lessons.promote.matching import failed_hits
from lessons.promote.near_miss import near_misses
from lessons.reviews.file_check import file_rules, findings_in
from tests.builders.lessons import lesson
from tests.builders.past import Past, history_of
from tests.tables import table

TEXT = "QZ" + "b" * 60 + "!"
EVASIVE = [
    "(QZ)?(?(1)(b+)+c|d)",
    "(?<=QZ)(b+)+c",
    "(?=QZ)QZ(b+)+c$",
    r"(Q)Z(?:(b+)+\1)+c",
]
_SECONDS = 1.0  # of the processor; without a limit it takes hours


def rule(pattern: str) -> Rule:
    return Rule(command=(re.compile(pattern),))


@pytest.fixture(autouse=True)
def _quick() -> Iterator[None]:
    start = time.process_time()
    yield
    assert time.process_time() - start < 5 * _SECONDS
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


@table("pattern", EVASIVE)
def test_a_rule_that_is_too_slow_does_not_fire(pattern: str) -> None:
    call = ToolCall("Bash", {"command": TEXT})
    assert why_it_fires(rule(pattern), call) is None
    assert judge(rule(pattern), call).why is None
    assert why_it_fires(rule("QZb"), call)


@table("pattern", EVASIVE)
def test_a_back_test_is_refused(pattern: str) -> None:
    calls = [Past(command=f"{TEXT}{number}") for number in range(200)]
    with history_of(*calls) as history, pytest.raises(Refused, match="takes more than 50 ms"):
        backtest(history, Triggers(command_patterns=[pattern]))


@table("pattern", EVASIVE)
def test_a_file_check_ends(pattern: str) -> None:
    entry: dict[str, object] = {"slug": "evil", "contentRegexSources": [{"source": pattern, "flags": ""}]}
    assert findings_in("/r", "f.txt", TEXT, file_rules({"evil": entry}, "/r")) == []


@table("pattern", EVASIVE)
def test_many_slow_calls_cost_no_more_than_a_few(pattern: str) -> None:
    lessons = [lesson_from_document(lesson("evil", triggers={"commandPatterns": [pattern]}))]
    calls = [Past(command=f"{TEXT}{number}", outcome="failed") for number in range(200)]
    with history_of(*calls) as history:
        assert not list(failed_hits(history, lessons, {"evil": rule(pattern)}))


@table("pattern", EVASIVE)
def test_the_reason_why_a_lesson_is_quiet_is_found_in_time(pattern: str) -> None:
    entry: dict[str, object] = {
        "slug": "evil",
        "commandRegexSources": [{"source": "QZb", "flags": ""}],
        "unlessRegexSources": [{"source": pattern, "flags": ""}],
    }
    assert [each.condition for each in near_misses(ToolCall("Bash", {"command": f"QZb {TEXT}"}), [entry])] == ["unless"]
    assert not occurs(rule(pattern), [re.compile(pattern)], TEXT)


def test_a_slow_rule_is_given_up_and_others_go_on() -> None:
    slow, tried = rule("x"), []

    def endless() -> bool:
        tried.append(1)
        return re.search("(b+)+c", TEXT) is not None

    for _ in range(3):
        with time_limit() as limit:
            assert [limit.of_rule(slow, False, endless) for _ in range(9)] == [False] * 9
            assert limit.of_rule(rule("y"), False, lambda: True)
    assert is_slow(slow)
    assert len(tried) == MOST_SLOW_CALLS


def test_limits_nest_and_the_handler_is_restored() -> None:
    before = signal.getsignal(signal.SIGVTALRM)
    with time_limit() as outer:
        with time_limit() as inner:
            assert inner is outer
        with pytest.raises(TooSlow):
            outer.run(re.search, "(b+)+c", TEXT)
    assert signal.getsignal(signal.SIGVTALRM) == before


def test_another_thread_has_no_limit() -> None:
    found: list[bool] = []

    def work() -> None:
        with time_limit() as limit:
            found.append(limit.run(bool, "yes"))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [True]
