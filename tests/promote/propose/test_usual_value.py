"""A value that always worked: first when another value is not called wrong, then when it is."""

from collections.abc import Sequence

from lessons.match.call import ToolCall
from lessons.promote.propose.judge import Case
from lessons.promote.propose.usual_value import usual_values
from tests.tables import table

FIX = "lamp go --project shop"


def usual(wrong: Sequence[str], worked: Sequence[str]) -> list[str]:
    failures = [
        ToolCall("Bash", {"command": f"lamp go --project {name}"}, error=f"The project '{name}' does not exist")
        for name in wrong
    ]
    good = [ToolCall("Bash", {"command": command}) for command in worked]
    return [value for _, _, value in usual_values(Case(failures, [ToolCall("Bash", {"command": FIX})], good))]


@table(
    ("wrong", "worked"),
    [
        (["till"], [FIX]),  # another one may be right
        (["till", "till"], [FIX, "lamp list --project shop"]),
        (["till", "tll"], [FIX, "lamp go --project other"]),  # another one worked
    ],
)
def test_other_values_may_be_right(wrong: list[str], worked: list[str]) -> None:
    assert usual(wrong, worked) == []


@table(
    ("wrong", "worked"),
    [
        (["till", "tll"], [FIX]),  # it was guessed twice
        (["till"], [f"lamp list {number} --project shop" for number in range(5)]),  # all others have it
    ],
)
def test_the_usual_value(wrong: list[str], worked: list[str]) -> None:
    assert usual(wrong, worked) == ["shop"]
