"""One change to a JSON text: the change is there, and every other character is unchanged."""

import json

from lessons.json_edit import delete, find, insert, parse, put
from tests.tables import table

UNTIDY = """{
    "allow": ["Bash(ls *)",   "Read"], "number": 1.50e3,
    "escaped": "\\u00fc\\/",
    "empty": {}, "list": [ ],

    "nested": {"a": [1,2 , 3]}
}
"""


def test_nothing_else_is_touched_by_an_insertion() -> None:
    after = insert(UNTIDY, (), "new", {"x": [1]})
    assert after == UNTIDY.replace(
        "3]}\n}\n", '3]},\n    "new": {\n        "x": [\n            1\n        ]\n    }\n}\n'
    )


@table("path", [("allow",), ("number",), ("escaped",), ("empty",), ("list",), ("nested",)])
def test_nothing_else_is_touched_by_a_deletion(path: tuple[str, ...]) -> None:
    after = delete(UNTIDY, path)
    left = json.loads(UNTIDY)
    del left[path[0]]
    assert json.loads(after) == left
    assert list(json.loads(after)) == list(left)
    cut = len(UNTIDY) - len(after)
    assert any(UNTIDY[:at] + UNTIDY[at + cut :] == after for at in range(len(after)))


@table(
    ("path", "key", "value"),
    [
        ((), "new", {"x": []}),
        (("allow",), 2, "Write"),
        (("empty",), "k", [1, {"a": None}]),
        (("nested",), "b", {}),
        (("nested", "a"), 3, 4),
    ],
)
def test_deleting_what_was_inserted_gives_the_text_back(path: tuple[str, ...], key: str | int, value: object) -> None:
    after = insert(UNTIDY, path, key, value)
    node = find(parse(after), (*path, key))
    assert node is not None
    assert node.value == value
    assert delete(after, (*path, key)) == UNTIDY


@table(
    ("before", "after"),
    [
        ("{}", '{\n  "k": [\n    1\n  ]\n}'),
        ('{"a":1}', '{"a":1,"k":[1]}'),
        ('{"a": 1}', '{"a": 1, "k": [1]}'),
        ('{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"k": [\n\t\t1\n\t]\n}\n'),
        ('{\r\n "a": 1\r\n}', '{\r\n "a": 1,\r\n "k": [\r\n  1\r\n ]\r\n}'),
        ('{\n"a": 1\n}', '{\n"a": 1,\n"k": [\n1\n]\n}'),
    ],
)
def test_an_insertion_is_written_as_its_neighbours_are(before: str, after: str) -> None:
    assert insert(before, (), "k", [1]) == after
    assert delete(after, ("k",)) == before


def test_the_first_of_several_is_deleted_with_its_comma() -> None:
    assert delete('{\n  "a": 1,\n  "b": 2\n}', ("a",)) == '{\n  "b": 2\n}'
    assert delete("[1, 2]", (0,)) == "[2]"


def test_of_repeated_keys_the_last_one_counts() -> None:
    text = '{"a": 1, "a": {"b": 2}}'
    node = find(parse(text), ("a", "b"))
    assert node is not None
    assert node.value == 2
    assert delete(text, ("a",)) == '{"a": 1}'


@table(
    ("key", "value", "after"),
    [
        ("number", 2, UNTIDY.replace("1.50e3", "2")),
        ("empty", {"a": 1}, UNTIDY.replace('"empty": {}', '"empty": {"a": 1}')),
        ("list", ["x"], UNTIDY.replace("[ ]", '["x"]')),
        ("allow", ["Bash(ls *)", "Read"], UNTIDY),
        ("allow", ["Bash(ls *)", "Read", "x"], UNTIDY.replace('"Read"]', '"Read", "x"]')),
        ("allow", ["Read"], UNTIDY.replace('["Bash(ls *)",   "Read"]', '["Read"]')),
    ],
)
def test_a_member_is_set_and_a_list_that_grows_keeps_its_layout(key: str, value: object, after: str) -> None:
    assert put(UNTIDY, key, value) == after
    assert json.loads(put(UNTIDY, "new", value)) == {**json.loads(UNTIDY), "new": value}
