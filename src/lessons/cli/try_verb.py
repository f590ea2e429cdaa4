"""`lessons try`: a call in, what the hook would do at it out; nothing is remembered and nothing logged."""

import os
import sys

import click

from lessons import paths
from lessons.agents.claude_code.wire import AGENT
from lessons.cli import doctor_data, render
from lessons.hook.act import rendered
from lessons.hook.lookup import matching, number
from lessons.hook.pre_tool_use import EVENT
from lessons.hook.tool_failure import EVENT as FAILURE
from lessons.inject.decide import Decision, decide
from lessons.match.call import ToolCall, system_name


class _FirstTime:
    """The memory of a context that has seen nothing, in a house where nothing is muted."""

    def is_muted(self, slug: str) -> bool:
        return False

    def has_pass(self, slug: str) -> bool:
        return False

    def use_pass(self, slug: str) -> bool:
        return False

    def stops(self, slug: str, priority: int) -> bool:
        return True

    def has(self, slug: str) -> bool:
        return False

    def claim(self, slug: str, priority: int) -> bool:
        return True


@click.command("try", short_help="Show what would happen at a call")
@click.argument("command_line", metavar="COMMAND", default="")
@click.option("--tool", default="Bash", show_default=True, help="The tool, by any agent's name for it.")
@click.option("--path", help="The file that the tool reads or writes.")
@click.option("--content", help="What the tool would write.")
@click.option("--error", help="The call has failed with this text.")
@click.option("--cwd", default=None, help="The folder of the call.  [default: this one]")
@render.json_option
def command(
    command_line: str,
    tool: str,
    path: str | None,
    content: str | None,
    error: str | None,
    cwd: str | None,
    as_json: bool,
) -> None:
    """Show what would happen at a call of a fresh session: for example  lessons try 'git push --force'"""
    arguments = {"command": command_line or None, "file_path": path, "content": content}
    given = {key: value for key, value in arguments.items() if value is not None}
    if not given and tool == "Bash" and error is None:
        raise click.UsageError("Give the command, or --tool with --path.")
    call = ToolCall(
        tool,
        given,
        agent=AGENT,
        cwd=os.path.abspath(cwd or os.getcwd()),
        error=error,
        operating_system=system_name(sys.platform),
        shell=os.path.basename(os.environ.get("SHELL", "")),
    )
    event = EVENT if error is None else FAILURE
    home = paths.data_home()
    built = doctor_data.manifest_check(home)
    if not built.ok:
        render.warn([f"{built.detail} {built.fix}"])
    config, matches = matching(home, event, call)
    budget, most = number(config, "injectionBudgetBytes"), number(config, "maxLessonsPerInjection")
    decision = decide(call, matches, _FirstTime(), budget, most)
    output = rendered(decision, event)
    document = {
        "decision": decision.kind,
        "lessons": [{"slug": lesson.slug, "why": why} for lesson, why in matches],
        "output": output or "",
    }
    render.emit(as_json, document, lambda: _print(decision, [lesson.slug for lesson, _ in matches]))


def _print(decision: Decision, slugs: list[str]) -> None:
    said = {
        "none": "Nothing: no lesson fires, the call runs as it is.",
        "shadow": f"Nothing yet: {', '.join(slugs)} is in shadow, the match is only logged.",
        "hint": "The call runs, and the agent reads this with its result:",
        "stop": "The call is stopped once, and the agent reads why:",
        "block": "The call is blocked, and the agent reads why:",
    }
    click.secho(render.printable(said[decision.kind]), bold=True)
    if decision.text:
        click.echo()
        render.say(decision.text)
    if slugs and decision.kind != "shadow":
        click.echo()
        render.say(f"lessons that fire: {', '.join(slugs)}")
