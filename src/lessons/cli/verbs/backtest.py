"""`lessons dev backtest` tests a trigger against the history, `dev replay` all that could have been learned from it."""

from collections.abc import Sequence

import click
import msgspec

from lessons import config, paths
from lessons.cli import render
from lessons.cli.options import (
    Moment,
    complete_slug,
    document_from_options,
    options_for,
    project_option,
    written_folder,
)
from lessons.errors import Refused
from lessons.lesson_fields import FIELDS, PATTERNS, STATE
from lessons.model import Lesson, lesson_from_document
from lessons.promote.backtest import Example, Report, backtest, compiled
from lessons.promote.backtest_report import SIGNS, legend, sentence, shares
from lessons.promote.draft import tried_triggers
from lessons.prove.opportunities import calls_learned_from, sessions_learned_from
from lessons.replay.replay import only, replay
from lessons.replay.report import ReplayReport, headline
from lessons.store import lesson_file
from lessons.store.history.history import History
from lessons.store.project_folder import project_name

_TRIGGER_FIELDS = [
    *PATTERNS,
    *(field for field in STATE if field not in PATTERNS),
    *(field for field in FIELDS if field.place in ("triggers.toolNames", "triggers.matchOn")),
    *(field for field in FIELDS if field.kind == "project"),
]
_BAR_WIDTH = 40
_COLOURS = ("magenta", "red", "yellow", "green", "white")
_BLANK = {"id": "tried", "slug": "tried", "summary": "", "problem": "", "solution": ""}


@click.command("backtest", short_help="Test a lesson against your history")
@click.argument("slug", metavar="[SLUG]", default="", shell_complete=complete_slug)
@options_for(_TRIGGER_FIELDS)
@click.option("--since", type=Moment(), metavar="DATE|30d", help="Only calls from this date on.")
@render.json_option
def command(slug: str, since: str | None, **values: object) -> None:
    """Test a lesson against your history, or a trigger that is not a lesson yet.

    Runs every call of the history through it as the hook would: how often it would have fired, how many of these
    failed, and how many succeeded. For example  lessons backtest --command-pattern 'git push .*--force'
    """
    home, given = paths.data_home(), document_from_options(values)
    if slug and given:
        raise click.UsageError("Give the slug of a lesson or a trigger, not both.")
    if not slug and "triggers" not in given:
        raise click.UsageError("Give the slug of a lesson, or a trigger such as --command-pattern 'git push'.")
    lesson = lesson_from_document(lesson_file.read(home).find(slug) if slug else {**_BLANK, **given})
    acts = lesson.block or lesson.stop_once
    render.warn(compiled(lesson.triggers, lesson.scope, acts).left_out)
    with History.for_reading(home) as history:
        learned = sessions_learned_from(history, [lesson])[lesson.id]
        failed = calls_learned_from(history, [lesson])[lesson.id]
        report = backtest(
            history,
            tried_triggers(lesson),
            scope=lesson.scope,
            source_sessions=[each for each in lesson.source_session_ids if each in learned],
            error_fingerprints=history.calls.error_fingerprints(failed),
            failed_calls=failed,
            since=since or "",
            block_or_stop=acts,
        )
    render.emit(msgspec.to_builtins(report), lambda: _print(lesson, report))


def _print(lesson: Lesson, report: Report) -> None:
    if lesson.triggers.session_start:
        render.note("It is shown when a session starts, not at a call.")
        return
    if report.hits:
        parts = zip(SIGNS, shares(report, _BAR_WIDTH), _COLOURS, strict=True)
        click.echo("".join(click.style(sign * cells, fg=colour) for sign, cells, colour in parts if cells))
        if render.is_terminal():
            click.secho("  ".join(f"{sign} {meaning}" for sign, meaning in legend(report)), dim=True)
    words = sentence(report)
    render.say(words[0].upper() + words[1:] + ".")
    _print_examples("Failed", report.examples.failed, report.failed_same + report.failed_other)
    _print_examples("Succeeded", report.examples.ok, report.ok)


def _print_examples(heading: str, examples: Sequence[Example], total: int) -> None:
    if not examples:
        return
    click.echo()
    some = f" ({len(examples)} of {total:,})" if total > len(examples) else ""
    click.secho(heading + some, bold=True)
    for example in examples:
        mark = "  looks like a failure" if example.suspicious else ""
        about = (example.time[:16].replace("T", " "), project_name(example.project), example.session[:8])
        click.secho(render.cut("  " + "  ".join(filter(None, about)) + mark), dim=True)
        click.echo(render.cut(f"    {example.command or example.path or example.tool}"))
        if example.error:
            click.secho(render.cut(f"    {example.error}"), fg="red" if not example.suspicious else "yellow")


_COLUMNS = ("repeats", "call", "start", "error", "missed", "why", "mistake")
_COLUMNS_OF_ALARMS = ("false alarms", "lesson", "candidate")
_COLUMNS_OF_MISSED = ("time", "why", "call", "mistake")


@click.command("replay", short_help="Show what lessons would have caught so far")
@click.option("--since", type=Moment(), metavar="DATE|30d", help="Only sessions from this date on.")
@project_option
@click.option("--missed", is_flag=True, help="List every repeat that was not caught, and why.")
@render.json_option
def replay_command(since: str | None, project: str | None, missed: bool) -> None:
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
    render.emit(document, lambda: _print_replay(report, missed, is_part=bool(since or project)))


def _print_replay(report: ReplayReport, missed: bool, is_part: bool) -> None:
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
