"""`lessons replay`: shows what lessons would have caught so far."""

from typing import TYPE_CHECKING

import click

from lessons import config, paths
from lessons.cli import render
from lessons.cli.options import Moment, project_option, written_folder
from lessons.errors import Refused

if TYPE_CHECKING:
    from lessons.replay.report import ReplayReport

_WIDEST_REASON = len("trigger too narrow")
_NOTHING_MISSED = "Every repeat was caught."
_NOTHING = "No mistake was repeated in another session: there was nothing to catch."
_EMPTY = "The history has no sessions yet: run `lessons scan` to read your transcripts."
_NO_SESSION = "No session matches: check --project and --since."
_COLUMNS = ("repeats", "call", "start", "error", "missed", "why", "mistake")
_COLUMNS_OF_MISSED = ("time", "why", "call", "mistake")


@click.command("replay", short_help="Show what lessons would have caught so far")
@click.option("--since", type=Moment(), metavar="DATE|30d", help="Only sessions from this date on.")
@project_option
@click.option("--missed", is_flag=True, help="List every repeat that was not caught, and why.")
@render.json_option
def command(since: str | None, project: str | None, missed: bool, as_json: bool) -> None:
    """Show what lessons would have caught so far, if every mistake had become one.

    Walks through the history in the order of time. Before each session that repeats a mistake, every candidate
    of the sessions that had ended by then is promoted as it is proposed. Then these lessons are tested on the calls of
    the session. Nothing is stored.

    Lessons are learned from all sessions; --since and --project choose the sessions that are judged.

    \b
    Why a repeat was missed:
      no trigger          the same call sometimes works and sometimes fails
      refused             it would fire too often, or another lesson covers it
      scope               the lesson is about another project or folder
      trigger too narrow  the trigger does not match this call
      learned too late    too little evidence in the sessions before
      state unknown       the history does not record files and programs
    """
    import msgspec

    from lessons.replay.replay import only, replay
    from lessons.store.history.history import History

    if project == "":
        raise Refused("--project is empty: give the folder of a project, or a part of its path.")
    home, folder = paths.data_home(), written_folder(project or "")
    counts = only(since or "", folder, "" if folder else project or "")
    with History.for_reading(home) as history, render.progress(not as_json, "Replaying", "sessions") as watch:
        report = replay(history, config.load(home), counts, watch=watch)
    document = msgspec.to_builtins(report)
    if not missed:
        del document["missedRepeats"]
    render.emit(as_json, document, lambda: _print(report, missed, is_part=bool(since or project)))


def _print(report: "ReplayReport", missed: bool, is_part: bool) -> None:
    if not report.repeats:
        nothing = _NO_SESSION if is_part else _EMPTY
        render.note(_NOTHING if report.since else nothing)
        return
    for sentence in _sentences(report):
        render.say(sentence)
    click.echo()
    if not missed:
        rows = [
            (one.repeats, one.at_call, one.at_start, one.at_error, one.missed, one.why, one.summary or one.fingerprint)
            for one in report.mistakes
        ]
        render.table(_COLUMNS, rows, "")
    elif render.is_terminal():
        _draw_missed(report)
    else:
        render.table(_COLUMNS_OF_MISSED, [row for _, rows in _missed(report) for row in rows], _NOTHING_MISSED)


def _sentences(report: "ReplayReport") -> list[str]:
    from lessons.cli.render import many
    from lessons.replay.report import headline

    mean, number = report.per_mistake, many(len(report.mistakes), "mistake")
    caught = f"{report.caught_at_call:,} at the call, {report.noted_at_start:,} at session start"
    alarms = f"{report.false_alarms:,} of {report.good_calls:,} good calls raised a false alarm"
    return [
        headline(report),
        f"{caught}, {report.caught_at_error:,} after the error, {report.missed:,} missed.",
        f"Mean over {number}: {mean.caught:.0%} caught, {mean.at_call:.0%} at the call.",
        f"{alarms}; a lesson fired at {report.alarms_per_session:.2f} calls per session.",
    ]


def _missed(report: "ReplayReport") -> list[tuple[str, list[tuple[str, str, str, str]]]]:
    """Returns each missed mistake with its rows."""
    found = []
    for mistake in report.mistakes:
        summary = mistake.summary or mistake.fingerprint
        own = [each for each in report.missed_repeats if each.fingerprint == mistake.fingerprint]
        if own:
            found.append(
                (summary, [(each.time[:16].replace("T", " "), each.why, each.command, summary) for each in own])
            )
    return found


def _draw_missed(report: "ReplayReport") -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    if not report.missed:
        render.note(_NOTHING_MISSED)
    for summary, rows in _missed(report):
        console.print(Text(render.printable(summary), style="bold"))
        for time, why, command, _ in rows:
            line = " ".join(render.printable(f"{why:<{_WIDEST_REASON}}  {command}").split("\n"))
            console.print(Text(f"  {time}  {line}", style="dim"), no_wrap=True, overflow="ellipsis")
