"""The file `faults.log`: one line for each fault in a hook; never the text of a call."""

import time

from lessons import paths
from lessons.store.append import append_line
from lessons.system import system

_LARGEST_LOG = 256 * 1024


def record(home: str, where: str, what: str) -> None:
    """Never raises: a hook that cannot even note its fault still must not break the agent."""
    path = paths.faults_file(home)
    try:
        try:
            if system.stat(path).st_size > _LARGEST_LOG:
                system.replace(path, path + ".1")
        except OSError:
            pass
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        append_line(path, f"{moment} {where} {' '.join(what.split())[:400]}")
    except (OSError, ValueError):  # a path that cannot be one
        pass


def record_once(home: str, where: str, what: str) -> None:
    """For what happens again whenever somebody looks: one line, however often that is."""
    if not any(line.endswith(f" {where} {what}") for line in read(home)):
        record(home, where, what)


def describe(fault: BaseException) -> str:
    """The kind of fault and the line it came from; its message may quote a payload and is left out."""
    trace = fault.__traceback__
    place = "?"
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename.replace("\\", "/").rpartition("/")[2]
        place = f"{name}:{trace.tb_lineno}"
        trace = trace.tb_next
    number = fault.errno if isinstance(fault, OSError) else None
    return f"{type(fault).__name__}{f' {number}' if number else ''} at {place}"


def read(home: str) -> list[str]:
    """The lines noted so far, oldest first."""
    try:
        with open(paths.faults_file(home), encoding="utf-8", errors="replace") as file:
            return [line.rstrip("\n") for line in file if line.strip()]
    except OSError:
        return []
