"""`lessons try`: shows what the hook would do at a call. Nothing is stored or logged."""

import os
import re
import shlex
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from lessons import paths
from lessons.agents.hook_event import AFTER_FAILURE, BEFORE_CALL, Answer, HookEvent
from lessons.agents.table import AGENTS, DEFAULT_AGENT, wire_of
from lessons.cli import render
from lessons.cli.verbs.listing import feature_in_words
from lessons.doctor.checks import SET_UP, manifest_check
from lessons.hook.lookup import matching
from lessons.hook.memory import is_on, look_up, misplaced_in
from lessons.inject.decide import Decision, decide
from lessons.inject.notes import memory_name, text_of
from lessons.match.call import ToolCall, system_name
from lessons.promote.near_miss import NearMiss, near_misses, published, resting
from lessons.settings import number
from lessons.store import passes

if TYPE_CHECKING:
    from lessons.hook.lookup import Config, Match

_NEEDS_QUOTES = re.compile(r"[\s'\"\\$`()]")
_ACTING = {
    "hint": "The call runs, and the agent reads this with its result:",
    "stop": "The call is stopped once, and the agent reads why:",
    "block": "The call is blocked, and the agent reads why:",
}


class _CommandLast(click.Command):
    """Takes the command unquoted: its words and options may be mixed with the options of `try`."""

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        own = [option for option in self.params if isinstance(option, click.Option)]
        takes_value = {name: not option.is_flag for option in own for name in option.opts} | {"--help": False}
        return super().parse_args(context, _command_last(arguments, takes_value))


def _command_last(arguments: list[str], takes_value: dict[str, bool]) -> list[str]:
    """Returns the options of `try`, then the command as one argument."""
    options: list[str] = []
    words: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        name, equals, _ = argument.partition("=")
        if argument == "--":
            words += rest
        elif name in takes_value or (argument.startswith("-") and len(argument) > 1 and not words):
            options.append(argument)
            if takes_value.get(name) and not equals:
                if (value := next(rest, None)) is None:
                    return options  # click reports the missing value
                options.append(value)
        else:
            words.append(argument)
    if len(words) > 1 and not any(character.isspace() for character in words[0]):
        # Words are quoted for a shell; operators and globs stay unchanged.
        words = [" ".join(shlex.quote(word) if not word or _NEEDS_QUOTES.search(word) else word for word in words)]
    return [*options, "--", *words]


class _FirstTime:
    """A context in which no lesson has been shown yet; muted lessons were removed before."""

    def is_muted(self, slug: str) -> bool:
        return False

    has_pass = use_pass = has = is_muted

    def claim(self, slug: str, priority: int) -> bool:
        return True

    stops = withhold = claim


class _Recall(NamedTuple):
    """What memory would say."""

    text: str
    why: str
    in_words: str
    name: str = ""  # of what is remembered; what the disk says has none
    calls: Sequence[str] = ()  # failed calls that it rests on


