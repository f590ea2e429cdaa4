"""Long texts, one screen at a time."""

from lessons.cli.review.help import help_lines
from lessons.cli.review.pages import pages_of
from tests.tables import table


@table(
    ("lines", "columns", "rows", "expected"),
    [
        ([], 80, 24, [0]),
        (["x"] * 22, 80, 24, [22]),
        (["x"] * 23, 80, 24, [22, 1]),
        (["x" * 160] * 12, 80, 24, [11, 1]),
        (["x" * 8000], 80, 24, [1]),
        (["x"] * 9, 80, 1, [4, 4, 1]),
    ],
)
def test_how_many_lines_each_page_has(lines: list[str], columns: int, rows: int, expected: list[int]) -> None:
    assert [len(page) for page in pages_of(lines, columns, rows)] == expected


@table("width", [39, 79, 199])
def test_the_help_is_never_wider_than_the_screen(width: int) -> None:
    assert max(map(len, help_lines(width))) <= width
