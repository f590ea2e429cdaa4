"""What reading and mining one more call of a live session costs, at several lengths of the session."""

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from lessons.scan.discover import Root
from lessons.scan.mine import mine
from lessons.scan.scan import Request, read
from lessons.store.consent import consent_of
from lessons.store.history.history import History
from tests.builders.client_lines import encode
from tests.builders.transcript import Session

CALLS = int(os.environ.get("CALLS", "50000"))
_WINDOW = 8
_MEASURED = 100  # calls at each length
_MOST_GROWTH = 1.5  # of the cost of a call, where the session is ten times as long
_PROGRAMS = "git gh npm cargo kubectl docker make pytest terraform aws helm pip".split()


class Cost(NamedTuple):
    length: int
    milliseconds: float  # processor time of reading and mining one call, on average


def measure(calls: int = CALLS) -> list[Cost]:
    """At a tenth of the length, at half of it, and at its end."""
    with tempfile.TemporaryDirectory(prefix="lessons-bench-") as folder:
        home = f"{folder}/home"
        live = _Live(Path(folder) / "projects" / "-p" / "live.jsonl")
        request = Request([Root(str(live.path.parent), ("claude-code",))], consent_of(home), files=[str(live.path)])
        found = []
        with History.opened(home) as history:
            for length in (calls // 10, calls // 2, calls):
                live.grow(length - _MEASURED)
                _follow(history, request)
                began = time.process_time()
                for _ in range(_MEASURED):
                    live.grow(live.calls + 1)
                    _follow(history, request)
                found.append(Cost(length, 1000 * (time.process_time() - began) / _MEASURED))
        return found


class _Live:
    """A session that grows."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.session = Session("live", "/home/somebody/live")
        self.calls = 0
        path.parent.mkdir(parents=True)

    def grow(self, calls: int) -> None:
        with self.path.open("ab") as file:
            while self.calls < calls:
                self._call()
                file.write(b"".join(encode(line) + b"\n" for line in self.session.lines))
                self.session.lines.clear()
                self.calls += 1

    def _call(self) -> None:
        program = _PROGRAMS[self.calls % len(_PROGRAMS)]
        wrong = self.calls % 37 == 5
        command = f"{program} run part{self.calls % 50} {'--oops' if wrong else '--all'}"
        call = self.session.call("Bash", {"command": command})
        printed = f"Exit code 2\n{program}: unknown option --oops" if wrong else "done"
        self.session.result(call, printed, error=wrong)


def _follow(history: History, request: Request) -> None:
    read(history, request)
    if not history.sessions_to_mine.is_empty(_WINDOW):
        mine(history, _WINDOW)


def main() -> int:
    found = measure()
    for length, milliseconds in found:
        print(f"a live session at {length:,} calls: {milliseconds:.1f} ms of processor time for one more call")
    ratio = found[-1].milliseconds / found[0].milliseconds
    missed = ratio > _MOST_GROWTH
    print(f"ten times as long: {ratio:.2f} × ({'MISSED, budget' if missed else '≤'} {_MOST_GROWTH} ×)")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
