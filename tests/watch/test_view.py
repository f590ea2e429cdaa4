"""What a user sees of the watcher says what happened."""

from lessons.scan.mine import Changed
from lessons.store.history.past_calls import PastCall
from lessons.watch.tick import TickResult, lines_of


def told() -> TickResult:
    call = PastCall(
        *("t1", "Bash", "git push " + "x" * 200, "{}", "", "/p", "claude-code", "m", "git", "push"),
        *("s1", "/home/somebody/shop", "2026-01-01T00:00:00Z", "", "failed", "", 0),
    )
    made = TickResult(calls=[call], mined=Changed({"a"}, set(), set(), 2))
    made.coverage.calls = {"total": 3, "failed": 1}
    made.coverage.failed_segments = 1
    return made


def test_the_lines() -> None:
    assert lines_of(TickResult()) == []
    assert lines_of(told()) == [
        "2 more calls",
        "failed      shop           git push " + "x" * 34 + "…",
        "mined 2 quiet sessions; candidates: 1 new, 0 seen again",
        "1 segment failed; retried later",
    ]
