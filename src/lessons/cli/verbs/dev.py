"""`lessons dev`: what programs and curious people call: build, back-test, replay, completion, demo, MCP server."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec

import click
from click.shell_completion import CompletionItem, get_completion_class, shell_complete

from lessons.agents.hook_command import posix_shell
from lessons.agents.table import AGENTS, DEFAULT_AGENT, installer_of
from lessons.agents.trial import call_payload, heard
from lessons.cli import render
from lessons.cli.main import VERBS, place_of
from lessons.cli.options import Noun, cwd_option, data_home, folder_of, noun
from lessons.errors import Refused
from lessons.hook import bundle
from lessons.promote import catalog
from lessons.promote.publish.build import publish
from lessons.scan.run import Options, run

_ELSEWHERE = {"promote": "promote:command", "backtest": "backtest:command", "replay": "backtest:replay_command"}


@noun("dev", "Build, promote, back-test, replay, demo, MCP server", _ELSEWHERE)
def command() -> None:
    """Build, promote, back-test, replay, demo, MCP server: what programs, shells and curious people call."""
    context = click.get_current_context()
    click.echo(context.get_help())


@command.command("build", short_help="Compile the lessons for the hook")
@click.option("--quiet", is_flag=True, help="Print nothing unless something is wrong.")
@render.json_option
def build(quiet: bool) -> None:
    """Compile the lessons for the hook.

    Adding, editing and retiring a lesson do this too, and so does a new session. Run it after editing lessons.json by
    hand. Lessons that cannot be used are listed with the reason; the others still work.
    """
    report = publish(data_home())
    bundle.refresh()
    document = {
        "included": report.included,
        "excluded": [{"slug": each.slug, "reason": each.reason} for each in report.excluded],
        "warnings": report.warnings,
        "generatedAt": report.generated_at,
    }
    lines = [f"{report.included} lessons compiled for the hook."]
    lines += [f"left out: {each.slug}: {each.reason}" for each in report.excluded]
    if not render.is_json():
        render.warn(report.warnings)
    render.emit(document, lambda: None if quiet else render.say("\n".join(lines)))


SHELLS = ("bash", "zsh", "fish")
_VARIABLE = "_LESSONS_COMPLETE"


class _EveryVerb(Noun):
    """Every verb under one command, as completion needs it; imports only the verb that is completed."""

    elsewhere: Mapping[str, str] = {verb: place_of(verb) for verb in VERBS if verb != "hook"}

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(verb, help=VERBS[verb]) for verb in self.elsewhere if verb.startswith(incomplete)]


def complete() -> int:
    """Answers the completion script, which calls `lessons` with a variable that says what to complete."""
    return shell_complete(_EveryVerb("lessons"), {}, "lessons", _VARIABLE, os.environ[_VARIABLE])


@command.command("completion", short_help="Print the completion script for your shell")
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the completion script for your shell.

    \b
    bash:  lessons completion bash \\
             > ~/.local/share/bash-completion/completions/lessons
    zsh:   lessons completion zsh > a folder of $fpath, as _lessons
    fish:  lessons completion fish > ~/.config/fish/completions/lessons.fish
    """
    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(_EveryVerb("lessons"), {}, "lessons", _VARIABLE).source())


_STASH: dict[str, object] = {
    "summary": "git stash leaves untracked files behind",
    "problem": "`git stash` stashes tracked files only; new files stay in the work tree and get lost in what follows.",
    "solution": "Use `git stash -u` when there are new files, and look at `git status` first.",
    "triggers": {"commandPatterns": [r"git stash$"], "matchOn": "invocation"},
    "tags": ["tool:git", "severity:data-loss"],
}
_FORCE: dict[str, object] = {
    "summary": "Never force-push over what others pushed",
    "problem": "`git push --force` deletes commits that somebody else pushed meanwhile.",
    "solution": "Use `git push --force-with-lease`, which refuses in that case.",
    "block": True,
    "blockReason": "This deletes what others pushed meanwhile. Use: git push --force-with-lease",
    "triggers": {"commandPatterns": [r"git push (?:\S+ )*--force(?: |$)"], "matchOn": "invocation"},
    "tags": ["tool:git", "severity:data-loss"],
}
_CALLS = (
    ("3. The agent is about to run", "git push --force origin main"),
    ("4. A mention is not a call", "grep -rn 'git push --force' docs/"),
    ("5. The agent runs", "git stash"),
    ("6. It runs the same again: a lesson is shown once a session", "git stash"),
    ("7. No lesson, but earlier sessions failed at this", "gh pr diff 12 --stat"),
)
_FAILED = ("gh pr diff 7 --stat", "Exit code 1\nunknown flag: --stat")
_WORKED = ("gh pr diff 7 --name-only", "")


