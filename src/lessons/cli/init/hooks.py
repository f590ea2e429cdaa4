"""Offers to add the hook to the settings of each agent that was found, as a step of `lessons init`."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import click

from lessons.agents import installed
from lessons.agents.found import FoundAgent
from lessons.agents.installation import Request, install
from lessons.agents.table import DEFAULT_AGENT, places_of
from lessons.cli import render
from lessons.cli.candidate_text import short_path
from lessons.cli.home import data_home
from lessons.errors import LessonsError
from lessons.hook import bundle
from lessons.promote.publish.publish import publish

Tell = Callable[[str], None]


class Hook(NamedTuple):
    """Whether the agent has the hook now, and the message about it."""

    agent: str
    file: str
    installed: bool
    sentence: str


class May(NamedTuple):
    """What the user allows without being asked."""

    no_install: bool
    yes: bool
    foreign: bool  # the transcripts may come from another machine
    quiet: bool  # nobody can be asked


def sentence(found: FoundAgent) -> str:
    where = ", ".join(map(short_path, found.folders))
    return f"Found {found.title} ({where})."


def chosen(agents: Sequence[str], found: Sequence[FoundAgent]) -> list[str]:
    """Returns the agents to offer the hook for: those the user names, else those on this machine."""
    return [*agents] or [each.agent for each in found] or [DEFAULT_AGENT]


def offer(home: str, agent: str, found: Sequence[FoundAgent], may: May, tell: Tell) -> Hook:
    """Adds the hook if the user agrees; with --yes only if the agent is installed and its own transcripts are read."""
    file, title = installed.settings_file(agent), places_of(agent).TITLE
    shown = short_path(file)
    later = f"run `lessons install --agent {agent}` to add it"
    if other := installed.other_home(agent, file, home):
        return _of_other_home(home, agent, file, other, may, tell)
    if installed.has_hook(agent, file):
        return _reported(tell, Hook(agent, file, True, f"{shown} already has the hook."))
    if not any(each.agent == agent for each in found):
        why = f"{title} not found on this machine. Once it is installed, {later}."
    elif may.no_install:
        why = f"The hook was not added to {shown} (--no-install): {later}."
    elif may.yes and may.foreign:
        why = f"With --yes and --path {shown} is not changed: {later}."
    elif not may.yes and may.quiet:
        why = f"No terminal to ask on, so {shown} is not changed: {later}."
    elif may.yes or _agrees(shown, tell):
        return _reported(tell, _install(home, agent, file))
    else:
        return Hook(agent, file, False, f"The hook was not added to {shown}: {later}.")
    return _reported(tell, Hook(agent, file, False, why))


def _agrees(shown: str, tell: Tell) -> bool:
    # On a line of its own: the question and its answer fit beside each other on a narrow terminal.
    tell("The hook runs at each tool call. `lessons uninstall` removes it.")
    return click.confirm(f"Add the hook to {shown}?", default=True)


def _of_other_home(home: str, agent: str, file: str, other: str, may: May, tell: Tell) -> Hook:
    """Leaves the hook as it is without a question: somebody uses the other data home."""
    works = f"The hook in {short_path(file)} works on {short_path(other)}, so lessons of {short_path(home)} do not fire"
    why = f"{works}. Run `lessons install --agent {agent}` to change it."
    if may.no_install or may.yes or may.quiet:
        return _reported(tell, Hook(agent, file, False, why))
    tell(f"{works}.")
    if click.confirm(f"Change it to {short_path(home)}?", default=False):
        return _reported(tell, _install(home, agent, file))
    return Hook(agent, file, False, why)


def _reported(tell: Tell, hook: Hook) -> Hook:
    tell(hook.sentence)
    return hook


def _install(home: str, agent: str, file: str) -> Hook:
    """Adds the hook; reports a settings file that cannot be changed, and init continues."""
    data_home()
    try:
        render.warn(install(Request(agent, file), home, False, render.warn).report.warnings)
        bundle.refresh()
        publish(home)
    except LessonsError as refused:
        return Hook(agent, file, installed.has_hook(agent, file), str(refused))
    return Hook(agent, file, True, f"Added the hook to {short_path(file)}. It works in every new session.")
