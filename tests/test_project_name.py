"""A project is named by its folder, and by two where one says nothing."""

from lessons.project_name import project_name
from tests.tables import table


@table(
    ("path", "expected"),
    [
        ("", ""),
        ("/", "/"),
        ("/work/shop", "shop"),
        ("/work/shop/", "shop"),
        ("C:\\work\\shop", "shop"),
        ("1", "1"),
        ("/work/shop/1", "shop/1"),
        ("/work/shop/2026", "shop/2026"),
        ("/work/shop/.worktrees/1", "shop/1"),
        ("/work/shop/.worktrees/new-till", "shop/new-till"),
        ("/worktrees/till", "till"),
    ],
)
def test_names(path: str, expected: str) -> None:
    assert project_name(path) == expected
