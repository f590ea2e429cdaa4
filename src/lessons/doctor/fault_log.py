"""Checks the log of hook faults, and reports calls that were too large for a hook."""

from collections.abc import Iterator

from lessons import paths
from lessons.agents.hook_event import NOT_EXAMINED
from lessons.check import Check
from lessons.store import faults


def checks(home: str) -> Iterator[Check]:
    lines = faults.read(home)
    large = [line for line in lines if line.endswith(NOT_EXAMINED)]
    yield _faults(home, [line for line in lines if line not in large])
    if large:
        yield _large(home, large)


def _faults(home: str, lines: list[str]) -> Check:
    if not lines:
        return Check("faults", True, "none.")
    detail = f"{len(lines)} logged, the last: {lines[-1]}"
    return Check("faults", False, detail, f"Read {paths.faults_file(home)}; delete it afterwards.")


def _large(home: str, lines: list[str]) -> Check:
    moment, number = lines[-1].partition(" ")[0], len(lines)
    were = "1 payload was" if number == 1 else f"{number:,} payloads were"
    detail = f"{were} larger than 4 MB, so they were not examined; the last at {moment}."
    fix = f"Ask the agent to write large files in parts or with a command. Delete {paths.faults_file(home)} afterwards."
    return Check("large payloads", False, detail, fix)
