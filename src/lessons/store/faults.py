"""The file `faults.log`: one line for each fault in a hook; never the text of a call."""

import time

from lessons import paths
from lessons.store.append import append_line
from lessons.system import system

_LARGEST_LOG = 256 * 1024


def record(home: str, where: str, what: str) -> None:
    """Never raises: a hook that cannot even log its fault must not break the agent."""
    path = paths.faults_file(home)
    try:
        try:
            if system.stat(path).st_size > _LARGEST_LOG:
                system.replace(path, path + ".1")
        except OSError:
            pass
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        append_line(path, f"{moment} {where} {' '.join(what.split())[:400]}")
    except (OSError, ValueError):  # the path is invalid
        pass


def record_once(home: str, where: str, what: str) -> None:
    """Writes one line for a fault that occurs again each time somebody looks."""
    if not any(line.endswith(f" {where} {what}") for line in read(home)):
        record(home, where, what)


def describe(fault: BaseException) -> str:
    """Returns the kind of fault and its source line; leaves out the message, which may quote a payload."""
    trace = fault.__traceback__
    place = "?"
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
        place = f"{name}:{trace.tb_lineno}"
        trace = trace.tb_next
    number = fault.errno if isinstance(fault, OSError) else None
    return f"{type(fault).__name__}{f' {number}' if number else ''} at {place}"


def read(home: str) -> list[str]:
    """Returns the lines so far, oldest first."""
    try:
        with open(paths.faults_file(home), encoding="utf-8", errors="replace") as file:
            return [line.rstrip("\n") for line in file if line.strip()]
    except OSError:
        return []
