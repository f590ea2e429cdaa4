"""System calls that not every system has, and the environment as text."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from lessons import system
from tests.conftest import SetVariable
from tests.tables import table


@pytest.mark.parametrize("value", [None, ""])
def test_unset_and_empty_are_the_same(variable: SetVariable, value: str | None) -> None:
    variable("LESSONS_X", value)
    assert system.environment("LESSONS_X") == ""


def test_where_the_environment_is_text(variable: SetVariable, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `os` keeps it, which raises when it is asked for bytes."""
    monkeypatch.setattr(system, "system", os)
    monkeypatch.setattr(system, "_KEEPS_BYTES", False)
    variable("LESSONS_X", "é")
    variable("LESSONS_Y", None)
    assert (system.environment("LESSONS_X"), system.environment("LESSONS_Y")) == ("é", "")
    assert system.environment_of_child("LESSONS_Y", "b") == {**os.environ, "LESSONS_Y": "b"}


@table("read", [system.read_at, system._sought_and_read])
def test_bytes_from_a_position(tmp_path: Path, read: Callable[[int, int, int], bytes]) -> None:
    (tmp_path / "f").write_bytes(b"0123456789\r\n\x1aend")
    file = os.open(tmp_path / "f", os.O_RDONLY | system.O_BINARY)
    try:
        assert [read(file, 3, 4), read(file, 2, 0), read(file, 9, 10), read(file, 5, 99)] == [
            b"456",
            b"01",
            b"\r\n\x1aend",
            b"",
        ]
    finally:
        os.close(file)
