"""When a session may have committed: only while its calls ran, and just before a reported commit."""

import pytest

from lessons.continuity.git.windows import Windows, after_look, windows_of
from lessons.session import Work

NOW = 1_790_000_000.0


@pytest.mark.parametrize(
    ("windows", "calls", "after_commit", "expected"),
    [
        ([], {}, False, []),
        ([], {"cut off": NOW - 4000}, False, []),
        ([], {"runs": NOW - 40}, True, [(NOW - 40, NOW)]),
        ([(NOW - 9, NOW - 1)], {}, True, [(NOW - 9, NOW - 1)]),
        ([(NOW - 90, NOW - 80)], {}, False, [(NOW - 90, NOW - 80)]),
        ([(NOW - 90, NOW - 80)], {}, True, [(NOW - 90, NOW - 80), (NOW - 10, NOW)]),
        ([], {}, True, [(NOW - 10, NOW)]),
    ],
)
def test_windows(windows: Windows, calls: dict[str, float], after_commit: bool, expected: Windows) -> None:
    assert windows_of(Work(commit_windows=windows, commit_calls=calls), after_commit, NOW) == expected


def test_what_was_looked_at_is_forgotten_after_a_while() -> None:
    assert after_look([(NOW - 900, NOW - 400), (NOW - 900, NOW - 100)], NOW) == [(NOW - 900, NOW - 100)]
