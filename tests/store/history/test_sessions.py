"""A session is the sum of all that was told of it, in whatever order."""

from itertools import permutations

from lessons.episode import Step
from lessons.store.history import sessions
from lessons.store.history.rows import SessionRow
from lessons.store.history.sessions import PromptRow
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


def steps(count: int) -> list[Step]:
    return [Step(f"t{n}", "Bash", "ls", "", "ls", "", "", "ok", time=f"{n:09}") for n in range(count)]


@table("count", [1, 4_999, 5_000, 5_099, 5_100, 5_101, 10_000, 10_100, 10_101, 17_345])
def test_every_call_is_in_one_piece(count: int) -> None:
    prompts = [PromptRow(f"{n:09}5", n, "", "sure") for n in range(0, count, 700)]
    pieces = list(sessions._pieces("s", iter(steps(count)), prompts))
    own = [piece.steps[place].tool_use_id for piece in pieces for place in piece.own]
    assert own == [step.tool_use_id for step in steps(count)]
    assert [asked for piece in pieces for asked in piece.prompts] == prompts
    for piece in pieces:
        first, last = piece.own.start, piece.own.stop
        assert first == 0 or first >= 100 or piece is pieces[0]
        assert len(piece.steps) - last in (0, 100)
        assert all(piece.steps[0].time <= asked.time for asked in piece.prompts)
