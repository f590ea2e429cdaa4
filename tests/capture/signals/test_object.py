"""Another object of the same kind, or the same object by its correct name."""

from lessons.capture.signals.difference import Block
from lessons.capture.signals.object import is_another_object
from tests.tables import table

GONE = "it does not exist"


@table(
    ("gone", "came", "said"),
    [
        ("web", "api", "it went wrong"),  # nobody says that it is not there
        ("mian", "main", GONE),
        ("master", "main", GONE),
        ("src/pages/a.ts", "src/views/a.ts", GONE),
        ("a.ts", "src/a.ts", GONE),
        ("tests/test_order.py", "tests/test_orders.py", GONE),
        ("--web", "--api", GONE),
    ],
)
def test_the_same_by_its_right_name(gone: str, came: str, said: str) -> None:
    assert not is_another_object(Block((gone,), (came,)), said)


@table(
    ("gone", "came"),
    [
        ("web", "api"),
        ("web-1", "web-2"),
        ("out.txt", "out2.txt"),
        ("http://a.test/items/1", "http://a.test/items/2"),
        ("docs/setup.md", "docs/plan.md"),
    ],
)
@table("said", [GONE, "No such file or directory", "Error: NotFound", "returned error: 404"])
def test_another_thing(gone: str, came: str, said: str) -> None:
    assert is_another_object(Block((gone,), (came,)), said)


def test_several_words_are_no_name() -> None:
    assert not is_another_object(Block(("web",), ("api", "--all")), GONE)
    assert not is_another_object(Block((), ("api",)), GONE)
