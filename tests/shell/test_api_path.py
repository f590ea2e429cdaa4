"""API paths in a command line."""

from lessons.shell.api_path import api_shapes
from tests.tables import table


@table(
    ("text", "shapes"),
    [
        ("gh pr view 12", []),
        ("cat a/b", []),  # too short
        ("ls ../a/b/c.txt", []),
        (
            "gh api repos/shop/web/pulls/12/comments/34 --jq .id",
            [("repos", "shop", "web", "pulls", "", "comments", "")],
        ),
        ("curl -s localhost:80/v1/orders/0f3c9a1b22d4/lines", [("localhost:80", "v1", "orders", "", "lines")]),
        ("gh api 'repos/shop/web/issues/7/labels?per_page=9'", [("repos", "shop", "web", "issues", "", "labels")]),
    ],
)
def test_shapes(text: str, shapes: list[tuple[str, ...]]) -> None:
    assert api_shapes(text) == shapes
