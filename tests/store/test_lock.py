"""One writer at a time, across processes, and a dead one holds nothing."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lessons.errors import Busy
from lessons.store import lock
from lessons.store.lock import locked

HOLDER = """
import sys
from lessons.store import lock
from lessons.store.lock import locked
with locked(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(file: Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_held_lock_is_busy_and_a_dead_holder_frees_it(tmp_path: Path) -> None:
    file = tmp_path / "lessons.json"
    with holder(file) as process:
        sentence = r"lessons\.json is still being written by .* after 0\.1 s: try again"
        with pytest.raises(Busy, match=sentence), locked(str(file), timeout=0.1):
            pytest.fail("two holders")
        process.send_signal(signal.SIGKILL)
    with locked(str(file), timeout=5):
        assert not file.exists()


def test_a_link_and_its_target_share_one_lock(tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "target.json")
    with locked(str(link)), pytest.raises(Busy), locked(str(tmp_path / "target.json"), timeout=0.05):
        pytest.fail("two holders")


def test_an_error_inside_frees_the_lock(tmp_path: Path) -> None:
    file = str(tmp_path / "new" / "f.json")
    with pytest.raises(ZeroDivisionError), locked(file):
        raise ZeroDivisionError
    with locked(file, timeout=0.05):
        pass


def test_without_flock_the_library_does_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "fcntl", None)
    file = tmp_path / "lessons.json"
    with holder(file) as process:
        with pytest.raises(Busy, match="still being written"), locked(str(file), timeout=0.1):
            pytest.fail("two holders")
        process.send_signal(signal.SIGKILL)
    with locked(str(file), timeout=5):
        assert not file.exists()
