"""Sessions of the real client with a scripted model, and when each call of theirs was in the transcript."""

import json
import threading
import time
from pathlib import Path

from tests.e2e.rig.script import Turn, bash, say
from tests.e2e.rig.world import World

_CALLS = 12
_LOOK_SECONDS = 0.05


class RealSessions(threading.Thread):
    """One session after the other in a world of its own, with pauses in which the last one is quiet."""

    def __init__(self, folder: Path, number: int, pause: float, written: dict[str, float]) -> None:
        super().__init__(daemon=True)
        self.world = World(folder / f"world-{number}")
        self.root = self.world.config / "projects"
        self.root.mkdir(exist_ok=True)
        self.number = number
        self.pause = pause
        self.until = 0.0
        self.written = written
        self.quiet: list[tuple[str, float]] = []  # each session, and when it was last written
        self.faults: list[str] = []

    def run(self) -> None:
        looker = _Looker(self.root, self.written)
        looker.start()
        try:
            while time.time() < self.until:
                conversation = self.world.run("Look around.", [*self._turns(), say("Done.")])
                self.quiet.append((conversation.session, conversation.transcript.stat().st_mtime))
                time.sleep(self.pause)
        except BaseException as fault:
            self.faults.append(f"{type(fault).__name__}: {fault}"[:2000])
        finally:
            looker.stop.set()

    def _turns(self) -> list[Turn]:
        """One in six fails, and is mended by the next."""
        made = len(self.quiet) * _CALLS
        words = {2: "ls --no-such-option", 3: "ls --all"}
        return [
            bash(words.get(place % 6, f"echo {place}"), f"toolu_real_{self.number}_{made + place}").thinking(0.8)
            for place in range(_CALLS)
        ]


class _Looker(threading.Thread):
    """Notes when a call is in a transcript: a whole line of it."""

    def __init__(self, root: Path, written: dict[str, float]) -> None:
        super().__init__(daemon=True)
        self.root = root
        self.written = written
        self.stop = threading.Event()
        self.read: dict[Path, int] = {}

    def run(self) -> None:
        while not self.stop.wait(_LOOK_SECONDS):
            for path in self.root.rglob("*.jsonl"):
                self._look(path)

    def _look(self, path: Path) -> None:
        start = self.read.get(path, 0)
        if path.stat().st_size == start:
            return
        with path.open("rb") as file:
            file.seek(start)
            data = file.read()
        now = time.time()
        whole = data[: data.rfind(b"\n") + 1]
        self.read[path] = start + len(whole)
        for line in whole.splitlines():
            if b'"tool_use"' in line:
                content = json.loads(line).get("message", {}).get("content", [])
                for block in content if isinstance(content, list) else ():
                    if block.get("type") == "tool_use":
                        self.written.setdefault(block["id"], now)
