"""Checks the log of faults in hooks."""

from lessons import paths
from lessons.check import Check
from lessons.store import faults


def check(home: str) -> Check:
    lines = faults.read(home)
    if not lines:
        return Check("faults", True, "none.")
    detail = f"{len(lines)} logged, the last: {lines[-1]}"
    fix = f"Read {paths.faults_file(home)}; delete it afterwards."
    return Check("faults", False, detail, fix)
