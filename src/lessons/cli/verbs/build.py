"""`lessons build`: compiles the manifest and the hook index, and lists what was left out."""

import click

from lessons.cli import render
from lessons.cli.build_progress import watching
from lessons.cli.home import data_home
from lessons.hook import bundle
from lessons.promote.publish.publish import BuildReport, publish


@click.command("build", short_help="Compile the lessons for the hook")
@click.option("--quiet", is_flag=True, help="Print nothing unless something is wrong.")
@render.json_option
def command(quiet: bool, as_json: bool) -> None:
    """Compile the lessons for the hook.

    Adding, editing and retiring a lesson do this too, and so does a new session. Run it after editing lessons.json by
    hand. Lessons that cannot be used are listed with the reason; the others still work.
    """
    with watching(wanted=not quiet and not as_json) as watch:
        report = publish(data_home(), watch=watch)
    bundle.refresh()
    document = {
        "included": report.included,
        "excluded": [{"slug": each.slug, "reason": each.reason} for each in report.excluded],
        "warnings": report.warnings,
        "generatedAt": report.generated_at,
    }
    render.emit(as_json, document, lambda: _print(report, quiet))


def _print(report: BuildReport, quiet: bool) -> None:
    render.warn(report.warnings)
    if quiet:
        return
    render.say(f"{report.included} lessons compiled for the hook.")
    for each in report.excluded:
        render.say(f"left out: {each.slug}: {each.reason}")
