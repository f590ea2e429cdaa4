"""`lessons team`: shares lessons with others through the folder .lessons of a project, and imports them."""

import os
from collections import Counter
from collections.abc import Collection

import click

from lessons import paths
from lessons.cli import render
from lessons.cli.options import complete_slug, data_home, noun
from lessons.cli.render import put, put_lines
from lessons.cli.terminal import why_nobody
from lessons.errors import NotFound, Refused
from lessons.inject.decide import block_reason, clean, full_text, summary_line
from lessons.lesson_fields import FIELDS, FIRING, patterns_in, value_of
from lessons.match.call import ToolCall
from lessons.model import Lesson
from lessons.promote import team
from lessons.promote.imports import review, sources
from lessons.promote.publish.build import publish
from lessons.promote.team import Judged, TeamLesson, verify
from lessons.redact.texts import redacted
from lessons.store import decisions, lesson_file, project_folder, settings
from lessons.store.manifest import PublishedLesson, compile_source
from lessons.store.settings import Trust

_COLOURS = {review.TAKEN: "green", review.REFUSED: "yellow", review.ALREADY_THERE: "cyan"}
_WIDTH = len(review.ALREADY_THERE) + 2
_CONDITIONS = [field for field in FIELDS if field.group == "triggers.when"]
_ANY_CALL = ToolCall("Bash", {"command": "{command}"})


@noun("team", "Share lessons with others, and check files", {"check": "check:command"})
@render.json_option
def command() -> None:
    """Share lessons with others, and check files. Without a sub-verb: the projects whose lessons you trust."""
    _list_trusted()


@command.command("export", short_help="Write lessons into a project, to share them")
@click.option(
    "--project", "folder", metavar="[DIR]", is_flag=False, flag_value=".", help="The project.  [default: this one]"
)
@click.argument("slugs", metavar="[SLUG]...", nargs=-1, shell_complete=complete_slug)
@click.option("--force", is_flag=True, help="Replace files with other content.")
@render.json_option
def export_command(folder: str | None, slugs: tuple[str, ...], force: bool) -> None:
    """Write lessons into a project, to share them: for example  lessons team export --project . no-force-push

    Without a SLUG it exports those for this project. Each becomes a file in the project's folder .lessons, without
    sessions, counts, dates and places; one that seems to hold a secret is refused. Others review them
    with `lessons team trust`.
    """
    if folder is None:
        raise click.UsageError("Give the target: --project, or --project DIR.")
    if not os.path.isdir(folder):
        hint = f"write --project . {folder}" if not os.path.lexists(folder) else "name that of a project"
        raise NotFound(f"{folder} is not a folder: {hint}.")
    root = project_folder.root_above(folder)
    records = team.chosen(lesson_file.read(paths.data_home()), root, slugs)
    if not records:
        raise Refused(f"No lesson is for {root} only. Name the lessons to share.")
    written = team.write(team.prepared(records, root, redacted), root, force)
    files = [{"slug": each.slug, "file": each.path, "written": is_new} for each, is_new in written]
    lines = [f"{each.path}: {'written' if is_new else 'unchanged'}." for each, is_new in written]
    render.emit({"project": root, "files": files}, lambda: render.say("\n".join(lines)))


@command.command("trust", short_help="Let the lessons of a project fire in it")
@click.argument("folder", metavar="[DIR]", default=".")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--list", "listing", is_flag=True, help="List the trusted projects.")
@click.option("--remove", is_flag=True, help="Stop trusting this project.")
@render.json_option
def trust(folder: str, yes: bool, listing: bool, remove: bool) -> int:
    """Let the lessons of a project fire in it.

    A project may have lessons in its folder .lessons, one per file. None is used before you have seen it here and
    agreed. A file that is changed, added or removed later is not used until you trust it again. Trusting needs a
    terminal, also with --yes, and is refused to agents.
    """
    if listing and remove:
        raise click.UsageError("Use --list or --remove, not both.")
    if listing:
        _list_trusted()
        return 0
    if remove:
        _stop_trusting(folder)
        return 0
    home, root = paths.data_home(), project_folder.root_above(folder)
    own = lesson_file.read(home)
    judged = team.judge(root, own.lessons(), own.names())
    trusted_before = settings.trusted_projects(home).get(root)
    taken = [TeamLesson(root, each.file.path, each.lesson) for each in judged if each.lesson and not each.problems]
    yours = team.own_exports(own, root, (each.file for each in judged), redacted)
    is_all_yours = bool(yours) and all(each.file.name in yours for each in judged)
    if not render.is_json() and not is_all_yours:
        _show(root, judged, trusted_before, yours)
    agreed = bool(trusted_before is not None or taken or is_all_yours) and _agreed(root, yes or is_all_yours)
    if agreed:
        team.trust(data_home(), root, judged, decisions.now())
        decisions.record(home, "trusted", root)
        render.warn([sentence for sentence in publish(home).warnings if sentence.startswith(root)])
    document = {
        "project": root,
        "trusted": agreed,
        "lessons": [{**each.record(), "agentReads": _agent_reads(each)} for each in taken],
        "refused": [{"file": each.file.path, "reason": " ".join(each.problems)} for each in judged if each.problems],
    }
    done = f"Trusted {root}: its lessons fire from the next call on."
    if is_all_yours:
        done = f"{root} shares your own lessons, unchanged: they fire already."
    render.emit(document, lambda: put(done) if agreed else render.note("Nothing was trusted."))
    return 0 if agreed else 1


