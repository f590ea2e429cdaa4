"""What is shown of a screen that is too small: what the agent will do stays longest."""

from rich.text import Text

from lessons.cli.review.layout import FIRST, LAST, MIDDLE, Block, fit, key_lines
from tests.tables import table


def block(name: str, number: int, least: int, rank: int = MIDDLE, floor: int = 1) -> Block:
    return Block([Text(f"{name}{place}") for place in range(number)], least, rank, floor)


def shown(height: int) -> str:
    blocks = [block("out", 3, 1, FIRST, 0), block("seen", 2, 1, MIDDLE, 0), block("fires", 3, 3, LAST, 2)]
    return " ".join(line.plain.replace(" …", "…") for line in fit(blocks, height, 40))


@table(
    ("height", "expected"),
    [
        (8, "out0 out1 out2 seen0 seen1 fires0 fires1 fires2"),
        (7, "out0 out1… seen0 seen1 fires0 fires1 fires2"),
        (6, "out0… seen0 seen1 fires0 fires1 fires2"),
        (5, "out0… seen0… fires0 fires1 fires2"),
        (4, "seen0… fires0 fires1 fires2"),
        (3, "fires0 fires1 fires2"),
        (2, "fires0 fires1…"),
        (1, "fires0 fires1…"),
    ],
)
def test_what_goes_first(height: int, expected: str) -> None:
    assert shown(height) == expected


def test_keys_are_never_broken() -> None:
    keys = ["[p]romote", "[s]top once", "[?]  > "]
    assert key_lines(keys, 80) == ["[p]romote  [s]top once  [?]  > "]
    assert key_lines(keys, 24) == ["[p]romote  [s]top once", "[?]  > "]
    assert key_lines(keys, 5) == keys
