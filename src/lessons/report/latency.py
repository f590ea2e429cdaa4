"""Measures the hook on this machine: a few runs, alternating with a Python that does nothing."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import lessons.hook
from lessons import paths
from lessons.agents.hook_event import BEFORE_CALL
from lessons.report.document import Latency

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
