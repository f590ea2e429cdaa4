"""`lessons trust`: shows the lessons of a project and, once you agree, lets them fire."""

import os

import click

from lessons import paths
from lessons.cli import render, trust_text
from lessons.cli.agent_words import agent_reads
from lessons.cli.folded import put
from lessons.cli.home import data_home
from lessons.cli.person import why_nobody
from lessons.errors import NotFound
from lessons.promote.publish.publish import publish
from lessons.promote.team import judge, team
from lessons.promote.team.judge import Judged
from lessons.store import decisions, lesson_file, project_folder, trusted


@click.command("trust", short_help="Let the lessons of a project fire in it")
@click.argument("folder", metavar="[DIR]", default=".")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--list", "listing", is_flag=True, help="List the trusted projects.")
@click.option("--remove", is_flag=True, help="Stop trusting this project.")
@render.json_option
def command(folder: str, yes: bool, listing: bool, remove: bool, as_json: bool) -> int:
    """Let the lessons of a project fire in it.

    A project may have lessons in its folder .lessons, one per file. None is used before you have seen it here and
    agreed. A file that is changed, added or removed later is not used until you trust it again. Trusting needs a
    terminal, also with --yes, and is refused to agents.
    """
    if listing and remove:
        raise click.UsageError("Use --list or --remove, not both.")
    if listing:
        return _list(as_json)
    if remove:
        return _remove(folder, as_json)
    return _trust(folder, yes, as_json)


def _trust(folder: str, yes: bool, as_json: bool) -> int:
    home, root = paths.data_home(), project_folder.root_above(folder)
    own = lesson_file.read(home)
    judged = judge.judge(root, own.lessons(), own.names())
    known = trusted.read(home).get(root)
    if not as_json:
        trust_text.show(root, judged, known)
    agreed = (known is not None or any(not each.problems for each in judged)) and _agreed(root, yes, as_json)
    if agreed:
        judge.trust(data_home(), root, judged, decisions.now())
        decisions.record(home, "trusted", root)
        render.warn([sentence for sentence in publish(home).warnings if sentence.startswith(root)])
    done = f"Trusted {root}: its lessons fire from the next call on." if agreed else "Nothing was trusted."
    render.emit(as_json, _document(root, agreed, judged), lambda: put(done) if agreed else render.note(done))
    return 0 if agreed else 1


def _agreed(root: str, yes: bool, as_json: bool) -> bool:
    if reason := why_nobody("trust"):
        render.note(reason)
        return False
    if yes:
        return True
    if as_json:
        render.note("Add --yes to trust what is listed.")
        return False
    return click.confirm(f"Let these lessons fire in {render.printable(root)}?", default=False)


def _document(root: str, agreed: bool, judged: list[Judged]) -> dict[str, object]:
    taken = [team.TeamLesson(root, each.file.path, each.lesson) for each in judged if each.lesson and not each.problems]
    refused = [{"file": each.file.path, "reason": " ".join(each.problems)} for each in judged if each.problems]
    lessons = [{**each.record(), "agentReads": agent_reads(each.entry())} for each in taken]
    return {"project": root, "trusted": agreed, "lessons": lessons, "refused": refused}


def _list(as_json: bool) -> int:
    known = trusted.read(paths.data_home())
    changes = {root: team.changes(root, trust) for root, trust in known.items()}
    projects = [
        {"project": root, "trustedAt": trust.trusted_at, "lessons": len(trust.taken), "changes": changes[root]}
        for root, trust in known.items()
    ]
    rows = [
        (len(trust.taken), "changed" if changes[root] else "up to date", trust.trusted_at, root)
        for root, trust in known.items()
    ]
    empty = "No trusted projects yet. `lessons trust DIR` shows the lessons of one."
    columns = ("lessons", "state", "trusted at", "project")
    render.emit(as_json, {"projects": projects}, lambda: render.table(columns, rows, empty))
    render.warn([sentence for sentences in changes.values() for sentence in sentences])
    return 0


def _remove(folder: str, as_json: bool) -> int:
    """Finds the project by its stored name, as the folder may be missing."""
    home = paths.data_home()
    known = trusted.read(home)
    places = (os.path.abspath(folder), os.path.realpath(folder))
    root = next((place for place in places if place in known), None)
    if root is None and os.path.isdir(folder):
        root = project_folder.root_above(folder)
    if root is None or not trusted.remove(home, root):
        raise NotFound(f"{places[0]} is not trusted. `lessons trust --list` lists the trusted projects.")
    decisions.record(home, "distrusted", root)
    publish(home)
    document = {"project": root, "trusted": False}
    render.emit(as_json, document, lambda: put(f"{root} is no longer trusted: its lessons no longer fire."))
    return 0