def _agreed(root: str, yes: bool) -> bool:
    if reason := why_nobody("trust"):
        render.note(reason)
        return False
    if render.is_json() and not yes:
        render.note("Add --yes to trust what is listed.")
        return False
    return yes or click.confirm(f"Let these lessons fire in {render.printable(root)}?", default=False)


def _show(root: str, judged: list[Judged], trusted_before: Trust | None, yours: Collection[str]) -> None:
    """Prints each lesson with its effect, trigger and texts, then the files that are left out and why.

    `yours`: files with the user's own lessons, about which nothing is to be decided.
    """
    before = {**trusted_before.refused, **trusted_before.taken} if trusted_before else {}
    put(f"{project_folder.folder_of(root)} holds {render.many(len(judged), 'file')}:")
    for each in judged:
        if each.problems or not each.lesson:
            continue
        lesson, name = each.lesson, each.file.name
        state = " (changed)" if name in before else " (new)"
        if not trusted_before or before.get(name) == each.file.digest:
            state = ""
        strong = "BLOCKS every such call" if lesson.block else "STOPS the first such call" if lesson.stop_once else ""
        shadow = ", in shadow" if lesson.stage == "shadow" else ""
        put(f"{lesson.slug}: {strong or 'hints'}{shadow}{state}", 2, "bold red" if strong else "bold")
        put(_when_it_fires(lesson), 4, "dim", "when: ")
        for number, text in enumerate(_agent_reads(TeamLesson(root, each.file.path, lesson))):
            put("or:" if number else "the agent reads:", 4, "dim")
            put_lines(text, 6)
        for sentence in each.warnings:
            put(sentence, 4, "yellow", "note: ")
    for each in judged:
        if each.problems and each.file.name not in yours:
            put(f"{each.file.name}: {' '.join(each.problems)}", 2, "yellow", "left out   ")
    for name in sorted(before.keys() - {each.file.name for each in judged}):
        put(name, 2, "yellow", "missing    ")


def _agent_reads(team_lesson: TeamLesson) -> list[str]:
    """Returns the texts as the hook words them.

    These are the full text, the reason for a deny, and the short line for when there is no room for more.
    """
    lesson = PublishedLesson("", team_lesson.entry(), compile_source)
    found = [full_text(lesson)]
    if lesson.kind == "block":
        found.append(block_reason(lesson, _ANY_CALL))
    if clean(lesson.summary) not in found[0]:
        found.append(summary_line(lesson))
    return found


def _when_it_fires(lesson: Lesson) -> str:
    """Returns the trigger in words, with every pattern and condition."""
    triggers = lesson.triggers
    tools = ", ".join(triggers.tool_names)
    patterns = [
        f"{field.looks_at} {' or '.join(patterns)}" for field, patterns in patterns_in(triggers, FIRING) if patterns
    ]
    parts = [*(["a session starts"] if triggers.session_start else []), *patterns]
    text = "; ".join(parts) or f"any use of {tools}"
    text += f" (of {tools})" if patterns and tools else ""
    text += f", unless {' or '.join(triggers.unless)}" if triggers.unless else ""
    for field in _CONDITIONS:
        values = value_of(lesson, field)
        if isinstance(values, list) and values:
            text += f", {field.label} {' or '.join(map(str, values))}"
    return text


def _list_trusted() -> None:
    trusted = settings.trusted_projects(paths.data_home())
    changes = {root: team.unchanged(root, trust)[1] for root, trust in trusted.items()}
    projects = [
        {"project": root, "trustedAt": trust.trusted_at, "lessons": len(trust.taken), "changes": changes[root]}
        for root, trust in trusted.items()
    ]
    rows = [
        (len(trust.taken), "changed" if changes[root] else "up to date", trust.trusted_at, root)
        for root, trust in trusted.items()
    ]
    empty = "No trusted projects yet. `lessons team trust DIR` shows the lessons of one."
    columns = ("lessons", "state", "trusted at", "project")
    render.emit({"projects": projects}, lambda: render.table(columns, rows, empty))
    render.warn([sentence for sentences in changes.values() for sentence in sentences])


