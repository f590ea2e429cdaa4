"""Which command of a line failed, and how sure that is."""

from lessons.capture.culprit import culprit
from tests.tables import table


@table("command", ["", "cd web", "echo a && true"])
def test_a_line_that_does_no_work(command: str) -> None:
    assert culprit(command, "it went wrong") is None


@table(
    ("command", "error", "program", "is_sure"),
    [
        ("make", "it went wrong", "make", True),
        ("cd web && make", "it went wrong", "make", True),
        ("make && shop sync", "it went wrong", "shop", False),
        ("make && shop sync", "make: *** no rule", "make", True),
        ("make --al && shop sync", "unknown option --al", "make", True),
        ("make && shop sync orders", "there are no 'orders'", "shop", True),
        ("make; rm -r out", "it went wrong", "make", False),
        ("make | tee out.log", "it went wrong", "make", False),
    ],
)
def test_culprits(command: str, error: str, program: str, is_sure: bool) -> None:
    found = culprit(command, error)
    assert found and (found.part.program, found.is_sure) == (program, is_sure)
