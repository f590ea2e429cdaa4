"""What `lessons init` switches on: one screen that names all of it, and the change to each settings file on request."""

from collections.abc import Sequence
from typing import NamedTuple

import click

from lessons import config
from lessons.agents.found import FoundAgent, has_hook, other_home
from lessons.agents.install import Request, install
from lessons.agents.places import settings_file
from lessons.agents.table import AGENTS
from lessons.cli import render
from lessons.cli.candidate_text import short_path
from lessons.cli.options import data_home
from lessons.cli.terminal import ask_key, single_keys
from lessons.errors import LessonsError
from lessons.hook import bundle
from lessons.inject.notes import question
from lessons.promote.publish.build import publish
from lessons.store import settings as stored_settings

_RECOVERY = ("gh pr diff 7 --stat", "unknown flag: --stat", "gh pr diff 7 --name-only")  # an example
PROTOCOL = (
    "When a call has failed and a later one shows the fix, the agent is asked for a note (a `#lesson` tag), at most"
    " three times a session. Nothing is used before you have reviewed it."
)
_PARTS = {
    "memory": "says if a call failed before, and which call worked then",
    "notes": "asks the agent for a note after a recovery, at most 3 a session",
    "handoff": "saves what a session was doing, and restores it after compaction",
}
_KEYS = "[y]es  [c]hoose  [d]: show the change  [n]o  > "
_WIDTH_OF_NAME = 9


class Hook(NamedTuple):
    """Whether the agent has the hook now, and the message about it."""

    agent: str
    file: str
    installed: bool
    sentence: str


class Asked(NamedTuple):
    """How far `init` may go without a question."""

    no_install: bool
    yes: bool
    has_folders: bool  # the transcripts may come from another machine
    is_quiet: bool  # nobody can answer


def switch_on(home: str, agents: Sequence[str], found: Sequence[FoundAgent], asked: Asked) -> list[Hook]:
    """Adds the hook where the user agrees, with `yes` only where the agent's own transcripts are read."""
    hooks = [_examined(home, agent, found, asked) for agent in agents]
    for hook in hooks:
        if not render.is_json() and hook.sentence:
            render.put(hook.sentence)
    missing = [hook for hook in hooks if not hook.sentence]
    asks_for_notes = not (asked.yes or asked.is_quiet) and "lessonProtocol" not in config.read_document(home)
    chosen, notes = {hook.agent for hook in missing}, True
    if not asked.yes and missing:
        chosen, notes = _chosen(home, missing, asks_for_notes)
    elif asks_for_notes and any(hook.installed for hook in hooks):
        notes = _confirm_notes()
    else:
        asks_for_notes = False
    done = [hook if hook.sentence else _added(home, hook, hook.agent in chosen) for hook in hooks]
    if asks_for_notes and any(hook.installed for hook in done):
        stored_settings.set_value(home, "lessonProtocol", "recovery" if notes else "false")
    return done


def _examined(home: str, agent: str, found: Sequence[FoundAgent], asked: Asked) -> Hook:
    """Returns the hook as it is, with why nobody is asked about it; without a sentence somebody is.

    A hook that works on another data home is left without a question: somebody uses that one.
    """
    file = settings_file(agent)
    shown, later = short_path(file), f"run `lessons install --agent {agent}`"
    is_installed, why = has_hook(agent, file), ""
    if other := other_home(agent, file, home):
        is_installed = False
        works = f"The hook in {shown} works on {short_path(other)}, so lessons of {short_path(home)} do not fire."
        why = f"{works} To change that, {later}."
    elif is_installed:
        why = f"{shown} already has the hook."
    elif not any(each.agent == agent for each in found):
        why = f"{AGENTS[agent].title} not found on this machine. Once it is installed, {later}."
    elif asked.no_install:
        why = f"The hook was not added to {shown} (--no-install): {later} to add it."
    elif asked.yes and asked.has_folders:
        why = f"With --yes and --path {shown} is not changed: {later} to add the hook."
    elif asked.is_quiet and not asked.yes:
        why = f"No terminal to ask on, so {shown} is not changed: {later} to add the hook."
    return Hook(agent, file, is_installed, why)


def _chosen(home: str, missing: Sequence[Hook], asks_for_notes: bool) -> tuple[set[str], bool]:
    """Shows everything that would be switched on; returns the agents whose settings may be changed, and the notes."""
    parts = [name for name in _PARTS if name != "notes" or asks_for_notes]
    click.echo("\nIn every new session this would be on:")
    for hook in missing:
        render.put(f"runs at each tool call ({short_path(hook.file)})", 2, label=f"{'hook':<{_WIDTH_OF_NAME}}")
    for name in parts:
        render.put(_PARTS[name], 2, label=f"{name:<{_WIDTH_OF_NAME}}")
    render.put("`lessons uninstall` removes it and leaves your settings as they were.")
    with single_keys():
        while (key := ask_key(_KEYS, "ycdnq")) == "d":
            _show_changes(home, missing)
    if key != "c":
        return ({hook.agent for hook in missing} if key == "y" else set()), True
    chosen = {
        each.agent for each in missing if click.confirm(f"Add the hook to {short_path(each.file)}?", default=True)
    }
    if chosen and not click.confirm("Memory: recall what failed before?", default=True):
        stored_settings.set_value(_created(home), "memory", "false")
    return chosen, _confirm_notes() if chosen and asks_for_notes else True


def _confirm_notes() -> bool:
    """Shows the question that the agent is asked, with an example."""
    render.put(f"{PROTOCOL} It is asked like this:")
    for line in question("Bash", *_RECOVERY).splitlines():
        render.put(line, 4)
    return click.confirm("Ask agents for such notes?", default=True)


def _show_changes(home: str, hooks: Sequence[Hook]) -> None:
    """Prints what an install would change."""
    lines: list[str] = []
    for hook in hooks:
        try:
            report = install(Request(hook.agent, hook.file, dry_run=True), home, False, lambda texts: None).report
            lines += report.diff.splitlines()
        except LessonsError as refused:
            lines.append(str(refused))
    click.echo_via_pager(render.printable("\n".join(lines)))


def _created(home: str) -> str:
    """Creates the data home: an init that is left at its first question leaves nothing behind."""
    data_home()
    return home


def _added(home: str, hook: Hook, is_chosen: bool) -> Hook:
    """Adds the hook; reports a settings file that cannot be changed, and init continues."""
    shown = short_path(hook.file)
    if is_chosen:
        _created(home)
        try:
            report = install(Request(hook.agent, hook.file), home, False, render.warn).report
            render.warn(report.warnings)
            bundle.refresh()
            publish(home)
            step = " ".join(report.next_steps) or "It works in every new session."
            hook = hook._replace(installed=True, sentence=f"Added the hook to {shown}. {step}")
        except LessonsError as refused:
            hook = hook._replace(installed=has_hook(hook.agent, hook.file), sentence=str(refused))
    else:
        later = f"run `lessons install --agent {hook.agent}` to add it"
        hook = hook._replace(sentence=f"The hook was not added to {shown}: {later}.")
    if not render.is_json():
        render.put(hook.sentence)
    return hook
