"""What our hooks cost at a shell call of each real client, against `/bin/true` in the same places.

A client reads its hooks when it starts, so each hook sources a file, and the model's side puts the line of another case
there before each answer: the cases take turns call by call in one session. Calls without any hook at a call are
measured in sessions of their own between them. A plugin starts no shell: there a link to a program is changed.
"""

import itertools
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bench.made import fill
from lessons.agents.hook_command import usable_interpreter
from lessons.agents.hook_event import AFTER_CALL, AFTER_FAILURE, BEFORE_CALL
from lessons.agents.table import AGENTS
from tests.e2e.codex.world import CodexWorld
from tests.e2e.rig.chat_world import CopilotWorld, QwenWorld
from tests.e2e.rig.clients import CLIENTS
from tests.e2e.rig.conversation import Conversation
from tests.e2e.rig.gemini_world import GeminiWorld
from tests.e2e.rig.opencode_world import OpencodeWorld
from tests.e2e.rig.script import Turn, say
from tests.e2e.rig.world import World

LESSONS = 1_000
ROUNDS = int(os.environ.get("ROUNDS", "2"))  # each one session with hooks and one without
CALLS_A_SESSION = int(os.environ.get("CALLS", "12"))
WARM_UP = 2  # calls of each case at the start of a session that do not count
NOTHING, TRUE, PYTHON, OURS = "no hook", "/bin/true", "python -I -S -c pass", "our hook"
WORLDS: tuple[type[World], ...] = (World, CodexWorld, CopilotWorld, GeminiWorld, QwenWorld, OpencodeWorld)
_AT_A_CALL = (BEFORE_CALL, AFTER_CALL, AFTER_FAILURE)
_NO_PLUGIN = "export const Nothing = async () => ({})\n"

Times = dict[str, list[float]]


class Switch:
    """Which case answers at the next call."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.current = folder, folder / "current"

    def place(self, case: str) -> Path:
        """The folder of a case, whose files the hooks use while it is the current one."""
        place = self._folder / case.replace("/", "-").replace(" ", "-")
        place.mkdir(parents=True, exist_ok=True)
        return place

    def to(self, case: str) -> None:
        new = self._folder / "new"
        os.symlink(self.place(case), new)
        os.replace(new, self.current)


def arrange(world: World, switch: Switch) -> tuple[str, str, list[str]]:
    """The client's file with switched hooks, the same without a hook at a call, and the cases."""
    if isinstance(world, OpencodeWorld):
        return _arrange_plugin(world, switch)
    python = usable_interpreter(sys.executable)
    events = [name for name, hook in AGENTS[world.agent].events.items() if hook.kind in _AT_A_CALL]
    document: dict[str, Any] = json.loads(world.hook_file.read_text("utf-8"))
    for event in events:
        for handler in (handler for group in document["hooks"].get(event, ()) for handler in group["hooks"]):
            lines = {TRUE: "exec /bin/true", PYTHON: f"exec {python} -I -S -c pass", OURS: handler["command"]}
            for case, line in lines.items():
                (switch.place(case) / event).write_text(line + "\n", encoding="utf-8")
            handler["command"] = f". '{switch.current}/{event}'"
    switched = json.dumps(document)
    for event in events:
        document["hooks"].pop(event, None)
    return switched, json.dumps(document), [TRUE, PYTHON, OURS]


def _arrange_plugin(world: World, switch: Switch) -> tuple[str, str, list[str]]:
    python = usable_interpreter(sys.executable)
    text = world.hook_file.read_text("utf-8")
    for case, program in ((TRUE, "/bin/true"), (OURS, python)):
        os.symlink(program, switch.place(case) / "python")
    return text.replace(f'"{python}"', f'"{switch.current}/python"'), _NO_PLUGIN, [TRUE, OURS]


def measure(world: World, folder: Path) -> Times:
    """Milliseconds between the model's answer and the client's next request, for every call of every case."""
    switch = Switch(folder / "switch")
    world.install()
    switched, without, cases = arrange(world, switch)
    times: Times = {name: [] for name in (NOTHING, *cases)}
    for number in range(ROUNDS):
        for text, kinds in ((switched, cases), (without, [NOTHING])):
            world.hook_file.write_text(text, encoding="utf-8")
            world.accept_hooks()
            order = kinds[number % len(kinds) :] + kinds[: number % len(kinds)]
            script = order * (CALLS_A_SESSION + WARM_UP)
            switch.to(cases[0])
            gaps = gaps_of(world.run("Run them all.", [*turns_of(world, switch, script), say("Done.")]))
            for name, gap in list(zip(script, gaps, strict=True))[WARM_UP * len(kinds) :]:
                times[name].append(gap)
            print(f"\r{world.agent}: round {number + 1} of {ROUNDS} ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return times


def turns_of(world: World, switch: Switch, script: list[str]) -> list[Turn]:
    """No call twice: a client may take repeated ones for a loop."""
    commands = (world.shell(f"true {number}") for number in range(len(script)))
    return [turn.after(partial(switch.to, case)) for turn, case in zip(commands, script, strict=True)]


def gaps_of(conversation: Conversation) -> list[float]:
    requests = conversation.requests
    return [(after.arrived - before.answered) * 1000 for before, after in itertools.pairwise(requests)]


def row(agent: str, times: Times) -> str:
    """What a case costs is its time less that of calls without a hook: the median, and the fastest quarter.

    On a busy machine the second is closer to what a hook itself takes.
    """
    medians = {case: statistics.median(found) for case, found in times.items()}
    quick = {case: statistics.quantiles(found, n=4)[0] for case, found in times.items()}

    def cost(case: str) -> str:
        if case not in times:
            return "-"
        return f"{medians[case] - medians[NOTHING]:.0f} / {quick[case] - quick[NOTHING]:.0f}"

    calls = min(len(found) for found in times.values())
    without = f"{medians[NOTHING]:.0f} / {quick[NOTHING]:.0f}"
    return f"| {agent} {CLIENTS[agent][1]} | {calls} | {without} | {cost(TRUE)} | {cost(PYTHON)} | {cost(OURS)} |"


def report(agents: Sequence[str] = ()) -> None:
    """Prints a row as soon as its client has been measured; of these agents, or of all."""
    print("\nMilliseconds of a shell call: median / fastest quarter; of hooks what they add to a call without any.")
    print("\n| client | calls of each | without hooks | `/bin/true` | `python -I -S -c pass` | our hook |")
    print("| --- | --- | --- | --- | --- | --- |")
    for kind in (kind for kind in WORLDS if not agents or kind.agent in agents):
        # What a session leaves running when it ends may still write there.
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            world = kind(Path(folder) / "world")
            fill(str(world.data), LESSONS)
            print(row(world.agent, measure(world, Path(folder))), flush=True)


if __name__ == "__main__":
    report(sys.argv[1:])
