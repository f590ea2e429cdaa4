"""The fault log: one line each, nothing of a payload in it, and never a fault of its own."""

import re
from pathlib import Path

from lessons.store import faults
from tests.tables import table


def raised(error: Exception) -> Exception:
    try:
        raise error
    except Exception as caught:
        return caught


def test_recording_never_raises(tmp_path: Path) -> None:
    faults.record(str(tmp_path / "nowhere"), "PreToolUse", "something")
    (tmp_path / "faults.log").mkdir()
    faults.record(str(tmp_path), "PreToolUse", "something")
    assert faults.read(str(tmp_path / "nowhere")) == []
    assert faults.read(str(tmp_path)) == []


@table("error", [ValueError("rm -rf secret"), KeyError("secret"), OSError(28, "secret", "/secret")])
def test_the_message_of_a_fault_is_left_out(error: Exception) -> None:
    described = faults.describe(raised(error))
    assert "secret" not in described
    assert re.fullmatch(r"\w+( \d+)? at test_faults\.py:\d+", described)


def test_a_fault_is_described_by_kind_number_and_place() -> None:
    assert faults.describe(raised(OSError(28, "full"))).startswith("OSError 28 at test_faults.py:")
    assert faults.describe(RuntimeError()) == "RuntimeError at ?"


@table("what", ["two\nlines\r\nand more", "x" * 10_000, "\ud800", "\0", ""])
def test_each_fault_is_one_bounded_line(tmp_path: Path, what: str) -> None:
    faults.record(str(tmp_path), "PreToolUse", what)
    faults.record(str(tmp_path), "SessionStart", "second")
    lines = faults.read(str(tmp_path))
    assert len(lines) == 2
    assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ PreToolUse ", lines[0] + " ")
    assert len(lines[0]) < 500
    assert lines[1].endswith("Z SessionStart second")
    assert (tmp_path / "faults.log").stat().st_mode & 0o777 == 0o600


def test_a_large_log_makes_room(tmp_path: Path) -> None:
    (tmp_path / "faults.log").write_text("old\n" * 100_000)
    faults.record(str(tmp_path), "PreToolUse", "new")
    assert len(faults.read(str(tmp_path))) == 1
    assert (tmp_path / "faults.log.1").read_text().startswith("old\n")
