"""What steers a terminal goes, what a person writes stays."""

from lessons.plain import without_control


def test_control_characters_go_and_lines_stay() -> None:
    assert without_control("a\x1b[2J\x07\x9b31m\x7f\0\rb") == "a[2J31mb"
    assert without_control("\tfirst\nsecond é 日本 \U0001f600") == "\tfirst\nsecond é 日本 \U0001f600"
