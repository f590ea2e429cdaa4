"""A made history in, the time of back-testing one pattern beside that of searching the same commands in memory out."""

import os
import random
import re
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import NamedTuple

from lessons import paths
from lessons.model import Triggers
from lessons.promote.backtest import backtest
from lessons.store.history.history import History
from tests.builders.past import Past, fill

TAKEN_APART = "invocations"
# What is looked for: rarely there, without a literal by which to find it, and by the program of an invocation.
PATTERNS = {
    "a rare command": Triggers(command_patterns=[r"gh pr diff\b.*--stat\b"]),
    "no literal": Triggers(command_patterns=[r"\d{6,}"]),
    TAKEN_APART: Triggers(command_patterns=[r"git push\b"], match_on="invocation"),
}
_PROTOTYPES = 10_000
_MARK = "@@"
_PLACES = ("src/shop/till", "tests/unit/garden", "packages/web/components", "docs/guide", "services/api/handlers")
_LINES = (
    "git status --short && git diff --stat HEAD~1 -- {place} 2>&1 | head -40",
    "git add {place} && git commit -m \"$(cat <<'EOF'\nKeep the {place} in order, step @@\n\nAnd tidy up.\nEOF\n)\"",
    "cd /home/dev/project && npm run test -- {place}/part@@.test.ts --reporter=dot 2>&1 | tail -30",
    "grep -rn \"handle[A-Z][a-z]*@@\" {place} --include='*.ts' | head -20; ls -la {place}",
    'python3 -c \'import json, sys; print(json.load(open("{place}/data@@.json"))["name"])\'',
    "find {place} -name '*.py' -newer {place}/stamp@@ -exec wc -l {{}} + | sort -n | tail -5",
    "docker compose -f {place}/compose.yml up -d service@@ && sleep 5 && curl -s localhost:8080/health | jq .",
    "sed -n '10,60p' {place}/module@@.py && make -C {place} check",
)
_RARE = ((0.02, "git push origin feature/part@@ 2>&1 | tail -3"), (0.0002, "gh pr diff @@ --stat"))


class Result(NamedTuple):
    """Of one pattern: how often it fired, and how its time compares."""

    hits: int
    seconds: float
    ratio: float


@contextmanager
def history(calls: int, shells: float) -> Iterator[str]:
    """A data home with so many calls, of which this share are lines of a shell."""
    with tempfile.TemporaryDirectory(prefix="lessons-bench-") as home:
        with History.opened(home):
            pass  # makes the tables
        with closing(sqlite3.connect(paths.history_file(home), isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("BEGIN")
            chance = random.Random(5)
            fill(connection, (_prototype(chance, shells) for _ in range(_PROTOTYPES)))
            _multiply(connection, calls // _PROTOTYPES)
            connection.execute("COMMIT")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        yield home


def _prototype(chance: random.Random, shells: float) -> Past:
    place = chance.choice(_PLACES)
    ended = "failed" if chance.random() < 0.05 else "ok"
    session = f"session-{chance.randrange(50)}-{_MARK}"
    if chance.random() >= shells:
        given: dict[str, object] = {"file_path": f"/home/dev/{place}/{_MARK}.py", "new_string": "a line\n" * 80}
        return Past(tool="Edit", arguments=given, outcome=ended, session=session)
    line = next((line for share, line in _RARE if chance.random() < share), chance.choice(_LINES))
    line = line.format(place=place) if "{place}" in line else line
    return Past(arguments={"command": line, "description": "One more step"}, outcome=ended, session=session)


def _multiply(connection: sqlite3.Connection, times: int) -> None:
    """Each prototype so many times, with another number in it each time."""
    columns = [row[1] for row in connection.execute("PRAGMA table_info(calls)") if row[1] != "id"]
    numbered = {name: f"replace({name}, '{_MARK}', n)" for name in ("session_id", "command", "path", "arguments")}
    numbered["tool_use_id"] = "tool_use_id || '-' || n"
    chosen = ", ".join(numbered.get(name, name) for name in columns)
    numbers = f"WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {times})"
    last = f"c.id <= {_PROTOTYPES}"
    names = ", ".join(columns)
    connection.execute(f"{numbers} INSERT INTO calls ({names}) SELECT {chosen} FROM numbers, calls c WHERE {last}")
    connection.execute(f"DELETE FROM calls WHERE id <= {_PROTOTYPES}")


def measure(home: str, rounds: int = 5) -> dict[str, Result]:
    """Each pattern beside one pass of its compiled `search` over every command, in turns."""
    with closing(sqlite3.connect(paths.history_file(home))) as connection:
        commands = [str(row[0]) for row in connection.execute("SELECT command FROM calls")]
    return {name: _compared(home, triggers, commands, rounds) for name, triggers in PATTERNS.items()}


def _compared(home: str, triggers: Triggers, commands: list[str], rounds: int) -> Result:
    search = re.compile(triggers.command_patterns[0]).search
    times, ratios, hits = [], [], 0
    for _ in range(rounds):
        began = time.perf_counter()
        for command in commands:
            search(command)
        between = time.perf_counter()
        with History.for_reading(home) as history:
            hits = backtest(history, triggers).hits
        times.append(time.perf_counter() - between)
        ratios.append(times[-1] / (between - began))
    return Result(hits, statistics.median(times), statistics.median(ratios))


def calls() -> int:
    """How many, unless the variable CALLS says otherwise."""
    return int(os.environ.get("CALLS", "1000000"))
