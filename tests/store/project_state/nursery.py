"""Acts of two writers in, which of them came back out: real processes, one of them frozen or killed at any line.

A process that has loaded everything forks the writers, so that hundreds of them cost little.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from lessons.store.project_state.state_paths import StatePaths
from tests.store.project_state.writers import Act, perform

_ROOT = Path(__file__).parents[3]
# So long the other may go on while one is frozen: it ends, or waits for the lock.
_TOGETHER_SECONDS = 0.06
_LONGEST_SECONDS = 30.0


class Ended(NamedTuple):
    """How many acts of each writer came back, how each ended, and how many lines the first ran."""

    first: int
    second: int
    statuses: tuple[int, int]
    lines: int


class Nursery:
    """The side of the test."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.store.project_state.nursery"]
        self._process = subprocess.Popen(
            command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def run(
        self, first: tuple[StatePaths, list[Act]], second: tuple[StatePaths, list[Act]], line: int, kill: bool
    ) -> Ended:
        """The first writer is stopped at this line of our code; the second goes on; then the first does, or is gone."""
        writers = [{"home": place.home, "root": place.root, "acts": acts} for place, acts in (first, second)]
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"writers": writers, "line": line, "kill": kill}) + "\n")
        done = json.loads(self._process.stdout.readline())
        return Ended(done["came"][0], done["came"][1], (done["statuses"][0], done["statuses"][1]), done["lines"])

    def close(self) -> None:
        self._process.communicate(timeout=_LONGEST_SECONDS)


class _Writer:
    """The side of the nursery: one forked process that says one byte for each act that came back."""

    def __init__(self, request: dict[str, Any], line: int) -> None:
        self._answers, out = os.pipe()
        self.process = os.fork()
        if self.process == 0:
            _work(request, line, out)
        os.close(out)
        self.status: int | None = None

    def wait(self, seconds: float) -> str:
        """`ended`, `stopped` or `running`."""
        end = time.monotonic() + seconds
        while self.status is None and time.monotonic() < end:
            found, status = os.waitpid(self.process, os.WUNTRACED | os.WNOHANG)
            if found and os.WIFSTOPPED(status):
                return "stopped"
            if found:
                self.status = os.waitstatus_to_exitcode(status)
            else:
                time.sleep(0.0005)
        return "running" if self.status is None else "ended"

    def answers(self) -> bytes:
        with open(self._answers, "rb") as file:
            return file.read()


def _work(request: dict[str, Any], line: int, out: int) -> None:
    code = 1
    try:
        count = 0

        def trace(frame: FrameType, event: str, argument: object) -> Any:
            nonlocal count
            if "lessons/store" not in frame.f_code.co_filename:
                return None
            if event == "line":
                count += 1
                if count == line:
                    os.kill(os.getpid(), signal.SIGSTOP)
            return trace

        place = StatePaths(request["home"], request["root"])
        sys.settrace(trace)
        for act in request["acts"]:
            perform(place, Act(*act))
            os.write(out, b".")
        sys.settrace(None)
        os.write(out, str(count).encode())
        code = 0
    finally:
        os._exit(code)


def _run(request: dict[str, Any]) -> dict[str, Any]:
    first = _Writer(request["writers"][0], request["line"])
    stopped = first.wait(_LONGEST_SECONDS) == "stopped"
    second = _Writer(request["writers"][1], 0)
    if stopped:
        second.wait(_TOGETHER_SECONDS)
        os.kill(first.process, signal.SIGKILL if request["kill"] else signal.SIGCONT)
    statuses = []
    for writer in (first, second):
        if writer.wait(_LONGEST_SECONDS) != "ended":
            os.kill(writer.process, signal.SIGKILL)
            writer.wait(_LONGEST_SECONDS)
        statuses.append(writer.status)
    answers = [writer.answers() for writer in (first, second)]
    lines = int(answers[0].strip(b".") or 0)
    return {"came": [answer.count(b".") for answer in answers], "statuses": statuses, "lines": lines}


if __name__ == "__main__":
    for text in sys.stdin:
        print(json.dumps(_run(json.loads(text))), flush=True)
