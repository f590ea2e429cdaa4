"""Pipes in place of every file of every agent: nobody writes to them, and no verb waits for that."""

import os
import subprocess
from itertools import chain
from pathlib import Path

from lessons.agents.table import AGENTS
from tests.builders.transcript import Session
from tests.cli.command_line import LESSONS, CommandLine
from tests.flows.watching import watching

PIPES = {
    "claude-code": [".claude/projects/-x/s1.jsonl", ".claude/settings.json", ".claude.json"],
    "codex": [
        *(".codex/sessions/2026/09/01/rollout-1.jsonl", ".codex/sessions/2026/09/01/rollout-2.jsonl.zst"),
        *(".codex/hooks.json", ".codex/config.toml"),
    ],
    "copilot-cli": [
        *(".copilot/session-state/s1/events.jsonl", ".copilot/config.json", ".copilot/settings.json"),
        ".copilot/hooks/lessons.json",
    ],
    "gemini-cli": [
        *(".gemini/tmp/p/chats/session-1.json", ".gemini/tmp/p/chats/session-2.jsonl", ".gemini/tmp/p/.project_root"),
        *(".gemini/settings.json", ".gemini/projects.json"),
    ],
    "opencode": [
        *(".local/share/opencode/opencode.db", ".local/share/opencode/opencode-x.db"),
        *(".config/opencode/opencode.json", ".config/opencode/plugins/lessons.js"),
    ],
    "qwen-code": [".qwen/projects/-x/chats/s1.jsonl", ".qwen/settings.json"],
    "cursor": [".cursor/hooks.json", ".cursor/projects/x/s1.jsonl"],
}
SECONDS = 60


def make_pipes(folder: Path) -> None:
    for name in chain.from_iterable(PIPES.values()):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(folder / name)


def ends(lessons: CommandLine, *arguments: str) -> str:
    """What it prints, in time."""
    ended = subprocess.run(
        [LESSONS, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=lessons.work,
        env=lessons.environment(),
        timeout=SECONDS,
    )
    assert ended.returncode in (0, 1), (arguments, ended)
    assert "Traceback" not in ended.stderr, (arguments, ended)
    return ended.stdout


def test_no_verb_waits_for_a_pipe(lessons: CommandLine) -> None:
    assert PIPES.keys() == AGENTS.keys()
    make_pipes(lessons.person)
    root = lessons.person / ".claude" / "projects"
    session = Session("readable")
    session.result(session.call("Bash", {"command": "ls"}), "a.py")
    session.write(root)

    assert '"total":1,' in ends(lessons, "scan", "--json").replace(" ", "")
    for agent, (transcript, *_) in PIPES.items():
        ends(lessons, "handoff", "save", "--transcript", str(lessons.person / transcript))
        ends(lessons, "install", "--agent", agent)
        ends(lessons, "uninstall", "--agent", agent)
    ends(lessons, "handoff", "save")
    assert '"checks"' in ends(lessons, "doctor", "--json")


def test_a_watcher_reads_beside_pipes_and_obeys(lessons: CommandLine, tmp_path: Path) -> None:
    """The folders of all agents are one here: any of their readers could open any of the files."""
    root = tmp_path / "root"
    make_pipes(root)
    session = Session("readable")
    session.result(session.call("Bash", {"command": "ls"}), "a.py")
    session.write(root)
    with watching(lessons, root, lessons.home) as watcher:
        watcher.until(lambda: any(event.get("callsStored") for event in watcher.events()), "the call")
        watcher.stop()
    assert watcher.process.returncode == 0
    assert watcher.events()[-1]["event"] == "stopped"
