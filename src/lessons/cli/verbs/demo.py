"""`lessons demo`: shows the hook at work in a temporary data home."""

import json
import os
import subprocess
import tempfile

import click

from lessons.agents.base import Heard
from lessons.agents.posix_shell import posix_shell
from lessons.agents.table import DEFAULT_AGENT, installer_of, places_of, replay_of
from lessons.cli import render
from lessons.hook import bundle
from lessons.promote import catalog

_PYTEST: dict[str, object] = {
    "summary": "Bare pytest waits for a terminal that an agent does not have",
    "problem": "In a session without a terminal a bare `pytest` waits for input when a test drops into the debugger.",
    "solution": "Run `python -m pytest -p no:faulthandler --no-header` and keep standard input closed.",
    "block": True,
    "blockReason": "A bare pytest hangs here. Rerun as: {command} --no-header -p no:faulthandler",
    "triggers": {"toolNames": ["Bash"], "commandPatterns": [r"pytest\b(?!.*--no-header)"]},
    "tags": ["tool:pytest", "severity:hang"],
    "examples": {"fires": ["pytest tests/"], "quiet": ["cat pytest.ini", "pip install pytest"]},
}
_STASH: dict[str, object] = {
    "summary": "git stash leaves untracked files behind",
    "problem": "`git stash` stashes tracked files only; new files stay in the work tree and get lost in what follows.",
    "solution": "Use `git stash -u` when there are new files, and look at `git status` first.",
    "triggers": {"commandPatterns": [r"git stash$"], "matchOn": "invocation"},
    "tags": ["tool:git", "severity:data-loss"],
}


@click.command("demo", short_help="See how it works in a few seconds")
def command() -> None:
    """See how it works in a few seconds. Runs in a temporary folder and changes none of your files."""
    # The demo must not depend on settings from outside.
    for name in [name for name in os.environ if name.startswith("LESSONS_")]:
        del os.environ[name]
    with tempfile.TemporaryDirectory(prefix="lessons-demo-") as folder:
        home = os.path.join(folder, "data")
        settings = os.path.join(folder, "settings.json")
        _title("1. Write two lessons")
        for document in (_PYTEST, _STASH):
            stored = catalog.add(home, document)
            click.echo(f"   {stored.record['slug']} ({catalog.describe(stored.record)})")
        _title("2. Add the hook to the agent's settings")
        installer = installer_of(DEFAULT_AGENT)
        installer.install(settings, home)
        bundle.refresh()
        commands = installer.installed_commands(settings)
        line = commands["PreToolUse"]
        click.echo(f"   {len(commands)} events, each one line of sh that always exits 0")
        _title("3. The agent is about to run:  pytest tests/")
        _show(_run(line, folder, "pytest tests/"))
        _title("4. A mention is not a call:  cat pytest.ini")
        _show(_run(line, folder, "cat pytest.ini"))
        _title("5. The agent runs:  git stash")
        _show(_run(line, folder, "git stash"))
        _title("6. The agent runs the same again:  git stash")
        _show(_run(line, folder, "git stash"))
    click.echo()
    click.echo(f"That was the real hook, run as {places_of(DEFAULT_AGENT).TITLE} runs it. Your turn:")
    click.echo("   lessons init            learn from what your agents did on this machine")
    click.echo("   lessons add --starter   start with common lessons")


def _run(line: str, folder: str, command_line: str) -> Heard:
    replay = replay_of(DEFAULT_AGENT)
    done = subprocess.run(
        [posix_shell(), "-c", line],
        input=json.dumps(replay.call_payload(command_line, "demo", folder)),
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": folder},
        timeout=30,
    )
    return replay.heard(done.stdout)


def _show(answer: Heard) -> None:
    if not answer.text:
        click.echo("   no lesson fires: the call runs unchanged")
        return
    heading = "DENIED, and the agent reads:" if answer.denied else "runs, and the agent reads with the result:"
    click.secho(f"   {heading}", fg="red" if answer.denied else "yellow")
    for text in answer.text.splitlines():
        render.say(f"     {text}")


def _title(text: str) -> None:
    click.echo()
    click.secho(text, bold=True)
