"""No pattern can hang the agent: it is interrupted and logged, and the other lessons of the call still act."""

import re
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lessons.config import load
from lessons.hook.lookup import Deadline, TooSlow, matching
from lessons.match.call import ToolCall
from lessons.model import lesson_from_document
from lessons.promote.publish.build import write_lessons
from lessons.promote.publish.entry import entry_of
from tests.builders.lessons import blocking, lesson

HOSTILE = "a" * 40 + "!"
ENDLESS = re.compile("^(a+)+$")


@pytest.fixture(autouse=True)
def _signals_as_before() -> Iterator[None]:
    before = signal.getsignal(signal.SIGVTALRM)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


def endless() -> str | None:
    return "found" if ENDLESS.search(HOSTILE) else None


def test_an_endless_search_is_interrupted() -> None:
    deadline = Deadline()
    began = time.process_time()
    with pytest.raises(TooSlow):
        deadline.run(endless)
    assert time.process_time() - began < 0.5
    assert not deadline.is_over()


def test_a_signal_that_is_held_back_changes_nothing() -> None:
    """As a parent may hand it down; a test that fails would never end."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGVTALRM])
    try:
        Deadline()
        assert signal.SIGVTALRM not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def test_after_it_no_clock_is_running() -> None:
    deadline = Deadline()
    with pytest.raises(TooSlow):
        deadline.run(endless)
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
    assert deadline.run(lambda: "quick") == "quick"
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_other_faults_pass_through_and_count_for_nothing() -> None:
    deadline = Deadline()

    def fail() -> str | None:
        raise KeyError("x")

    for _ in range(50):
        with pytest.raises(KeyError):
            deadline.run(fail)
    assert not deadline.is_over()


def test_after_some_slow_ones_the_time_is_over() -> None:
    deadline = Deadline()
    began = time.process_time()
    tried = 0
    while not deadline.is_over():
        with pytest.raises(TooSlow):
            deadline.run(endless)
        tried += 1
    assert 2 < tried < 12
    assert time.process_time() - began < 1


def test_in_another_thread_it_runs_without_a_clock() -> None:
    answers: list[str | None] = []
    thread = threading.Thread(target=lambda: answers.append(Deadline().run(lambda: "quick")))
    thread.start()
    thread.join()
    assert answers == ["quick"]


def publish_unprobed(home: Path, *documents: dict[str, object]) -> str:
    """Manifest and index as they would be had nobody looked for dangerous patterns."""
    lessons = [lesson_from_document(document) for document in documents]
    entries = {each.id: entry_of(each, lambda source, flags: None).entry for each in lessons}
    write_lessons(str(home), load(str(home), {}), entries, "2026-01-01T00:00:00Z")
    return str(home)


def slow(slug: str, **more: object) -> dict[str, object]:
    return lesson(slug, priority=10, triggers={"commandPatterns": ["^(a+)+$"]}, **more)


def fired(home: str) -> list[str]:
    return sorted(each.slug for each, _ in matching(home, "PreToolUse", ToolCall("Bash", {"command": HOSTILE}))[1])


@pytest.mark.parametrize("indexed", [True, False])
def test_the_other_lessons_of_the_call_still_act(tmp_path: Path, indexed: bool) -> None:
    home = publish_unprobed(tmp_path, slow("slow"), lesson("quick", triggers={"commandPatterns": ["aaa"]}))
    if not indexed:
        (tmp_path / "hook-index").unlink()
    assert fired(home) == ["quick"]
    noted = (tmp_path / "faults.log").read_text().splitlines()
    assert len(noted) == 1
    assert "PreToolUse lesson slow: its pattern is too slow, not matched" in noted[0]
    assert HOSTILE not in noted[0]


def test_many_slow_lessons_cannot_use_up_the_time_of_a_block(tmp_path: Path) -> None:
    blocks = blocking("no-a", priority=1, triggers={"commandPatterns": ["a+!"], "matchOn": "command"})
    home = publish_unprobed(tmp_path, *(slow(f"slow{number}") for number in range(8)), blocks)
    began = time.process_time()
    assert fired(home) == ["no-a"]
    assert time.process_time() - began < 1.5
