"""`lessons backtest`: tests a lesson or a trigger against the history."""

from collections.abc import Sequence

import click
import msgspec

from lessons import paths
from lessons.cli import render
from lessons.cli.options import Moment, complete_slug, document_from_options, options_for
from lessons.lesson_fields import FIELDS, PATTERNS, STATE
from lessons.model import Lesson, lesson_from_document
from lessons.promote.backtest import Example, Report, backtest, compiled
from lessons.promote.backtest_report import SIGNS, legend, sentence, shares
from lessons.promote.draft import tried_triggers
from lessons.prove.opportunities import calls_learned_from, sessions_learned_from
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
