"""The same error, and not the same: what its shape keeps; and the one note when it has come for the third time."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.continuity.loop import note, shape, words

NOW = 1_790_000_000.0
MISSING = "Exit code 1\nModuleNotFoundError: No module named 'requests'"

DIFFERENT = [
    ("error: unknown option --foo", "error: unknown option --bar"),
    ("TypeError: x is not a function", "TypeError: y is not a function"),
    ("ModuleNotFoundError: No module named 'a'", "ModuleNotFoundError: No module named 'b'"),
    ("FAILED tests/a.py::test_one - assert False", "FAILED tests/a.py::test_two - assert False"),
    ("fatal: not a git repository", "fatal: bad revision"),
    ("Exit code 1\npermission denied", "Exit code 1\nno such file"),
    ("something odd happened", "something else happened"),
]
SAME = [
    ("Exit code 1\nerror: it broke", "Exit code 2\nerror: it broke"),
    ("error: it broke at 10:22:01.123", "error: it broke at 11:02:59.9"),
    ("2026-11-16T05:22:46Z error: it broke", "2026-11-17T15:00:00.120Z error: it broke"),
    ("cat: /tmp/a1/b.txt: No such file or directory", "cat: /var/c.txt: No such file or directory"),
    ("File C:\\a\\b.py not found", "File D:\\c.py not found"),
    ("error: object deadbeef1 is bad", "error: object 0123abcd is bad"),
    ("error at 0x7f59a154ed10", "error at 0x7FABCDEF0001"),
    ("error 123e4567-e89b-12d3-a456-426614174000 x", "error 00000000-e89b-12d3-a456-42661417ffff x"),
    ("a.py:12:5: error: bad thing", "a.py:140:15: error: bad thing"),
    ("1 failed, 3 passed in 0.12s", "1 failed, 13 passed in 950ms"),
    ("\x1b[31merror\x1b[0m: it broke", "error: it broke"),
    ("error: port 8080 in use by pid 77", "error: port 3000 in use by pid 1234"),
    ("collecting 10%\ncollecting 90%\nerror: it broke", "collecting 15%\nerror: it broke"),
    ("error: it broke\nerror: it broke", "error: it broke"),
    ("x\r\nerror: it broke\r\n", "x\nerror: it broke\n"),
    ("noise\n" * 9000 + "error: it broke", "noise\n" * 5000 + "error: it broke"),
]


@pytest.mark.parametrize("error", ["", " \n\t", "Exit code 1", "Error: Exit code 127", "Exit code 1\n\n", "1 2 3", "…"])
def test_what_says_nothing_has_no_shape(error: str) -> None:
    assert shape(error) == ""


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_errors(one: str, other: str) -> None:
    assert shape(one) != shape(other)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_error(one: str, other: str) -> None:
    assert shape(one) == shape(other) != ""


@given(st.text(), st.integers(0, 10**12), st.integers(0, 10**12))
def test_any_text(text: str, one: int, other: int) -> None:
    assert len(shape(text)) <= 5 * 401
    assert shape(f"error {one} in line {one}: x {text}") == shape(f"error {other} in line {other}: x {text}")
    said = words(text, 3, 2)
    assert all(sign >= " " or sign == "\n" for sign in said) and len(said) < 500


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path)


def test_nothing_is_said_before_the_third_time_nor_after_it(home: str) -> None:
    said = [note(home, "s", "", MISSING, NOW + 60 * minute) for minute in range(30)]
    assert [bool(text) for text in said] == [False, False, True] + [False] * 27
    assert said[2].startswith(
        "The same error has come three times in 2 minutes: ModuleNotFoundError: No module named 'requests'\n"
    )


def test_nothing_is_said_of_what_is_not_a_loop(home: str) -> None:
    for number in range(9):
        assert note(home, "", "", MISSING, NOW) == ""
        assert note(home, "s", "", "Exit code 1", NOW) == ""
        assert note(home, f"s{number}", "", MISSING, NOW) == ""
        assert note(home, "s", f"a{number}", MISSING, NOW) == ""
        assert note(home, "s", "", f"error: unknown option --{'x' * number}", NOW) == ""
        assert note(home, "slow", "", MISSING, NOW + 11 * 60 * number) == ""


def test_another_error_and_another_context_are_told_too(home: str) -> None:
    for _ in range(2):
        note(home, "s", "", MISSING, NOW)
        note(home, "s", "", "error: other", NOW)
        note(home, "s", "a1", MISSING, NOW)
    assert note(home, "s", "", MISSING, NOW).startswith("The same error has come three times in 1 minute: ")
    assert "error: other" in note(home, "s", "", "error: other", NOW)
    assert note(home, "s", "a1", MISSING, NOW)


def test_with_the_lesson(home: str) -> None:
    for _ in range(2):
        note(home, "s", "", MISSING, NOW)
    assert note(home, "s", "", MISSING, NOW, lesson="Install it first.").endswith("\nInstall it first.")


@pytest.mark.parametrize(("count", "told"), [(3, "three times"), (5, "five times"), (6, "6 times"), (40, "40 times")])
def test_how_often(count: int, told: str) -> None:
    assert f" {told} in 7 minutes: " in words("error", count, 7)
