"""The steps of `lessons init`; each returns what was done."""

from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

import click

from lessons.agents import installed
from lessons.agents.table import installer_of, places_of
from lessons.capture.coverage import Coverage
from lessons.capture.run import Options, run
from lessons.cli import render
from lessons.cli.init import starter
from lessons.cli.init.agents import Agent
from lessons.cli.replay_progress import watching as replaying
from lessons.cli.review.screen import short_path
from lessons.cli.review.walk import Walk
from lessons.cli.scan_progress import watching
from lessons.config import Config
from lessons.errors import Busy, LessonsError, NotFound
from lessons.hook import bundle
from lessons.promote.first_lessons import (
    BEST,
    STARTERS_FIRST,
    FirstLesson,
    promote_best,
    right_as_they_stand,
    take_starters,
    taken_before,
)
from lessons.promote.publish.publish import publish
from lessons.promote.queue.queue import export
from lessons.promote.review.case import Case
from lessons.promote.review.cases import number_waiting, waiting
from lessons.promote.starter_matches import StarterMatches, starter_matches
from lessons.replay.headline import headline_for
from lessons.store import lesson_file
from lessons.store.history.history import History

Tell = Callable[[str], None]
MOST_SECONDS = 10.0  # for the sentence at the end


class Hook(NamedTuple):
    """Whether the settings have the hook now, and the message about it."""

    file: str
    installed: bool
    sentence: str


def hook(
    home: str, agent: str, agents: list[Agent], no_install: bool, yes: bool, foreign: bool, quiet: bool, tell: Tell
) -> Hook:
    """Add the hook if the person agrees; with --yes only if the agent is installed and its own transcripts are read."""
    file, title = installed.settings_file(agent), places_of(agent).TITLE
    shown = short_path(file)
    later = f"run `lessons install --agent {agent}` to add it"
    if installed.has_hook(agent, file):
        return _told(tell, Hook(file, True, f"{shown} already has the hook."))
    if not any(each.name == title for each in agents):
        return _told(tell, Hook(file, False, f"{title} not found on this machine. Once it is installed, {later}."))
    if no_install:
        return _told(tell, Hook(file, False, f"The hook was not added to {shown} (--no-install): {later}."))
    if yes and foreign:
        return _told(tell, Hook(file, False, f"With --yes and --path {shown} is not changed: {later}."))
    if not yes and quiet:
        return _told(tell, Hook(file, False, f"No terminal to ask on, so {shown} is not changed: {later}."))
    if not yes and not click.confirm(f"Add the hook to {shown}? (`lessons uninstall` removes it)", default=True):
        return Hook(file, False, f"The hook was not added to {shown}: {later}.")
    return _told(tell, _install(home, agent, file))


def _told(tell: Tell, hook: Hook) -> Hook:
    tell(hook.sentence)
    return hook


def _install(home: str, agent: str, file: str) -> Hook:
    """Add the hook; a settings file that cannot be changed is reported, and init continues."""
    try:
        render.warn(installer_of(agent).install(file, home).warnings)
        bundle.refresh()
        publish(home)
    except LessonsError as refused:
        return Hook(file, installed.has_hook(agent, file), str(refused))
    return Hook(file, True, f"Added the hook to {short_path(file)}. It works in every new session.")


def read(home: str, options: Options, as_json: bool, tell: Tell) -> Coverage | None:
    """The coverage of a scan; None if another scan is running."""
    try:
        with watching(not as_json) as watch:
            finished = run(home, options, watch)
    except KeyboardInterrupt:
        render.note("\nWhat was read so far is saved. `lessons init` continues from there.")
        raise
    except Busy as busy:
        render.note(str(busy))
        return None
    coverage = finished.coverage
    render.warn([*(finished.rescue.lost if finished.rescue else []), *coverage.problems[:5]])
    export(home)
    files, calls = coverage.files, coverage.calls
    if files.read:
        tell(f"{files.read:,} transcripts read: {calls['total']:,} tool calls, {calls['failed']:,} of them failed.")
    elif files.found:
        tell(f"{files.found:,} transcripts: nothing new since the last scan.")
    return coverage


class Made(NamedTuple):
    """New lessons, those of earlier runs, how many candidates are left, and why."""

    begun: list[FirstLesson]
    before: list[str]
    waiting: int
    starter: StarterMatches
    sentence: str = ""


def lessons(home: str, settings: Config, yes: bool, quiet: bool, tell: Tell) -> Made:
    """Starter lessons that the history speaks for, then the best candidates; with --yes up to five in all."""
    # In this order: interrupted decisions are finished before promotions are counted.
    cases = waiting(home, settings, everything=True).cases
    before = taken_before(home)
    with History.for_reading(home) as history:
        matches = starter_matches(home, history)
    if yes:
        begun = _unseen(home, settings, cases, matches, BEST - len(before))
    elif quiet:
        begun = []
    else:
        begun = _asked(home, settings, cases, matches, tell)
    left = number_waiting(home, settings)
    return Made(begun, before, left, matches, _why_not_more(yes, quiet, len(begun) + len(before), left))


def _unseen(home: str, settings: Config, cases: list[Case], matches: StarterMatches, room: int) -> list[FirstLesson]:
    """With --yes: into shadow. The first starter lessons, the best candidates, and what else fits."""
    first = matches.found[: max(0, min(room, STARTERS_FIRST))]
    begun = take_starters(home, first, "shadow")
    begun += promote_best(home, settings, cases, room - len(begun))
    rest = matches.found[len(first) :]
    return begun + take_starters(home, rest[: max(0, room - len(begun))], "shadow")


def _asked(home: str, settings: Config, cases: list[Case], matches: StarterMatches, tell: Tell) -> list[FirstLesson]:
    try:
        begun = starter.offer(home, matches, tell)
        best = list(islice(right_as_they_stand(home, settings, cases), BEST))
        if best:
            tell(f"The {len(best)} most costly of {len(cases)} candidates. Press ? for help, q to quit.")
        walk = Walk(home, best)
        walk.run()
    except KeyboardInterrupt:
        render.note("\nYour decisions are saved. `lessons review` continues from there.")
        raise
    file = lesson_file.read(home)
    return begun + [FirstLesson(file.find(slug), case, "") for case, slug in walk.promoted()]


def _why_not_more(yes: bool, quiet: bool, made: int, left: int) -> str:
    if not left or made >= BEST:
        return ""
    if yes:
        return "No other candidate is right as it stands: decide those yourself."
    return "No terminal to decide on. Run `lessons init --yes` to put the best five into shadow." if quiet else ""


def headline(home: str, settings: Config, quiet: bool) -> str:
    """What lessons would have caught so far; empty where no mistake was repeated, or where it takes too long to say."""
    try:
        with replaying(not quiet) as watch:
            return headline_for(home, settings, watch, MOST_SECONDS)
    except NotFound:  # nothing was ever read
        return ""
