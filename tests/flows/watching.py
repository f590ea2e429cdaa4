"""A watcher in a separate process, and its visible state."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.command_line import LESSONS, SECONDS, CommandLine


class RunningWatcher:
    """`lessons watch` in a pipe."""

    def __init__(self, lessons: CommandLine, root: Path, home: Path, before: list[str], **variables: str) -> None:
        self.home = home
        settings = {"LESSONS_HOME": str(home), "LESSONS_WATCH_QUIET_SECONDS": "1", **variables}
        self.process = subprocess.Popen(
            [*before, LESSONS, "watch", "--path", str(root)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=lessons.work,
            env=lessons.environment(**settings),
        )

    def events(self) -> list[dict[str, object]]:
        try:
            lines = (self.home / "watch.log").read_text("utf-8").splitlines()
        except OSError:
            return []
        return [json.loads(line) for line in lines]

    def until(self, condition: Callable[[], bool], what: str) -> None:
        give_up = time.monotonic() + SECONDS
        while not condition():
            assert time.monotonic() < give_up, f"{what}: {self.events()[-5:]}"
            if self.process.poll() is not None:
                assert self.process.stdout
                raise AssertionError(f"it ended: {self.events()[-3:]} {self.process.stdout.read()}")
            time.sleep(0.02)

    def stop(self, number: int = signal.SIGTERM) -> str:
        self.process.send_signal(number)
        said: str = self.process.communicate(timeout=SECONDS)[0]
        return said


@contextmanager
def watching(
    lessons: CommandLine, root: Path, home: Path, before: list[str] | None = None, **variables: str
) -> Iterator[RunningWatcher]:
    watcher = RunningWatcher(lessons, root, home, before or [], **variables)
    try:
        yield watcher
    finally:
        if watcher.process.poll() is None:
            watcher.process.kill()
        watcher.process.wait(SECONDS)
        if watcher.process.stdout:
            watcher.process.stdout.close()


def append(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
