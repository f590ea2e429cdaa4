"""How long a server takes from its start to its first answer: the SDK's, and the one that is written by hand."""

import json
import os
import subprocess
import sys
import tempfile
import time
from statistics import median

from lessons.agents.hook_command import entry_file, usable_interpreter

RUNS = int(os.environ.get("RUNS", "9"))
_HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="lessons-bench-") as home:
        bare = usable_interpreter(sys.executable)
        commands = {
            "python -I -S -c pass": [bare, "-I", "-S", "-c", "print()"],
            "resident server, by hand": [bare, "-I", "-S", entry_file(), "Resident", "--python", sys.executable],
            "lessons mcp, with the SDK": [sys.executable, "-m", "lessons", "mcp"],
        }
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for _ in range(RUNS):  # in turns: what else the machine does is spread over all of them
            for name, command in commands.items():
                found[name].append(_until_answer(command, home))
    print(f"{'until the first answer':28} {'elapsed':>11} {'processor':>12}")
    for name, times in found.items():
        elapsed, processor = (1000 * median(each) for each in zip(*times, strict=True))
        print(f"{name:28} {elapsed:8.0f} ms {processor:9.0f} ms")


def _until_answer(command: list[str], home: str) -> tuple[float, float]:
    """Seconds, and seconds of a processor, which do not depend on what else the machine does."""
    environment = {**os.environ, "LESSONS_HOME": home}
    began = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    assert process.stdin and process.stdout
    try:
        process.stdin.write(json.dumps(_HELLO).encode() + b"\n")
        process.stdin.flush()
    except BrokenPipeError:
        pass  # the bare interpreter reads nothing
    assert process.stdout.readline(), command
    taken = time.perf_counter() - began
    process.kill()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = status
    return taken, used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