@click.command("try", cls=_CommandLast, short_help="Show what the hook would do at a call")
@click.argument("command_line", metavar="COMMAND...", default="")
@click.option("--agent", type=click.Choice([*AGENTS]), default=DEFAULT_AGENT, show_default=True, help="Which agent.")
@click.option("--tool", default="Bash", show_default=True, help="The tool; names of any agent work.")
@click.option("--path", help="The file that the tool reads or writes.")
@click.option("--content", help="What the tool would write.")
@click.option("--error", help="The error text of a failed call.")
@click.option("--cwd", default=None, help="The folder of the call.  [default: this one]")
@render.json_option
def command(
    command_line: str, agent: str, tool: str, path: str | None, content: str | None, error: str | None, cwd: str | None
) -> None:
    """Show what the hook would do at a call in a new session. Nothing is logged.

    For example  lessons try git push --force  or, quoted,  lessons try 'cd app && pytest'. Words that are not options
    of `try` belong to the command, and so does everything after --.
    """
    arguments = {"command": command_line or None, "file_path": path, "content": content}
    given = {key: value for key, value in arguments.items() if value is not None}
    if not given and tool == "Bash" and error is None:
        raise click.UsageError("Give a command, or --tool with --path.")
    call = ToolCall(
        tool,
        given,
        agent=agent,
        cwd=os.path.abspath(cwd or os.getcwd()),
        error=error,
        operating_system=system_name(sys.platform),
        shell=os.path.basename(os.environ.get("SHELL", "")),
    )
    kind = BEFORE_CALL if error is None else AFTER_FAILURE
    event_name = next((name for name, hook in AGENTS[agent].events.items() if hook.kind == kind), kind)
    event = HookEvent(kind, event_name, agent=agent, call=call)
    home = paths.data_home()
    built = manifest_check(home, thorough=False)
    if not built.ok:
        render.warn([f"No lessons yet. {SET_UP}" if built.fix == SET_UP else f"Manifest {built.detail} {built.fix}"])
    config, matches = matching(home, event.kind, call)
    misses = [] if matches else near_misses(call, published(home).values(), resting(home))
    mutes = passes.muted(home, time.time())
    muted = {lesson.slug: mutes[lesson.slug] for lesson, _ in matches if lesson.slug in mutes}
    matches = [match for match in matches if match[0].slug not in muted]
    decision = _decided(call, config, matches)
    recall = None if any(not lesson.shadow for lesson, _ in matches) else _recalled(home, config, call)
    if recall and recall.name in mutes:
        muted, recall = {**muted, recall.name: mutes[recall.name]}, None
    answer = Answer(context=recall.text) if recall else decision.answer()
    document = {
        "decision": "hint" if recall else decision.kind,
        "lessons": [{"slug": lesson.slug, "why": why, "shadow": lesson.shadow} for lesson, why in matches],
        "muted": [{"slug": slug, "until": until} for slug, until in muted.items()],
        "output": wire_of(agent).render(event, answer) if answer else "",
        "nearMisses": [miss._asdict() for miss in misses],
        "memory": recall and {"name": recall.name or None, "toolUseIds": recall.calls, "why": recall.why},
    }

    def print_all() -> None:
        if recall:
            _print_recall(recall)
        else:
            _print(decision, matches, misses)
        if decision.kind == "shadow":
            for lesson, _ in matches:
                lesson.shadow = False
            then = _decided(call, config, matches)
            activate = f"lessons edit {matches[0][0].slug} --stage active"
            render.say(f"After `{activate}`: {_ACTING[then.kind]}\n\n{then.text}")
        for slug, until in muted.items():
            render.say(f"{render.muted(until).capitalize()}: {slug}. `lessons unmute {slug}` ends it.")

    render.emit(document, print_all)


def _decided(call: ToolCall, config: "Config", matches: "list[Match]") -> Decision:
    budget, most = number(config, "injectionBudgetBytes"), number(config, "maxLessonsPerInjection")
    return decide(call, matches, _FirstTime(), budget, most)


def _recalled(home: str, config: "Config", call: ToolCall) -> _Recall | None:
    """Returns what memory would say; nothing if it is off."""
    if not is_on(config, call):
        return None
    place = misplaced_in(call) if call.error is None else None
    if place and place.words():
        return _Recall(place.words(), "path", "the path, as it is on the disk now")
    found = look_up(home, call)
    if found is None:
        return None
    if found.feature:
        why = found.feature
        calls = f"{found.failed:,} of {found.failed + found.worked:,} calls"
        words = f"{calls} with {feature_in_words(why)} failed"
    else:
        why = f"words of the error ({found.score:.2f})"
        words = "the words of the error are like those of an earlier one"
    text = text_of(found, is_error=call.error is not None)
    return _Recall(text, why, words, memory_name(found.failure.key), found.failure.identifiers)


def _print_recall(recall: _Recall) -> None:
    click.secho("No lesson fires. The call runs, and memory adds this to its result:\n", bold=True)
    render.say(recall.text)
    render.say(f"\nWhy: {recall.in_words}.")
    if recall.name:
        render.say(f"To silence it:         lessons mute --memory {recall.name}")
        render.say(f"To make it a lesson:   lessons add --from-memory {recall.name}")


def _print(decision: Decision, matches: "list[Match]", misses: list[NearMiss]) -> None:
    slugs = [lesson.slug for lesson, _ in matches]
    headlines = {
        "none": "No lesson fires. The call runs unchanged.",
        "shadow": f"The match is only logged: {', '.join(slugs)} {'is' if len(slugs) == 1 else 'are'} in shadow.",
        **_ACTING,
    }
    click.secho(render.printable(headlines[decision.kind]), bold=True)
    if decision.text:
        render.say(f"\n{decision.text}")
    for miss in misses:
        render.say(f"Near miss: {miss.slug}: {miss.detail}")
    if slugs and decision.kind != "shadow":
        named = (f"{lesson.slug} (shadow)" if lesson.shadow else lesson.slug for lesson, _ in matches)
        render.say(f"\nLessons that fire: {', '.join(named)}")
