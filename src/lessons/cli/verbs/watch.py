"""`lessons watch`: reads sessions while they happen; subcommands show its state, and retry what failed."""

import os
import sys
from functools import partial

import click

from lessons import config, paths
from lessons.cli import render
from lessons.cli.options import data_home, noun, whose_transcripts
from lessons.cli.render import many
from lessons.errors import Busy
from lessons.store.history.history import History
from lessons.store.running import only_watcher, scanning
from lessons.watch.changes import roots_of
from lessons.watch.loop import Watcher, status_of, stopped_by_signals
from lessons.watch.tick import Limits


def _say(line: str) -> None:
    render.say(line)
    if sys.stdout:
        sys.stdout.flush()


@noun("watch", "Read sessions while they happen")
@click.option("--once", is_flag=True, help="Read new data, mine quiet sessions, and exit: for cron.")
@click.option("--path", "folders", multiple=True, metavar="DIR", help="Watch this folder (repeatable).")
@whose_transcripts
@render.json_option
def command(once: bool, folders: tuple[str, ...], agents: tuple[str, ...]) -> int:
    """Read sessions while they happen, and look for mistakes in each when it is quiet.

    A session is quiet when nothing was written for 120 seconds (setting watchQuietSeconds). Runs until it is stopped
    with Ctrl-C or SIGTERM; one watcher for each data home. While it runs, session starts do not scan in the
    background. To run it at every login, let the service manager of your system start it: a systemd user unit with
    ExecStart= set to this command, or a launchd agent on macOS.
    """
    if render.is_json() and not once:
        raise click.UsageError("--json goes with --once: the watcher itself ends only when it is stopped.")
    home, folders = data_home(), tuple(os.path.abspath(folder) for folder in folders)
    settings = config.load(home)
    limits = Limits(quiet=settings.watch_quiet_seconds, poll=settings.watch_poll_seconds)
    find_roots = partial(roots_of, home, agents, [*folders])
    find_roots()  # refuses a wrong folder before anything is printed
    if hasattr(os, "nice"):
        os.nice(10)
    try:
        with only_watcher(home):
            if once:
                return _once(Watcher(home, find_roots, limits))
            watcher = Watcher(home, find_roots, limits, settings.watch_mode, _say)
            if render.is_terminal():
                render.note(f"Watching {many(len(watcher.roots), 'folder')}. Stop with Ctrl-C.")
            with stopped_by_signals(watcher.stop):
                watcher.run()
            if render.is_terminal():
                render.note("Stopped watching. What was read is stored; the next scan reads the rest.")
    except Busy as busy:
        render.note(str(busy))
        if render.is_json():
            render.emit({"busy": True})
        return 0 if once else 1
    return 0


def _once(watcher: Watcher) -> int:
    result = watcher.once()
    coverage, mined, pending = result.coverage, result.mined, len(result.last_writes)
    sessions = mined.sessions if mined else 0
    document = {**coverage.document(), "sessionsMined": sessions, "pending": pending}
    if mined:
        document["candidates"] = {"new": len(mined.new), "updated": len(mined.updated)}
    read = f"{coverage.files.read:,} of {coverage.files.found:,} files read, {coverage.calls['total']:,} calls"
    render.warn(coverage.problems[:10])
    done = f"{read}; {sessions:,} quiet sessions mined, {pending:,} still pending."
    render.emit(document, lambda: render.say(done))
    return 1 if coverage.problems else 0


@command.command("status", short_help="Show whether it runs and what failed")
@render.json_option
def status() -> None:
    """Show whether a watcher runs, what it does, and which segments failed."""
    found = status_of(paths.data_home())

    def print_all() -> None:
        render.say(f"Running (process {found['pid']}, {found['mode']})." if found["running"] else "Not running.")
        if found["running"]:
            sessions, files = (
                many(int(str(found[name])), what) for name, what in (("sessions", "active session"), ("queued", "file"))
            )
            render.say(f"{sessions}, {files} queued, last tick {found['lastTick'] or 'not yet'}.")
        if found["problem"]:
            render.say(f"Problem: {found['problem']}")
        for name, key in (("Waiting for a retry", "backoff"), ("Given up (`lessons watch retry`)", "deadLetters")):
            for each in found[key]:  # type: ignore[attr-defined]
                render.say(f"{name}: {each['segment']} after {each['attempts']} attempts: {each['reason']}")

    render.emit(found, print_all)


@command.command("retry", short_help="Retry failed segments now")
@render.json_option
def retry() -> None:
    """Retry every failed segment now, those that were given up too: the next tick or scan reads them again."""
    home = data_home()
    with scanning(home, 10), History.opened(home) as history:
        number = history.progress.retry_all()
    sentence = f"{many(number, 'failed segment')} {'is' if number == 1 else 'are'} due for a retry."
    render.emit({"retried": number}, lambda: render.say(sentence))
