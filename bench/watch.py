"""`make bench-watch`: a watcher over 10,000 files while 20 of them grow: processor time, memory, and how soon each call
is in the history and each quiet session is mined. Takes ten minutes; MINUTES and FILES make it another
size."""

import json
import os
import random
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from lessons.store import logs
from tests.builders.big_session import many_transcripts
from tests.builders.client_lines import encode
from tests.builders.transcript import Session

FILES = int(os.environ.get("FILES", "10000"))
MINUTES = float(os.environ.get("MINUTES", "10"))
GROWING = 20
PAUSE = 12  # seconds that a quiet session stays so after it is mined
QUIET = 20  # seconds; bursts of writes and pauses that are longer
BUDGET = 5.0
MOST_MEMORY = 150
_TICKS = os.sysconf("SC_CLK_TCK")


class Writer(threading.Thread):
    """A session that writes a call and its result now and then, in bursts with pauses in which it is quiet."""

    def __init__(self, root: Path, number: int, until: float, written: dict[str, float]) -> None:
        super().__init__(daemon=True)
        self.session = Session(f"growing {number}", f"/home/somebody/growing-{number}")
        self.path = root / "-growing" / f"{self.session.id}.jsonl"
        self.chance = random.Random(number)
        self.until = until
        self.written = written
        self.quiet: list[tuple[str, float]] = []  # the session, and when it was last written

    def run(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        while time.time() < self.until - QUIET - 15:
            for number in range(self.chance.randrange(8, 25)):
                self._write(number)
                time.sleep(self.chance.uniform(0.3, 2.5))
            self.quiet.append((self.session.id, os.stat(self.path).st_mtime))
            time.sleep(QUIET + PAUSE)

    def _write(self, number: int) -> None:
        start = len(self.session.lines)
        wrong = number % 6 == 2
        call = self.session.call("Bash", {"command": f"gh pr diff {number} {'--stat' if wrong else ''}".strip()})
        self.session.result(call, "Exit code 1\nunknown flag: --stat" if wrong else "a.py", error=wrong)
        lines = b"".join(encode(line) + b"\n" for line in self.session.lines[start:])
        with self.path.open("ab") as file:
            file.write(lines)
        self.written[call] = time.time()


class Looker(threading.Thread):
    """Looks into the history all the time: which calls are in it, which sessions wait to be mined."""

    def __init__(self, home: Path, until: float) -> None:
        super().__init__(daemon=True)
        self.home, self.until = home, until
        self.seen: dict[str, float] = {}
        self.mined: dict[str, list[float]] = {}

    def run(self) -> None:
        pending: set[str] = set()
        last = 0
        with closing(sqlite3.connect(f"file:{self.home}/history.db?mode=ro", uri=True)) as connection:
            while time.time() < self.until:
                rows = connection.execute("SELECT id, tool_use_id FROM calls WHERE id > ?", (last,)).fetchall()
                now = time.time()
                for number, name in rows:
                    self.seen[name], last = now, max(last, number)
                waiting = {row[0] for row in connection.execute("SELECT session_id FROM unmined")}
                for name in pending - waiting:
                    self.mined.setdefault(name, []).append(now)
                pending = waiting
                time.sleep(0.2)


def longest(home: str, event: str) -> float:
    return max(
        (float(str(each["seconds"])) for each in logs.read_watch_log(home) if each["event"] == event), default=0.0
    )


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def peak_megabytes(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1000 for line in lines if line.startswith("VmHWM"))


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="lessons-bench-") as folder:
        root, home = Path(folder) / "projects", Path(folder) / "home"
        home.mkdir()
        many_transcripts(root, FILES, 2_000)
        environment = {**os.environ, "LESSONS_HOME": str(home), "LESSONS_WATCH_QUIET_SECONDS": str(QUIET)}
        written: dict[str, float] = {}
        command = [sys.executable, "-m", "lessons", "watch", "--path", str(root)]
        began = time.time()
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        try:
            return measure(process.pid, root, home, began, written)
        finally:
            asked = time.monotonic()
            process.send_signal(signal.SIGTERM)
            process.wait(30)
            print(f"stopped {time.monotonic() - asked:.2f} s after SIGTERM", flush=True)
            for event in ("tick", "exported"):
                print(f"the longest {event}: {longest(str(home), event):.2f} s")
            print(
                f"load of the machine in the last 15 minutes: {os.getloadavg()[2]:.0f} on {os.cpu_count()} processors"
            )


def measure(pid: int, root: Path, home: Path, began: float, written: dict[str, float]) -> int:
    while not _is_settled(home):
        time.sleep(0.5)
    settled = time.time()
    first = processor_seconds(pid)
    print(f"{FILES:,} files read and mined in {settled - began:.0f} s, {first:.1f} s of processor time", flush=True)
    end = max(began + MINUTES * 60, settled + 180)
    idle_seconds = max(60.0, (end - settled) / 4)
    time.sleep(idle_seconds)
    idle = processor_seconds(pid) - first
    print(f"idle: {60 * idle / idle_seconds:.2f} s of processor time a minute", flush=True)
    looker = Looker(home, end)
    writers = [Writer(root, number, end, written) for number in range(GROWING)]
    before, start = processor_seconds(pid), time.time()
    for thread in (looker, *writers):
        thread.start()
    time.sleep(end - time.time())
    busy = 60 * (processor_seconds(pid) - before) / (time.time() - start)
    memory = peak_megabytes(pid)
    looker.join(10)
    print(
        f"busy: {busy:.2f} s of processor time a minute, {60 * len(written) / (time.time() - start):.0f} calls a minute"
    )
    return report(written, looker, writers, memory)


def report(written: dict[str, float], looker: Looker, writers: Sequence[Writer], memory: float) -> int:
    missing = [name for name in written if name not in looker.seen]
    waits = sorted(looker.seen[name] - moment for name, moment in written.items() if name in looker.seen)
    mined = []
    lost = 0
    for writer in writers:
        for session, moment in (each for each in writer.quiet if each[1] + QUIET + BUDGET < looker.until):
            later = [each for each in looker.mined.get(session, []) if each >= moment + QUIET - 1]
            mined += [later[0] - moment - QUIET] if later else []
            lost += not later
    figures = {
        "calls": len(written),
        "missing": len(missing),
        "read within (s)": {"median": round(statistics.median(waits), 2), "most": round(waits[-1], 2)},
        "quiet periods": len(mined) + lost,
        "not mined": lost,
        "mined within (s) of quiet": {"median": round(statistics.median(mined), 2), "most": round(max(mined), 2)},
        "peak memory (MB)": round(memory),
    }
    print(json.dumps(figures, indent=2))
    missed = bool(missing) or waits[-1] > BUDGET or lost or max(mined) > BUDGET or memory > MOST_MEMORY
    print("MISSED" if missed else "within the budgets")
    return int(bool(missed))


def _is_settled(home: Path) -> bool:
    try:
        with closing(sqlite3.connect(f"file:{home}/history.db?mode=ro", uri=True)) as connection:
            (files,) = connection.execute("SELECT count(*) FROM sources").fetchone()
            (pending,) = connection.execute("SELECT count(*) FROM unmined").fetchone()
            return bool(files >= FILES and not pending)
    except sqlite3.Error:
        return False


if __name__ == "__main__":
    sys.exit(main())
