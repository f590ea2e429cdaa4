"""Arguments of a call as texts."""

import pytest

from lessons.agents.actions import text_at


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, ""),
        ({"a": 1, "b": ["x"]}, ""),
        ({"a": "", "b": "x"}, "x"),
        ({"b": "y", "a": "x"}, "x"),
    ],
)
def test_text_at(arguments: dict[object, object], expected: str) -> None:
    assert text_at(arguments, "a", "b") == expected
