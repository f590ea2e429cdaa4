"""A session is the sum of all that was told of it, in whatever order."""

from itertools import permutations

from lessons.store.history.rows import SessionRow
from tests.store.history.history import batch, history
from tests.tables import table


def told(project: str = "/p", first: str = "", last: str = "", title: str = "", rank: str = "") -> SessionRow:
    return SessionRow("s1", project, first, last or first, title, rank)


@table(
    ("rows", "expected"),
    [
        ([told("/a"), told("/b")], ("/a", "", "", "")),
        ([told("/b", "t1"), told("/a")], ("/b", "t1", "t1", "")),
        ([told("/a", "t2"), told("/b", "t1", "t3"), told("/c")], ("/b", "t1", "t3", "")),
        ([told("/b", "t1"), told("/a", "t1")], ("/a", "t1", "t1", "")),
        ([told(title="old", rank="1"), told(title="new", rank="2"), told()], ("/p", "", "", "new")),
        ([told(title="x", rank="1"), told(title="y", rank="1")], ("/p", "", "", "y")),
    ],
)
def test_the_order_does_not_matter(rows: list[SessionRow], expected: tuple[str, ...]) -> None:
    for order in permutations(rows):
        with history() as made:
            for number, row in enumerate(order):
                made.add(f"/{number}", batch([], sessions=[row]))
            assert made.rows("SELECT project, first_time, last_time, title FROM sessions") == [expected]
