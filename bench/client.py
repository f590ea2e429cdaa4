"""`make bench-client`: what one hook costs at a tool call of Claude Code, kinds of hooks in turns; then every client.

In one session each call reads the file of one case, and a hook's `if` lets it run for its own file alone: so the
cases take turns call by call, and whatever slows the machine slows all of them alike.
"""

import json
import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench import every_client
from bench.made import fill
from tests.e2e.rig.script import call, say
from tests.e2e.rig.world import World

LESSONS = 1_000
SESSIONS = int(os.environ.get("SESSIONS", "8"))
CALLS_A_SESSION = 20
WARM_UP = 2  # calls of each case at the start of a session that do not count
NOTHING, PYTHON, COMMAND, WARM = "no hook", "python -I -S -c pass", "our command hook", "our warm path"
BUDGETS = ((COMMAND, PYTHON, 1.5), (WARM, COMMAND, 0.5))

Handlers = list[dict[str, Any]]


def cases(world: World) -> dict[str, Handlers]:
    """Each case's hooks: ours as `lessons install` writes them."""
    python = os.path.realpath(sys.executable)
    world.install()
    command = _installed(world)
    world.install("--warm")
    return {
        NOTHING: [],
        "/bin/true": [{"type": "command", "command": "/bin/true", "args": []}],
        PYTHON: [{"type": "command", "command": python, "args": ["-I", "-S", "-c", "pass"]}],
        COMMAND: command,
        WARM: _installed(world),
    }


def measure(world: World, hooks: dict[str, Handlers]) -> dict[str, list[float]]:
    """Milliseconds between the model's answer and the client's next request, for every call of every case."""
    files = {name: world.project / f"case-{number}.txt" for number, name in enumerate(hooks)}
    settings: dict[str, Any] = json.loads(world.settings.read_text("utf-8"))
    # The other events stay as installed; at a tool call only the case's own hook runs.
    settings["hooks"]["PreToolUse"] = [
        {"matcher": "Read", "hooks": [{**handler, "if": f"Read(/{files[name]})"} for handler in handlers]}
        for name, handlers in hooks.items()
        if handlers
    ]
    world.settings.write_text(json.dumps(settings), encoding="utf-8")
    times: dict[str, list[float]] = {name: [] for name in hooks}
    for name, file in files.items():
        file.write_text(name, encoding="utf-8")
    for session in range(SESSIONS):
        # Each session begins with another case, so that none is always the one after a certain other.
        order = [list(hooks)[(session + place) % len(hooks)] for place in range(len(hooks))]
        script = order * (CALLS_A_SESSION + WARM_UP)
        turns = [call("Read", {"file_path": str(files[name])}) for name in script]
        gaps = every_client.gaps_of(world.run("Read them all.", [*turns, say("Done.")]))
        for name, gap in list(zip(script, gaps, strict=True))[WARM_UP * len(hooks) :]:
            times[name].append(gap)
        print(f"\rsession {session + 1} of {SESSIONS}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return times


def _installed(world: World) -> Handlers:
    settings = json.loads(world.settings.read_text("utf-8"))
    return [handler for group in settings["hooks"]["PreToolUse"] for handler in group["hooks"]]


def table(times: dict[str, list[float]]) -> tuple[list[str], dict[str, float]]:
    """The lines of the table, and each case's overhead: its median less that of no hook at all."""
    floor = sorted(times[NOTHING])
    lines = ["| hook at each call | calls | overhead, median | overhead, p90 |", "| --- | --- | --- | --- |"]
    overheads: dict[str, float] = {}
    for name, found in times.items():
        overheads[name] = statistics.median(found) - statistics.median(floor)
        tail = _ninety(found) - _ninety(floor)
        lines.append(f"| {name} | {len(found)} | {overheads[name]:.1f} ms | {tail:.1f} ms |")
    return lines, overheads


def _ninety(values: list[float]) -> float:
    return statistics.quantiles(values, n=10)[-1]


def main() -> int:
    # What a session leaves running when it ends may still write there.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        world = World(Path(folder))
        fill(str(world.data), LESSONS)
        times = measure(world, cases(world))
    lines, overheads = table(times)
    print("\n".join(lines))
    print(f"\nWithout a hook the client takes {statistics.median(times[NOTHING]):.0f} ms from answer to next request.")
    missed = 0
    for name, base, budget in BUDGETS:
        ratio = overheads[name] / overheads[base]
        missed += ratio > budget
        print(f"{name}: {ratio:.2f} × {base} ({'≤' if ratio <= budget else 'MISSED, budget'} {budget} ×)")
    every_client.report()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
