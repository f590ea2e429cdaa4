"""`lessons try`: a call in, what the hook would do at it out; nothing is remembered and nothing logged."""

import os
import sys
from typing import TYPE_CHECKING

import click

from lessons import paths
from lessons.agents.hook_event import AFTER_FAILURE, BEFORE_CALL, HookEvent
from lessons.agents.table import DEFAULT_AGENT, wire_of
from lessons.cli import render
from lessons.doctor import data
from lessons.errors import LessonsError
from lessons.hook.lookup import matching, number
from lessons.inject.decide import Decision, decide
from lessons.match.call import ToolCall, system_name
from lessons.promote.near_miss import NearMiss, near_misses
from lessons.store import lesson_file, manifest

if TYPE_CHECKING:
    from lessons.hook.lookup import Config, Match

_ACTING = {
    "hint": "The call runs, and the agent reads this with its result:",
    "stop": "The call is stopped once, and the agent reads why:",
    "block": "The call is blocked, and the agent reads why:",
}


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
        agent=DEFAULT_AGENT,
        cwd=os.path.abspath(cwd or os.getcwd()),
        error=error,
        operating_system=system_name(sys.platform),
        shell=os.path.basename(os.environ.get("SHELL", "")),
    )
    event = HookEvent(BEFORE_CALL if error is None else AFTER_FAILURE, call=call)
    home = paths.data_home()
    built = data.manifest_check(home)
    if not built.ok:
        render.warn([f"{built.detail} {built.fix}"])
    config, matches = matching(home, event.kind, call)
    misses = [] if matches else _near_misses(home, call)
    decision = _decided(call, config, matches)
    answer = decision.answer()
    document = {
        "decision": decision.kind,
        "lessons": [{"slug": lesson.slug, "why": why} for lesson, why in matches],
        "output": wire_of(DEFAULT_AGENT).render(event, answer) if answer else "",
        "nearMisses": [miss._asdict() for miss in misses],
    }

    def print_it() -> None:
        _print(decision, [lesson.slug for lesson, _ in matches], misses)
        if decision.kind == "shadow":
            _print_as_active(call, config, matches)

    render.emit(as_json, document, print_it)


def _decided(call: ToolCall, config: "Config", matches: "list[Match]") -> Decision:
    budget, most = number(config, "injectionBudgetBytes"), number(config, "maxLessonsPerInjection")
    return decide(call, matches, _FirstTime(), budget, most)


def _near_misses(home: str, call: ToolCall) -> list[NearMiss]:
    """Why nothing fires, as far as a lesson comes close."""
    try:
        entries = manifest.read(home)[1]
    except manifest.UnusableManifest:
        entries = {}
    try:
        resting = [lesson for lesson in lesson_file.read(home).lessons() if lesson.id not in entries]
    except LessonsError:  # the warning about the build has said so
        resting = []
    return near_misses(call, entries.values(), resting)


def _print(decision: Decision, slugs: list[str], misses: list[NearMiss]) -> None:
    shadow = f"{', '.join(slugs)} {'is' if len(slugs) == 1 else 'are'} in shadow"
    said = {
        "none": "Nothing: no lesson fires, the call runs as it is.",
        "shadow": f"Nothing yet: {shadow}, the match is only logged.",
        **_ACTING,
    }
    click.secho(render.printable(said[decision.kind]), bold=True)
    if decision.text:
        click.echo()
        render.say(decision.text)
    for miss in misses:
        render.say(f"Close: {miss.slug}: {miss.detail}")
    if slugs and decision.kind != "shadow":
        click.echo()
        render.say(f"lessons that fire: {', '.join(slugs)}")


def _print_as_active(call: ToolCall, config: "Config", matches: "list[Match]") -> None:
    """What would happen if the lessons in shadow were not."""
    for lesson, _ in matches:
        lesson.shadow = False
    decision = _decided(call, config, matches)
    slug = matches[0][0].slug
    render.say(f"After `lessons edit {slug} --stage active` it acts: {_ACTING[decision.kind]}\n\n{decision.text}")
