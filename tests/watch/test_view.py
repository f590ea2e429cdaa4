"""What a user sees of the watcher fits 80 columns and says what happened."""

from lessons.scan.mine import Changed
from lessons.store.history.past_calls import PastCall
from lessons.store.history.sources import FailedSegment
from lessons.watch.status import View
from lessons.watch.tick import TickResult


def told() -> TickResult:
    call = PastCall(
        *("t1", "Bash", "git push " + "x" * 200, "{}", "", "/p", "claude-code", "m", "git", "push"),
        *("s1", "/home/somebody/shop", "2026-01-01T00:00:00Z", "", "failed", "", 0),
    )
    made = TickResult(calls=[call], mined=Changed({"a"}, set(), set(), 2))
    made.coverage.calls = {"total": 3, "failed": 1}
    made.coverage.failed_segments = 1
    made.failed = [
        FailedSegment("f-a.0", "/a", "capture", "failed", 1, 0, "x"),
        FailedSegment("f-a.1", "/a", "mining", "dead", 5, 0, "x"),
    ]
    return made


def test_nothing_has_happened_yet() -> None:
    assert View().screen(80)[-1] == "Waiting for a session to write something."


def test_the_lines_and_the_picture() -> None:
    view = View()
    lines = [line[10:] for line in view.ticked(told(), 4, 2, 0)]
    assert lines == [
        "2 more calls",
        "failed      shop           git push " + "x" * 34 + "…",
        "mined 2 quiet sessions: 1 candidate new",
        "1 segment failed; retried later",
    ]
    screen = view.screen(80)
    assert screen[0] == "4 active sessions · 3 calls, 1 failed"
    assert screen[1] == "1 new candidate · 2 files queued · 1 waiting for a retry, 1 given up"
    assert all(len(line) <= 80 for line in screen)
    view.problem("the disk is full " * 20, 0)
    assert all(len(line) <= 80 for line in view.screen(80))
    for _ in range(50):
        view.ticked(told(), 4, 2, 0)
    assert len(view.screen(80)) < 24
