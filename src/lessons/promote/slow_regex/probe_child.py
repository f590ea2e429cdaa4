"""Judges regexes in a child process, which is killed if it does not finish."""

import json
import queue
import re
import subprocess
import sys
import threading
from typing import Any

from lessons.promote.slow_regex.hostile import Shape
from lessons.promote.slow_regex.trial import can_interrupt, impatient_clock, judge, patient_clock, sentence

# Wall clock time, because nothing else is visible from outside: long enough for a busy machine.
_PATIENCE_SECONDS = 3.0
_START_SECONDS = 60.0
_PROGRAM = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]);"
    " from lessons.promote.slow_regex.probe_child import main; main()"
)


def probe(patterns: list[tuple[str, int]], limit: float, interruptible: bool = True) -> list[str | None]:
    """Returns a verdict for each; pass `interruptible=False` to disable the child's own timer."""
    verdicts: list[str | None] = []
    while len(verdicts) < len(patterns):
        verdicts += _one_child(patterns[len(verdicts) :], limit, interruptible)
    return verdicts


def _one_child(patterns: list[tuple[str, int]], limit: float, interruptible: bool) -> list[str | None]:
    """Returns the verdicts of one child: all of them, or up to the one it does not survive."""
    command = [sys.executable, "-I", "-c", _PROGRAM, json.dumps(sys.path)]
    order = json.dumps({"patterns": patterns, "limit": limit, "interruptible": interruptible})
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    lines: queue.Queue[Any] = queue.Queue()
    reader = threading.Thread(target=_read, args=(child, order, lines), daemon=True)
    reader.start()
    try:
        return _listen(lines, len(patterns), limit)
    finally:
        child.kill()
        child.wait()
        reader.join()


def _read(child: "subprocess.Popen[str]", order: str, lines: "queue.Queue[Any]") -> None:
    assert child.stdin is not None and child.stdout is not None
    with child.stdin, child.stdout:
        child.stdin.write(order)
        child.stdin.close()
        for line in child.stdout:
            lines.put(json.loads(line))
    lines.put(None)


def _listen(lines: "queue.Queue[Any]", expected: int, limit: float) -> list[str | None]:
    if lines.get(timeout=_START_SECONDS) != "ready":
        raise RuntimeError("the process that tries out regexes could not be started")
    verdicts: list[str | None] = []
    kind = "repeated parts"
    while len(verdicts) < expected:
        try:
            line = lines.get(timeout=_PATIENCE_SECONDS)
        except queue.Empty:
            return [*verdicts, sentence(kind, limit)]
        if line is None:
            return [*verdicts, "It ended the process in which it was tried out."]
        if "trying" in line:
            kind = line["trying"]
        else:
            verdicts.append(line["verdict"])
    return verdicts


def main() -> None:
    """Runs the child: reads a request from stdin, writes one line per step to stdout."""
    order = json.load(sys.stdin)
    limit = order["limit"]
    _say("ready")
    if order["interruptible"] and can_interrupt():
        with impatient_clock(limit) as clock:
            for source, flags in order["patterns"]:
                _say({"verdict": judge(source, flags, limit, clock)})
        return
    for source, flags in order["patterns"]:
        _say({"verdict": judge(source, flags, limit, _announced_clock)})


def _announced_clock(compiled: re.Pattern[str], shape: Shape, length: int) -> float:
    _say({"trying": str(shape)})
    return patient_clock(compiled, shape, length)


def _say(what: Any) -> None:
    print(json.dumps(what), flush=True)
