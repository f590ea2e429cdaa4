"""Which sessions are judged."""

from lessons.replay.replay import only
from lessons.store.history.sessions import SessionSpan
from tests.tables import table

SESSION = SessionSpan("s1", "/home/somebody/Shop", "2026-09-02T08:00:00.000Z", "2026-09-03T08:00:00.000Z")


@table(
    "asked, counts",
    [
        ({"since": "2026-09-02T08:00:00.001Z"}, False),
        ({"folder": "/home/somebody/Sho"}, False),
        ({"folder": "/home/somebody/Shop/till"}, False),
        ({"part": "garden"}, False),
        ({"part": "shop", "since": "2026-10-01"}, False),
        ({}, True),
        ({"since": "2026-09-02T08:00:00.000Z"}, True),
        ({"folder": "/home/somebody"}, True),
        ({"folder": "/home/somebody/Shop/"}, True),
        ({"part": "body/shop", "since": "2026-09-01"}, True),
    ],
)
def test_which_sessions_are_judged(asked: dict[str, str], counts: bool) -> None:
    assert only(**asked)(SESSION) is counts
