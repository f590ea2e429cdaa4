"""Which failures repeat a mistake of another session, in which order sessions start and end, which are judged."""

from lessons.replay.replay import Failure, failures_of, only, repeats_in
from lessons.store.history.sessions import SessionSpan
from tests.builders.candidates import Seen, put
from tests.store.history.history import history
from tests.tables import table

# The days on which sessions begin and end; `w` is as long as a week.
SESSIONS = {name: SessionSpan(name, "/shop", start, end) for name, start, end in ("a12", "b34", "c56", "w17", "x33")}


def failures(text: str) -> list[Failure]:
    """`3b:stat` is a failure of the third day in session b about the mistake `stat`."""
    parts = [(each[0], *each[1:].split(":")) for each in text.split()]
    return [Failure(time, f"{time}{name}", name, mistake) for time, name, mistake in parts]


@table(
    "made, repeated",
    [
        ("", {}),
        ("1a:stat", {}),
        ("1a:stat 2a:stat", {}),
        ("1a:stat 3b:flag", {}),
        # Nobody knows when that session was.
        ("1a:stat 3gone:stat", {}),
        ("1gone:stat 3b:stat", {}),
        ("1a:stat 3b:stat", {"b": ["3b"]}),
        ("3b:stat 1a:stat", {"b": ["3b"]}),
        ("1a:stat 3b:stat 4b:stat 5c:stat", {"b": ["3b"], "c": ["5c"]}),
        ("2w:stat 3b:stat", {"b": ["3b late"]}),
        ("3b:stat 4w:stat", {"w": ["4w late"]}),
        ("3b:stat 3x:stat", {"x": ["3x late"]}),
        ("1a:stat 2w:stat 3b:stat", {"w": ["2w late"], "b": ["3b"]}),
        ("2w:stat 3b:stat 5c:stat", {"b": ["3b late"], "c": ["5c"]}),
        ("2w:stat 3w:stat 5w:stat", {}),
    ],
)
def test_what_repeats(made: str, repeated: dict[str, list[str]]) -> None:
    found = repeats_in(failures(made), SESSIONS)
    said = {
        name: [each.tool_use_id + ("" if each.is_learnable else " late") for each in repeats]
        for name, repeats in found.items()
    }
    assert said == repeated


def test_the_mistakes_of_the_queue() -> None:
    with history() as made:
        put(made.connection, "flag", seen=[Seen("s1", time="t1", failed="c2"), Seen("s2", time="t2", failed="c3")])
        found = failures_of(made.product.candidates.of_tier(2))
    assert found == [Failure("t1", "c2", "s1", "flag"), Failure("t2", "c3", "s2", "flag")]


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
