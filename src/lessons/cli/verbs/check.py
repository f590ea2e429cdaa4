"""`lessons check`: applies lessons with content or path patterns to files."""

import json
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

import click
import msgspec

from lessons import __version__, paths
from lessons.cli import render
from lessons.cli.options import cwd_option, folder_of
from lessons.errors import Refused
from lessons.reviews.file_check import Finding
from lessons.store import manifest
from lessons.store.published import PublishedLesson
from lessons.store.state_paths import state_paths_of

if TYPE_CHECKING:
    from lessons.reviews.file_check import Checked, FileRule, Finding, RuleReport


_NO_LESSONS = "No lessons yet: `lessons add` makes one, `lessons check --shared` uses those of the project."
_COLOURS = {"warn": "yellow", "fail": "red"}


@click.command("check", short_help="Check files against your lessons")
@click.argument("files", metavar="[FILE|DIR]...", nargs=-1)
@click.option("--staged", is_flag=True, help="Check what is staged for the next commit.")
@click.option("--diff", "base", metavar="BASE", help="Check the files that differ from the merge base with BASE.")
@click.option("--strict", is_flag=True, help="Fail at the first sighting. For CI, which remembers nothing.")
@click.option("--shared", is_flag=True, help="Use the lessons in the folder .lessons of the project, as CI does.")
@click.option("--report", "reports", is_flag=True, help="List the lessons by exclusions and false alarms.")
@click.option(
    "--format", "form", type=click.Choice(("text", "github", "sarif")), default="text", help="How to print findings."
)
@cwd_option
@render.json_option
def command(
    files: tuple[str, ...],
    staged: bool,
    base: str | None,
    strict: bool,
    shared: bool,
    reports: bool,
    form: str,
    cwd: str | None,
    as_json: bool,
) -> int:
    """Check files against your lessons: active ones with content or path patterns. Exit code 1 if anything fails.

    Without FILE it checks all files of the project. The first sighting of a lesson in a file warns; the same again
    fails after 4 hours and in another session. To exclude a line from a lesson, add a comment there or on the line
    above: lessons: ignore SLUG because REASON
    """
    if sum((bool(files), staged, base is not None)) > 1:
        raise click.UsageError("Give files, --staged or --diff, only one of them.")
    from lessons.cli.check_files import chosen
    from lessons.reviews.file_check import check, graduated

    place = state_paths_of(paths.data_home(), folder_of(cwd))
    rules = _rules(place.home, place.root, shared, strict)
    checked = check(place.root, chosen(place.root, files, staged, base), rules)
    if reports:
        return _report(place.home, rules, checked, as_json)
    findings = graduated(place, checked, strict)
    if as_json or form == "text":
        render.emit(as_json, _document(checked, findings), lambda: _print(checked, findings, len(rules)))
    elif form == "sarif":
        click.echo(json.dumps(sarif(findings, [rule.lesson for rule in rules]), indent=2))
    else:
        for line in annotations(findings):
            render.say(line)
    return 1 if any(each.level == "fail" for each in findings) else 0


def _rules(home: str, root: str, shared: bool, strict: bool) -> "list[FileRule]":
    from lessons.reviews.file_check import file_rules

    if shared:
        from lessons.promote.team import shared_entries

        return file_rules(shared_entries(root), root)
    try:
        _, entries = manifest.read(home)
    except manifest.UnusableManifest:
        if not _has_lessons(home) and not strict:
            render.note(_NO_LESSONS)  # a commit by somebody without lessons must pass
            return []
        raise Refused(
            "No lessons are published here: run `lessons build`, or check those of .lessons with --shared."
            if _has_lessons(home)
            else _NO_LESSONS
        ) from None
    return file_rules(entries, root)


def _has_lessons(home: str) -> bool:
    return os.path.exists(paths.lessons_file(home)) or os.path.exists(paths.manifest_file(home))


def _document(checked: "Checked", findings: "Sequence[Finding]") -> dict[str, object]:
    return {
        "files": checked.files,
        "skipped": sum(checked.skipped.values()),
        "skippedBy": dict(sorted(checked.skipped.items())),
        "excluded": sum(each.excluded for each in checked.found),
        "findings": msgspec.to_builtins(findings),
    }


