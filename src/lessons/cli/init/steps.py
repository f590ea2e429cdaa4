"""The steps of `lessons init`: each takes what a person wants and gives back what was done."""

from collections.abc import Callable
from typing import NamedTuple

import click

from lessons.agents import installed
from lessons.agents.table import installer_of, places_of
from lessons.capture.coverage import Coverage
from lessons.capture.run import Options, run
from lessons.cli import render
from lessons.cli.init.agents import Agent
from lessons.cli.init.lessons import BEST, Begun, promote_best, promoted_before, with_trigger
from lessons.cli.review.queue import number_waiting, waiting
from lessons.cli.review.screen import short_path
from lessons.cli.review.walk import Walk
from lessons.cli.scan_progress import watching
from lessons.config import Config
from lessons.errors import Busy, LessonsError
from lessons.hook import bundle
from lessons.promote.publish.publish import publish
from lessons.promote.queue.queue import export
from lessons.store import lesson_file

Tell = Callable[[str], None]


class Hook(NamedTuple):
    """Whether the hook is in the settings now, and what to say about it."""

    file: str
    installed: bool
    sentence: str


def hook(
    home: str, agent: str, agents: list[Agent], no_install: bool, yes: bool, foreign: bool, quiet: bool, tell: Tell
) -> Hook:
    """Put in where a person says so; unasked only where the agent lives here and its own transcripts are read."""
    file, title = installed.settings_file(agent), places_of(agent).TITLE
    shown = short_path(file)
    later = f"`lessons install --agent {agent}` puts it in"
    if installed.has_hook(agent, file):
        return _told(tell, Hook(file, True, f"The hook is in {shown} already."))
    if not any(each.name == title for each in agents):
        return _told(tell, Hook(file, False, f"{title} has left nothing on this machine: {later} when it is there."))
    if no_install:
        return _told(tell, Hook(file, False, f"The hook is not put into {shown} (--no-install): {later}."))
    if yes and foreign:
        return _told(tell, Hook(file, False, f"With --yes and --path {shown} is left alone: {later}."))
    if not yes and quiet:
        return _told(tell, Hook(file, False, f"Without a terminal nothing is put into {shown}: {later}."))
    if not yes and not click.confirm(f"Put the hook into {shown}? (`lessons uninstall` takes it out)", default=True):
        return Hook(file, False, f"The hook is not in {shown}: {later}.")
    return _told(tell, _install(home, agent, file))


def _told(tell: Tell, hook: Hook) -> Hook:
    tell(hook.sentence)
    return hook


def _install(home: str, agent: str, file: str) -> Hook:
    """A settings file that cannot be changed keeps nobody from reading the history."""
    try:
        render.warn(installer_of(agent).install(file, home).warnings)
        bundle.refresh()
        publish(home)
    except LessonsError as refused:
        return Hook(file, installed.has_hook(agent, file), str(refused))
    return Hook(file, True, f"The hook is in {short_path(file)}: it acts in every session that starts from now on.")


def read(home: str, options: Options, as_json: bool, tell: Tell) -> Coverage | None:
    """What a scan met; None where another one is at work, whose findings will do."""
    try:
        with watching(not as_json) as watch:
            finished = run(home, options, watch)
    except KeyboardInterrupt:
        render.note("\nWhat was read so far is kept: `lessons init` goes on from there.")
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
    """The lessons of this run, those of earlier ones, how many candidates still wait for a person, and why."""

    begun: list[Begun]
    before: list[str]
    waiting: int
    sentence: str = ""


def lessons(home: str, settings: Config, yes: bool, quiet: bool, tell: Tell) -> Made:
    """The best candidates become lessons: five in all with --yes, else as a person decides."""
    # In this order: what a kill left unfinished is settled before what was promoted is counted.
    cases = waiting(home, settings, everything=True).cases
    before = promoted_before(home)
    begun: list[Begun] = []
    if yes:
        begun = promote_best(home, settings, cases, BEST - len(before))
    elif not quiet and (best := with_trigger(cases)[:BEST]):
        tell(f"The {len(best)} most rewarding of {len(cases)} candidates; ? explains the keys, q leaves.")
        begun = _walk(home, Walk(home, best))
    left = number_waiting(home, settings)
    return Made(begun, before, left, _why_not_more(yes, quiet, len(begun) + len(before), left))


def _why_not_more(yes: bool, quiet: bool, made: int, left: int) -> str:
    if not left or made >= BEST:
        return ""
    if yes:
        return "No other candidate has a trigger that tells its failures from their fixes: those need a person."
    return "Nobody is here to decide: `lessons init --yes` puts the best five into shadow." if quiet else ""


def _walk(home: str, walk: Walk) -> list[Begun]:
    try:
        walk.run()
    except KeyboardInterrupt:
        render.note("\nWhat was decided is kept: `lessons review` goes on from there.")
        raise
    file = lesson_file.read(home)
    return [Begun(file.find(slug), case, "") for case, slug in walk.promoted()]
