"""Names in braces."""

from lessons.match.placeholders import filled, names_in
from tests.tables import table


@table(
    ("text", "wanted"),
    [
        ("", []), ("{}", []), ("{a b}", []), ("{a,b}", []), ("{", []), ("}{", []), ("${x", []), ("{²}", []),
        ("{root}/{1}", ["root", "1"]), ("{{name}}", ["name"]), ("a{x}b{y}", ["x", "y"]),
    ],
)  # fmt: skip
def test_names(text: str, wanted: list[str]) -> None:
    assert names_in(text) == wanted


@table(
    ("text", "wanted"),
    [
        ("", ""), ("{unknown} {", "{unknown} {"), ("{a,b} ${x}", "{a,b} ${x}"), ("}{1}{", "}one{"),
        ("{1}{root}", "one{1}"),  # what a value says is not replaced again
        ("{{1}}", "{one}"),
    ],
)  # fmt: skip
def test_values(text: str, wanted: str) -> None:
    assert filled(text, {"1": "one", "root": "{1}"}) == wanted
