"""A size in, a data home with a really scanned history out."""

import sqlite3
from contextlib import closing
from pathlib import Path

from lessons.scan.run import Finished, Options, run
from tests.builders.transcript import Session

TAG = "#lesson\nproblem: the door {0} sticks\nsolution: lift it while turning, number {0}\ntool: Bash\n#/lesson"


class ScannedHome:
    """A data home and the transcripts that were read into it."""

    def __init__(self, root: Path) -> None:
        self.home = root / "data"
        self.transcripts = root / "projects"
        self.home.mkdir(exist_ok=True)
        self.transcripts.mkdir(exist_ok=True)
        self.path = str(self.home)
        self.file = self.home / "history.db"

    def session(self, name: str, calls: int = 60) -> Path:
        """A transcript with calls that end well and badly, prompts, tags and a compaction."""
        session = Session(name)
        for number in range(calls):
            if number % 10 == 0:
                session.prompt(f"please look after door {name} {number}, and the windows beside it")
            if number % 20 == 0:
                session.say(TAG.format(f"{name}{number}"))
            call = session.call("Bash", {"command": f"make door-{name}-{number} " + "--and-more " * 30})
            failed = number % 3 == 0
            session.result(call, f"Exit code 2\nno door {name} {number}" if failed else "done", error=failed)
            if number == calls // 2:
                session.compact()
        return session.write(self.transcripts)

    def scan(self, full: bool = False) -> Finished:
        return run(self.path, Options([str(self.transcripts)], full=full, processes=1))

    def rows(self, query: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(self.file)) as connection:
            return [tuple(row) for row in connection.execute(query)]

    def commands(self) -> set[object]:
        return {row[0] for row in self.rows("SELECT command FROM calls")}

    def settle(self) -> None:
        """Everything from the -wal into the file, so that what is done to the file counts."""
        with closing(sqlite3.connect(self.file)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("PRAGMA journal_mode = DELETE")

    def vanish(self, *names: str) -> None:
        """These transcripts are deleted, as agents do after some time; none named: all of them."""
        ids = {Session(name).id for name in names}
        for path in self.transcripts.rglob("*.jsonl"):
            if not ids or path.stem in ids:
                path.unlink()
