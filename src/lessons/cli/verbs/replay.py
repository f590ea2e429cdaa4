"""`lessons replay`: shows what lessons would have caught so far."""

import click
import msgspec

from lessons import config, paths
from lessons.cli import render
from lessons.cli.options import Moment, project_option, written_folder
from lessons.errors import Refused
from lessons.replay.replay import only, replay
from lessons.replay.report import ReplayReport, headline
from lessons.store.history.history import History

_COLUMNS = ("repeats", "call", "start", "error", "missed", "why", "mistake")
_COLUMNS_OF_ALARMS = ("false alarms", "lesson", "candidate")
_COLUMNS_OF_MISSED = ("time", "why", "call", "mistake")


@click.command("replay", short_help="Show what lessons would have caught so far")
@click.option("--since", type=Moment(), metavar="DATE|30d", help="Only sessions from this date on.")
@project_option
@click.option("--missed", is_flag=True, help="List every repeat that was not caught, and why.")
@render.json_option
def command(since: str | None, project: str | None, missed: bool) -> None:
    """Show what lessons would have caught so far, if every mistake had become one.

    Walks through the history in the order of time. Before each session that repeats a mistake, every candidate
    of the sessions that had ended by then is promoted as it is proposed. Then these lessons are tested on the calls of
    the session. Nothing is stored. A mistake counts once a session, and only a lesson about that mistake catches it.

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
    if project == "":
        raise Refused("--project is empty: give the folder of a project, or a part of its path.")
    home, folder = paths.data_home(), written_folder(project or "")
    counts = only(since or "", folder, "" if folder else project or "")
    with History.for_reading(home) as history, render.progress("Replaying", "sessions") as watch:
        report = replay(history, config.load(home), counts, watch=watch)
    document = msgspec.to_builtins(report)
    if not missed:
        del document["missedRepeats"]
    render.emit(document, lambda: _print(report, missed, is_part=bool(since or project)))


def _print(report: ReplayReport, missed: bool, is_part: bool) -> None:
    if not report.repeats:
        nothing = "No mistake was repeated in another session: there was nothing to catch."
        unread = "The history has no sessions yet: run `lessons scan` to read your transcripts."
        unmatched = "No session matches: check --project and --since."
        render.note(nothing if report.since else unmatched if is_part else unread)
        return
    mean = report.per_mistake
    render.say(headline(report))
    render.say(
        f"{report.caught_at_call:,} at the call, {report.noted_at_start:,} at session start,"
        f" {report.caught_at_error:,} after the error, {report.missed:,} missed."
    )
    mistakes = render.many(len(report.mistakes), "mistake")
    render.say(f"Mean over {mistakes}: {mean.caught:.0%} caught, {mean.at_call:.0%} at the call.")
    render.say(
        f"{report.false_alarms:,} of {report.good_calls:,} good calls raised a false alarm;"
        f" a lesson fired at {report.alarms_per_session:.2f} calls per session."
    )
    click.echo()
    if missed:
        name = {mistake.fingerprint: mistake.summary or mistake.fingerprint for mistake in report.mistakes}
        repeats = sorted(report.missed_repeats, key=lambda each: [*name].index(each.fingerprint))
        found = [(each.time[:16].replace("T", " "), each.why, each.command, name[each.fingerprint]) for each in repeats]
        render.table(_COLUMNS_OF_MISSED, found, "Every repeat was caught.")
        return
    rows = [
        (one.repeats, one.at_call, one.at_start, one.at_error, one.missed, one.why, one.summary or one.fingerprint)
        for one in report.mistakes
    ]
    render.table(_COLUMNS, rows, "")
    if report.false_alarms_by:
        click.echo()
        alarms = [(one.false_alarms, one.summary or one.slug, one.fingerprint) for one in report.false_alarms_by]
        render.table(_COLUMNS_OF_ALARMS, alarms, "")
