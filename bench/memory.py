"""A long history in, what memory costs with it out: the hook at a call and at an error, and making the index."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from bench.hook import QUIET, Calls, Step, cases, payloads
from bench.made import fill
from bench.process_cost import Cost, cost
from bench.timing import Case, Result, measure
from bench.varied_history import varied_history
from lessons.agents import hook_command
from lessons.agents.claude_code import install
from lessons.hook import bundle
from lessons.hook.memory import look_up
from lessons.match.call import ToolCall
from lessons.paths import memory_index_file
from lessons.store.history import database

CALLS, LESSONS = 300_000, 1_000
SILENT, AT_CALL, AT_ERROR = "nothing to recall", "recall at the call", "recall at the error"
UNKNOWN, UNKNOWN_ERROR = "nothing known", "nothing known at the error"
BUDGETS = {SILENT: 1.35, UNKNOWN: 1.35, AT_CALL: 1.6, AT_ERROR: 3.0, UNKNOWN_ERROR: 3.0}
_STEPS = 30  # different calls of each kind
_NEWEST = "SELECT command, cwd, error FROM calls WHERE command <> '' AND outcome = ? ORDER BY time DESC LIMIT 2000"
_REMEMBER = (
    "import sys; from lessons.mistakes.remember import remember; from lessons.store.history.history import History\n"
    "with History.opened(sys.argv[1]) as history: remember(history, is_changed=True)"
)


class Found(NamedTuple):
    hook: dict[str, Result]
    instructions: dict[str, float]  # as multiples of the floor's; empty without valgrind
    build: Cost
    megabytes: float  # of the index


def measured(rounds: int, calls: int = CALLS, counts_instructions: bool = False) -> Found:
    with varied_history(calls) as home:
        return measured_in(home, rounds, counts_instructions)


def measured_in(home: str, rounds: int, counts_instructions: bool = False) -> Found:
    """The same in a data home that is there."""
    bundle.refresh()
    fill(home, LESSONS)
    build = cost([sys.executable, "-c", _REMEMBER, home], home)
    with tempfile.TemporaryDirectory(prefix="lessons-bench-") as folder:
        tried = cases(_calls(home), home, folder)
        hook = {result.name: result for result in measure(tried, rounds)}
        counted = _instructions(tried, folder) if counts_instructions and shutil.which("valgrind") else {}
    return Found(hook, counted, build, os.path.getsize(memory_index_file(home)) / 1e6)


def _calls(home: str) -> Calls:
    """Of the history itself, and one of a project that it does not know."""
    hook_command.write_script(hook_command.places_of(home))
    commands = install.INSTALLER.hook_commands(home)
    before, failed = (["/bin/sh", "-c", commands[event]] for event in ("PreToolUse", "PostToolUseFailure"))
    with database.for_reading(home) as connection:
        good = [Step(*row[:2]) for row in connection.execute(_NEWEST, ("ok",))]
        bad = [Step(*row) for row in connection.execute(_NEWEST, ("failed",))]
    return {
        SILENT: (before, payloads([step for step in good if not _recalls(home, step)][:_STEPS])),
        UNKNOWN: (before, payloads([Step(QUIET, "/home/dev/project")])),
        AT_CALL: (before, payloads([step for each in bad if _recalls(home, step := each._replace(error=""))][:_STEPS])),
        AT_ERROR: (failed, payloads([step for step in bad if _recalls(home, step)][:_STEPS])),
        UNKNOWN_ERROR: (failed, payloads([Step(QUIET, "/home/dev/project", "Exit code 1\nno space left on device")])),
    }


def _recalls(home: str, step: Step) -> bool:
    call = ToolCall("Bash", {"command": step.command}, cwd=step.folder, error=step.error or None)
    return look_up(home, call) is not None


def _instructions(tried: list[Case], folder: str) -> dict[str, float]:
    """The median over some rounds, of the shell and all that it starts."""
    counts = {case.name: sorted(_count(case, number, folder) for number in range(5))[2] for case in tried}
    floor = next(iter(counts.values()))
    return {name: count / floor for name, count in counts.items()}


def _count(case: Case, number: int, folder: str) -> int:
    out = Path(folder) / "callgrind"
    out.mkdir()
    valgrind = ["valgrind", "-q", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={out}/%p"]
    subprocess.run(
        [*valgrind, *case.arguments], input=case.input(number), env=case.environment, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, check=True,
    )  # fmt: skip
    lines = [line for file in out.iterdir() for line in file.read_text().splitlines()]
    shutil.rmtree(out)
    return sum(int(line.split()[1]) for line in lines if line.startswith("totals:"))
