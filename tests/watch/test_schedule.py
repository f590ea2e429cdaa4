"""Which sessions are quiet."""

from lessons.watch.schedule import is_quiet, quiet_sessions
from tests.tables import table

NOW = 1_000_000.0


@table(
    ("last", "quiet"),
    [
        (NOW, False),
        (NOW - 119.9, False),
        (NOW + 10, False),  # another machine's clock
        (NOW - 120, True),
        (NOW - 9e5, True),
        (0.0, True),
        (NOW + 3600, True),  # the clock was set back: nothing waits for that hour
    ],
)
def test_is_quiet(last: float, quiet: bool) -> None:
    assert is_quiet(last, NOW, 120) is quiet


def test_a_session_with_a_segment_to_read_again_waits() -> None:
    last = {"old": NOW - 500, "waits": NOW - 500, "live": NOW - 1}
    assert quiet_sessions(last, NOW, 120, {"waits"}) == {"old"}