@command.command("demo", short_help="See how it works in a few seconds")
def demo() -> None:
    """See how it works in a few seconds. Runs in a temporary folder and changes none of your files."""
    # The demo must not depend on settings from outside.
    for name in [name for name in os.environ if name.startswith("LESSONS_")]:
        del os.environ[name]
    with tempfile.TemporaryDirectory(prefix="lessons-demo-") as folder:
        home = os.path.join(folder, "data")
        settings = os.path.join(folder, "settings.json")
        click.secho("\n1. Write two lessons", bold=True)
        for document in (_FORCE, _STASH):
            stored = catalog.add(home, document)
            click.echo(f"   {stored.record['slug']} ({catalog.describe(stored.record)})")
        click.secho("\n2. Add the hook to the agent's settings", bold=True)
        installer = installer_of(DEFAULT_AGENT)
        installer.install(settings, home)
        bundle.refresh()
        _remember(home, folder)
        commands = installer.installed_commands(settings)
        click.echo(f"   {len(commands)} events, each one line of sh that always exits 0")
        for title, command_line in _CALLS:
            click.secho(f"\n{title}:  {command_line}", bold=True)
            _run_hook(commands["PreToolUse"], folder, command_line)
    click.echo()
    click.echo(f"That was the real hook, run as {AGENTS[DEFAULT_AGENT].title} runs it. Your turn:")
    click.echo("   lessons init            learn from what your agents did on this machine")
    click.echo("   lessons add --starter   start with common lessons")


def _remember(home: str, folder: str) -> None:
    """Reads two earlier sessions with the same mistake."""
    for day in (3, 2):
        began = datetime.now(UTC) - timedelta(days=day)
        records: list[dict[str, object]] = []
        for number, (command_line, error) in enumerate((_FAILED, _WORKED)):
            use = {"type": "tool_use", "id": f"{day}-{number}", "name": "Bash", "input": {"command": command_line}}
            result = {"type": "tool_result", "tool_use_id": use["id"], "content": error, "is_error": bool(error)}
            for role, content in (("assistant", use), ("user", result)):
                message = {"role": role, "content": [content]}
                records.append({"type": role, "uuid": f"{day}-{len(records)}", "cwd": folder, "message": message})
        with open(os.path.join(folder, f"{day}.jsonl"), "w", encoding="utf-8") as file:
            for seconds, each in enumerate(records):
                moment = f"{began + timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%S.000Z}"
                file.write(json.dumps({**each, "sessionId": f"session-{day}", "timestamp": moment}) + "\n")
    run(home, Options([folder]))


def _run_hook(line: str, folder: str, command_line: str) -> None:
    """Runs the hook on a call, and prints what the agent reads."""
    done = subprocess.run(
        [posix_shell(), "-c", line],
        input=json.dumps(call_payload(command_line, "demo", folder)),
        capture_output=True,
        text=True,
        env={**os.environ, "TMPDIR": folder},
        timeout=30,
    )
    answer = heard(done.stdout)
    if not answer.text:
        click.echo("   no lesson fires: the call runs unchanged")
        return
    heading = "DENIED, and the agent reads:" if answer.denied else "runs, and the agent reads with the result:"
    click.secho(f"   {heading}", fg="red" if answer.denied else "yellow")
    for text in answer.text.splitlines():
        render.say(f"     {text}")


@command.command("mcp", short_help="Serve lessons to an agent over MCP")
@cwd_option
@render.json_option
def mcp(cwd: str | None) -> None:
    """Serve lessons to an agent over MCP, on stdin and stdout; agents run this.

    An agent can then search lessons and earlier calls, ask why a lesson exists, and report a lesson, which becomes a
    candidate for you to review. To add it, for example: claude mcp add lessons -- lessons mcp

    It needs the extra: pip install 'lessons[mcp]'. With --json it only prints its command, tools and resources.
    """
    try:
        is_installed = find_spec("mcp") is not None
    except ValueError:  # a module without a spec has this name
        is_installed = False
    if render.is_json():
        from lessons.mcp.tools import RESOURCES, TOOLS

        document = {
            "command": os.path.abspath(sys.executable),
            "args": ["-m", "lessons", "mcp"],
            "installed": is_installed,
            "tools": [tool.__name__ for tool in TOOLS],
            "resources": [*RESOURCES],
        }
        render.emit(document)
        return
    if not is_installed:
        raise Refused("The MCP server needs the extra `mcp`: run `pip install 'lessons[mcp]'`.")
    from lessons.mcp.server import serve

    serve(data_home(), folder_of(cwd))
