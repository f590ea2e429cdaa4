"""How much is in the history, when the hooks last ran, what went wrong in them, and how long one takes."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import lessons.hook
from lessons import paths
from lessons.agents.hook_event import (
    AFTER_CALL,
    AFTER_FAILURE,
    BEFORE_CALL,
    BEFORE_COMPACTION,
    SESSION_END,
    SESSION_START,
    SUBAGENT_START,
    TURN_END,
)
from lessons.report.document import Coverage, HookHealth, Latency
from lessons.report.tables import one_line
from lessons.store import exports, fired, logs
from lessons.store.history.history import History

_MOST_FAULTS = 5
_EVENTS = (
    *(BEFORE_CALL, AFTER_CALL, AFTER_FAILURE, SESSION_START, SUBAGENT_START, BEFORE_COMPACTION, TURN_END, SESSION_END),
)


def hook_health(home: str, latency: Latency | None = None) -> HookHealth:
    moments = {event: fired.last(home, event) for event in _EVENTS}
    lines = logs.read_faults(home)
    return HookHealth(
        last_run={event: minute_of(moment) for event, moment in moments.items() if moment is not None},
        faults=len(lines),
        newest_faults=[one_line(line) for line in lines[: -_MOST_FAULTS - 1 : -1]],
        latency=latency,
    )


def minute_of(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"


_RUNS = 20
_FLAGS = ("-I", "-S")
_PAYLOAD = {
    "session_id": "report",
    "cwd": "/",
    "hook_event_name": BEFORE_CALL,
    "tool_name": "Bash",
    "tool_input": {"command": "lessons-report-measures-this"},
    "tool_use_id": "report",
}


def measured(home: str) -> Latency:
    """Runs on a copy of what the hook reads: the data home and its logs stay unchanged."""
    entry = str(Path(lessons.hook.__file__).with_name("entry.py"))
    with tempfile.TemporaryDirectory(prefix="lessons-report-") as folder:
        for source in (paths.manifest_file(home), paths.hook_index_file(home)):
            if os.path.exists(source):
                shutil.copy2(source, folder)  # with its time, which is stamped in the index
        environment = {**os.environ, "LESSONS_HOME": folder, "TMPDIR": folder}
        hook = [sys.executable, *_FLAGS, entry, BEFORE_CALL]
        bare = [sys.executable, *_FLAGS, "-c", "pass"]
        given = json.dumps(_PAYLOAD).encode()
        runs = [(_milliseconds(hook, given, environment), _milliseconds(bare, b"", environment)) for _ in range(_RUNS)]
    return Latency(hook=sorted(each[0] for each in runs), bare=sorted(each[1] for each in runs))


def _milliseconds(command: list[str], given: bytes, environment: dict[str, str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, input=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    return round(1000 * (time.perf_counter() - began), 1)


def coverage(history: History, sessions: int) -> Coverage:
    outcomes: Counter[str] = Counter()
    agents: Counter[str] = Counter()
    for agent, outcome, number in history.calls.tally():
        outcomes[outcome] += number
        agents[agent] += number
    records, malformed = history.sources.records()
    last = exports.last_scan(history.home)
    return Coverage(
        files=history.sources.count(),
        records=records,
        malformed=malformed,
        damaged_parts=history.sources.damaged_parts()[0],
        given_up=sum(each.state == "dead" for each in history.progress.failed_segments()),
        sessions=sessions,
        calls=outcomes.total(),
        outcomes=dict(sorted(outcomes.items())),
        agents=dict(sorted(agents.items())),
        last_scan=minute_of(last) if last else "",
    )