def _print(checked: "Checked", findings: "Sequence[Finding]", rules: int) -> None:
    from lessons.cli.render import many

    for each in findings:
        level = click.style(each.level, fg=_COLOURS[each.level])
        click.echo(
            f"{render.printable(each.file)}:{each.line}: {level}: {render.printable(each.message)} [{each.slug}]"
        )
    skipped = ", ".join(f"{count} {reason}" for reason, count in sorted(checked.skipped.items()))
    fails = sum(each.level == "fail" for each in findings)
    render.note(
        f"{many(checked.files, 'file')}, {many(rules, 'lesson')}: {fails} failed, {len(findings) - fails} warned"
        + (f"; skipped {skipped}." if skipped else ".")
    )
    if len(findings) > fails:
        render.note("A warning fails if it is found again after 4 hours, in another session.")
    if findings:
        render.note(
            "`lessons show SLUG` shows a lesson. To exclude a line, comment `lessons: ignore SLUG because REASON`."
        )


def _report(home: str, rules: "Sequence[FileRule]", checked: "Checked", as_json: bool) -> int:
    from lessons.reviews.file_check import report

    rows = report([rule.lesson.slug for rule in rules], checked.found, _false_alarms(home))
    render.emit(as_json, {"rules": msgspec.to_builtins(rows)}, lambda: _print_report(rows))
    return 0


def _false_alarms(home: str) -> "dict[str, int] | None":
    """Returns false alarms from the ledger; None without a history, or if no lesson has had an opportunity yet."""
    from collections import Counter

    from lessons.errors import LessonsError
    from lessons.store.history.history import History

    try:
        with History.for_reading(home) as history:
            found = history.ledger.opportunities()
    except LessonsError:
        return None
    return dict(Counter(each.slug for each in found if each.outcome == "falseAlarm")) if found else None


def _print_report(rows: "Sequence[RuleReport]") -> None:
    cells = [
        (row.slug, row.exclusions, "not counted" if row.false_alarms is None else row.false_alarms, row.advice)
        for row in rows
    ]
    render.table(("lesson", "exclusions", "false alarms", "advice"), cells, "No lesson has content or path patterns.")


_COMMANDS = {"warn": "warning", "fail": "error"}


def annotations(findings: Iterable[Finding]) -> list[str]:
    return [_annotation(each) for each in findings]


def _annotation(finding: Finding) -> str:
    place = f"file={_property(finding.file)},line={finding.line},title={_property('lessons: ' + finding.slug)}"
    return f"::{_COMMANDS[finding.level]} {place}::{_data(finding.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"warn": "warning", "fail": "error"}


def sarif(findings: Sequence[Finding], lessons: Sequence[PublishedLesson]) -> dict[str, object]:
    """Returns one run; its rules are all lessons that were checked, including those without findings."""
    places = {lesson.slug: place for place, lesson in enumerate(lessons)}
    driver = {
        "name": "lessons",
        "semanticVersion": __version__,
        "rules": [_rule(lesson) for lesson in lessons],
    }
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "originalUriBaseIds": {"SRCROOT": {"description": {"text": "The root of the project."}}},
                "columnKind": "unicodeCodePoints",
                "results": [_result(each, places) for each in findings],
            }
        ],
    }


def _rule(lesson: PublishedLesson) -> dict[str, object]:
    return {
        "id": lesson.slug,
        "shortDescription": {"text": lesson.summary or lesson.slug},
        "fullDescription": {"text": lesson.injection or lesson.slug},
        "defaultConfiguration": {"level": "warning"},
    }


def _result(finding: Finding, places: dict[str, int]) -> dict[str, object]:
    location = {
        "artifactLocation": {"uri": quote(os.fsencode(finding.file)), "uriBaseId": "SRCROOT"},
        "region": {"startLine": finding.line},
    }
    return {
        "ruleId": finding.slug,
        "ruleIndex": places[finding.slug],
        "level": _LEVELS[finding.level],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": location}],
    }