def _stop_trusting(folder: str) -> None:
    """Finds the project by its stored name, as the folder may be missing."""
    home = paths.data_home()
    trusted = settings.trusted_projects(home)
    places = (os.path.abspath(folder), os.path.realpath(folder))
    root = next((place for place in places if place in trusted), None)
    if root is None and os.path.isdir(folder):
        root = project_folder.root_above(folder)
    if root is None or not settings.distrust(home, root):
        raise NotFound(f"{places[0]} is not trusted. `lessons team trust --list` lists the trusted projects.")
    decisions.record(home, "distrusted", root)
    publish(home)
    done = f"{root} is no longer trusted: its lessons no longer fire."
    render.emit({"project": root, "trusted": False}, lambda: put(done))


@command.command("verify", short_help="Check the lessons of a project, for CI")
@click.argument("places", metavar="[DIR|FILE]...", nargs=-1)
@render.json_option
def verify_command(places: tuple[str, ...]) -> int:
    """Check the lessons of a project, for CI: one line per problem, and exit code 1 if there is any.

    Checks the files in the folder .lessons, here or in the given projects: fields, texts, triggers, examples, slow
    patterns, duplicate slugs. Needs no data home and changes nothing.
    """
    found = verify(places or (".",))
    problems = [{"file": each.file, "problem": each.sentence} for each in found.problems]
    lines = [render.for_log(f"{each.file}: {each.sentence}") for each in found.problems]
    lines = lines or [f"{found.files} lesson{' is' if found.files == 1 else 's are'} valid."]
    document = {"ok": not problems, "files": found.files, "problems": problems}
    render.emit(document, lambda: render.say("\n".join(lines)))
    return 1 if problems else 0


@command.command("import", short_help="Import lessons from elsewhere, for review")
@click.argument("place", metavar="FILE|DIR")
@click.option(
    "--format", "chosen", type=click.Choice(("auto", *sources.FORMATS)), default="auto", help="The format of the file."
)
@click.option("--dry-run", is_flag=True, help="Show what would be imported, and import nothing.")
@click.option("--yes", is_flag=True, help="Take over lessons of lessons-learned as they are, blocks included.")
@render.json_option
def import_command(place: str, chosen: str, dry_run: bool, yes: bool) -> int:
    """Import lessons from elsewhere, for review: for example  lessons team import lessons.json

    Understands lessons.json and manifest of lessons-learned, and rules of hookify (for those in a CLAUDE.md see
    `lessons rules`). Each goes through the same checks as one that you write yourself and becomes a candidate: nothing
    fires before you promote it. Lessons of lessons-learned can be taken over whole instead
    (asked once, or --yes): with their ids, priorities and texts, blocks included, and they fire at once.
    """
    found = sources.read(place, None if chosen == "auto" else chosen)
    home = paths.data_home() if dry_run else data_home()
    takes_over = yes or (not dry_run and render.can_ask() and _agrees_to_take_over(found))
    lines = review.into_review(home, found, redacted, dry_run, takes_over)
    counts = Counter(line.result for line in lines)
    document = {
        "taken": counts[review.TAKEN],
        "refused": counts[review.REFUSED],
        "alreadyThere": counts[review.ALREADY_THERE],
        "dryRun": dry_run,
        "lines": [line._asdict() for line in lines],
    }

    def print_all() -> None:
        for line in lines:
            where = os.path.basename(line.file)
            part = where if line.place in ("", where) else f"{where}, {line.place}"
            reason = f": {line.reason}" if line.reason else ""
            put(f"{part} ({line.name}){reason}", 0, _COLOURS[line.result], line.result.ljust(_WIDTH))
        if not lines:
            render.note("Found nothing to import.")
            return
        total = ", ".join(f"{counts[result]} {result}" for result in _COLOURS)
        render.note(f"{total}.{' Nothing was stored: this was a dry run.' if dry_run else ''}")
        if counts[review.TAKEN] and not dry_run and not takes_over:
            render.note("Next: `lessons review`. Nothing fires before you promote it.")
            if any(draft.is_whole for source in found for draft in source.drafts):
                render.note("`--yes` takes over lessons of lessons-learned as they are, blocks included.")

    render.emit(document, print_all)
    return 1 if counts[review.REFUSED] == len(lines) else 0


def _agrees_to_take_over(found: list[review.Source]) -> bool:
    """Asks once about all lessons that are whole; without a yes they become candidates."""
    whole = [draft.document for source in found for draft in source.drafts if draft.is_whole]
    blocks = sum(document.get("block") is True for document in whole)
    blocking = f", {blocks} of which block{'s' if blocks == 1 else ''} calls" if blocks else ""
    question = f"Take over {render.many(len(whole), 'lesson')} as they are{blocking}? They fire at once (else: review)"
    return bool(whole) and click.confirm(question, default=False)
