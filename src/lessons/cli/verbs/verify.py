"""`lessons verify`: checks shared lessons, for CI."""

import click

from lessons.cli import render
from lessons.promote.team.verify import Verified, verify


@click.command("verify", short_help="Check the lessons of a project, for CI")
@click.argument("places", metavar="[DIR|FILE]...", nargs=-1)
@render.json_option
def command(places: tuple[str, ...], as_json: bool) -> int:
    """Check the lessons of a project, for CI: one line per problem, and exit code 1 if there is any.

    Checks the files in the folder .lessons, here or in the given projects: fields, texts, triggers, examples, slow
    patterns, duplicate slugs. Needs no data home and changes nothing.
    """

    found = verify(places or (".",))
    problems = [{"file": each.file, "problem": each.sentence} for each in found.problems]
    document = {"ok": not problems, "files": found.files, "problems": problems}
    render.emit(as_json, document, lambda: _print(found))
    return 1 if problems else 0


def _print(found: Verified) -> None:
    for each in found.problems:
        render.say(f"{each.file}: {each.sentence}")
    if not found.problems:
        render.say(f"{found.files} lesson{' is' if found.files == 1 else 's are'} valid.")
