"""A project is named by its folder, and by two where one says nothing."""

from lessons.store.project_folder import project_name
from tests.tables import table


@table(
    ("path", "expected"),
    [
        ("", ""),
        ("/", "/"),
        ("/home/ada/shop", "shop"),
        ("/home/ada/shop/", "shop"),
        ("C:\\work\\shop", "shop"),
        ("1", "1"),
        ("/home/ada/shop/1", "shop/1"),
        ("/home/ada/shop/2026", "shop/2026"),
        ("/home/ada/shop/.worktrees/1", "shop/1"),
        ("/home/ada/shop/.worktrees/new-till", "shop/new-till"),
        ("/worktrees/till", "till"),
    ],
)
def test_names(path: str, expected: str) -> None:
    assert project_name(path) == expected
