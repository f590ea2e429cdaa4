"""Which sessions are quiet, and how a watcher is stopped."""

import os
import subprocess
import sys
from pathlib import Path

from lessons.watch.tick import is_quiet, quiet_sessions
from tests.tables import table

NOW = 1_000_000.0


@table(
    ("last", "quiet"),
    [
        (NOW, False),
        (NOW - 119.9, False),
        (NOW + 10, False),  # another machine's clock
        (NOW - 120, True),
        (NOW - 9e5, True),
        (0.0, True),
        (NOW + 3600, True),  # the clock was set back: nothing waits for that hour
    ],
)
def test_is_quiet(last: float, quiet: bool) -> None:
    assert is_quiet(last, NOW, 120) is quiet


def test_a_session_with_a_segment_to_read_again_waits() -> None:
    last = {"old": NOW - 500, "waits": NOW - 500, "live": NOW - 1}
    assert quiet_sessions(last, NOW, 120, {"waits"}) == {"old"}


_WAITS = """
import sys, threading
from lessons.watch.loop import stopped_by_signals

with stopped_by_signals(threading.Event()):
    try:
        print("waits", flush=True)
        open(sys.argv[1])
    finally:
        open(sys.argv[1])
print("ended")
"""


def test_a_stop_ends_a_wait_and_a_wait_while_it_ends(tmp_path: Path) -> None:
    """For a pipe, as in place of a transcript: for as long as anything else may take."""
    os.mkfifo(tmp_path / "pipe")
    command = [sys.executable, "-c", _WAITS, str(tmp_path / "pipe")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout and process.stdout.readline() == "waits\n"
        process.terminate()
        assert process.communicate(timeout=60)[0] == "ended\n"
