"""When each hook last fired: a time that moves on, and silence where it cannot be kept."""

import os
import time
from pathlib import Path

from lessons.store import fired


def test_nothing_is_raised_where_nothing_can_be_written(tmp_path: Path) -> None:
    fired.touch(str(tmp_path / "nowhere"), "PreToolUse")
    (tmp_path / "fired").touch()
    fired.touch(str(tmp_path), "PreToolUse")
    assert fired.last(str(tmp_path), "PreToolUse") is None
    assert fired.last(str(tmp_path / "nowhere"), "PreToolUse") is None


def test_each_event_has_its_own_time(tmp_path: Path) -> None:
    home = str(tmp_path)
    fired.touch(home, "PreToolUse")
    assert fired.last(home, "SessionStart") is None
    os.utime(tmp_path / "fired" / "PreToolUse", (1000, 1000))
    assert fired.last(home, "PreToolUse") == 1000
    before = time.time() - 2
    fired.touch(home, "PreToolUse")
    last = fired.last(home, "PreToolUse")
    assert last is not None
    assert last > before
    assert (tmp_path / "fired").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "fired" / "PreToolUse").read_bytes() == b""
