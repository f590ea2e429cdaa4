"""`lessons export`: writes lessons into the folder `.lessons` of a project."""

import os

import click

from lessons import paths
from lessons.cli import render
from lessons.cli.options.slugs import complete_slug
from lessons.errors import NotFound, Refused
from lessons.promote.team import export
from lessons.redact.texts import redacted
from lessons.store import lesson_file, project_folder


@click.command("export", short_help="Write lessons into a project, to share them")
@click.option(
    "--project", "folder", metavar="[DIR]", is_flag=False, flag_value=".", help="The project.  [default: this one]"
)
@click.argument("slugs", metavar="[SLUG]...", nargs=-1, shell_complete=complete_slug)
@click.option("--force", is_flag=True, help="Replace files with other content.")
@render.json_option
def command(folder: str | None, slugs: tuple[str, ...], force: bool, as_json: bool) -> None:
    """Write lessons into a project, to share them: for example  lessons export --project . no-force-push

    Without a SLUG it exports those for this project. Each becomes a file in the project's folder .lessons, without
    sessions, counts, dates and places; one that seems to hold a secret is refused. Others review them
    with `lessons trust`.
    """
    if folder is None:
        raise click.UsageError("Give the target: --project, or --project DIR.")
    if not os.path.isdir(folder):
        hint = f"write --project . {folder}" if not os.path.lexists(folder) else "name that of a project"
        raise NotFound(f"{folder} is not a folder: {hint}.")
    root = project_folder.root_above(folder)
    records = export.chosen(lesson_file.read(paths.data_home()), root, slugs)
    if not records:
        raise Refused(f"No lesson is for {root} only. Name the lessons to share.")
    files = export.prepared(records, root, redacted)
    written = export.write(files, root, force)
    document = {
        "project": root,
        "files": [{"slug": each.slug, "file": each.path, "written": new} for each, new in written],
    }
    render.emit(as_json, document, lambda: _print(written))


def _print(written: list[tuple[export.Exported, bool]]) -> None:
    for each, new in written:
        render.say(f"{each.path}: {'written' if new else 'unchanged'}.")
