"""The order in which sessions start and end."""

from lessons.replay.replay import moments
from lessons.store.history.sessions import SessionSpan
from tests.tables import table


def span(name: str, start: str, end: str) -> SessionSpan:
    return SessionSpan(name, "/shop", start, end)


@table(
    "sessions, said",
    [
        ([], ""),
        ([span("a", "1", "1")], "+a -a"),
        # What ends in the moment in which another begins has not ended before it.
        ([span("a", "1", "2"), span("b", "2", "3")], "+a +b -a -b"),
        ([span("a", "1", "2"), span("b", "3", "4")], "+a -a +b -b"),
        ([span("b", "3", "4"), span("a", "1", "2")], "+a -a +b -b"),
        ([span("long", "1", "9"), span("b", "2", "3"), span("c", "4", "5")], "+long +b -b +c -c -long"),
        ([span("b", "1", "1"), span("a", "1", "1")], "+a +b -a -b"),
    ],
)
def test_the_order_of_moments(sessions: list[SessionSpan], said: str) -> None:
    signs = {"start": "+", "end": "-"}
    assert " ".join(signs[what] + session.session_id for what, session in moments(sessions)) == said
