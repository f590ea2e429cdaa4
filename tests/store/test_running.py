"""One scan at a time: the second has nothing to do, and nobody waits for the dead."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lessons.errors import Busy
from lessons.store.running import scanning

HOLD = """
import sys, time
from lessons.store.running import scanning
with scanning(sys.argv[1]):
    print("held", flush=True)
    time.sleep(60)
"""


def holder(home: Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(home)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


def test_the_second_has_nothing_to_do_and_a_killed_one_is_not_waited_for(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        with pytest.raises(Busy, match="Another scan is running: this one has nothing to do"), scanning(str(tmp_path)):
            pass
        process.send_signal(signal.SIGKILL)
    with scanning(str(tmp_path)):
        pass


def test_it_is_free_again_afterwards_even_after_a_fault(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), scanning(str(tmp_path)):
        _ = 1 / 0
    with scanning(str(tmp_path)):
        pass
