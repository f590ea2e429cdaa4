"""`lessons rules`: what the rules in CLAUDE.md and its like are worth, and how to enforce one."""

import os
from collections import Counter

import click
import msgspec

from lessons import paths
from lessons.cli import render
from lessons.cli.options import data_home
from lessons.cli.render import many, put
from lessons.cli.terminal import ask_key, edit_line, single_keys
from lessons.errors import NotFound, Refused
from lessons.model import Triggers
from lessons.promote.backtest import compiled
from lessons.rules import report as reports
from lessons.rules.enforce import Effect, against, enforce
from lessons.rules.files import found_files, named_files
from lessons.rules.report import Row, RuleReport
from lessons.store.state_paths import root_of

_WHY_NOT = {"order": "needs the order of calls", "none": "cannot be checked", "depends": "depends on you", "broken": ""}
_EFFECTS: dict[str, Effect] = {"h": "hint", "s": "stopOnce", "b": "block"}
_DONE: dict[Effect, str] = {"hint": "a hint", "stopOnce": "a stop once a session", "block": "a block"}
_MOST_LISTED = 20  # of those that cannot be checked
_QUESTION = "[h]int [s]top [b]lock [l]ook [e]dit trigger [n]ext [q]uit "


@click.command("rules", short_help="Show how often the rules in CLAUDE.md were broken")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--enforce", "name", metavar="ID", help="Make a lesson of this rule: a hint, or with --stop or --block.")
@click.option("--stop", is_flag=True, help="With --enforce: stop the first such call of a session.")
@click.option("--block", is_flag=True, help="With --enforce: deny every such call.")
@click.option("--force", is_flag=True, help="With --enforce: override the back-test (logged).")
@click.option("--check", is_flag=True, help="For CI: exit code 1 if the sentence of an enforced rule changed.")
@click.option("--all", "everything", is_flag=True, help="List every rule that cannot be checked.")
@render.json_option
def command(
    files: tuple[str, ...], name: str | None, stop: bool, block: bool, force: bool, check: bool, everything: bool
) -> int:
    """Show how often the rules in CLAUDE.md were broken, and enforce one.

    Reads CLAUDE.md (yours and the project's, with @file imports), AGENTS.md, GEMINI.md, .cursor/rules,
    copilot-instructions and the agent's memory, or the given files. A sentence with a shape that can be checked gets a
    trigger, which is tested on your history: how often the rule applied, and how often it was broken. On a terminal you
    may turn broken rules into lessons. The files are never changed.
    """
    if (stop or block or force) and name is None:
        raise click.UsageError("--stop, --block and --force need --enforce ID.")
    if stop and block:
        raise click.UsageError("Use --stop or --block, not both.")
    home, root = paths.data_home(), root_of(os.getcwd())
    user_home = os.path.expanduser("~")
    found = named_files(files, root, user_home) if files else found_files(root, user_home)
    report = reports.report_of(home, found, root)
    render.warn(report.skipped)
    if name is not None:
        _enforce(_one(report, name), "block" if block else "stopOnce" if stop else "hint", force)
        return 0
    if check:
        changes = [{"slug": each.slug, "file": each.file, "line": each.line, "before": each.before, "after": each.after}
                   for each in report.changes]  # fmt: skip
        lines = [render.for_log(each.sentence) for each in report.changes] or ["No enforced rule changed."]
        render.emit({"ok": not changes, "changes": changes}, lambda: render.say("\n".join(lines)))
        return 1 if changes else 0
    document = {"rules": [row.document() for row in report.rows], "sessions": report.sessions}
    document["changes"] = [msgspec.to_builtins(each) for each in report.changes]
    render.emit(document, lambda: _print(report, everything))
    if render.can_ask():
        _walk(home, [row for row in report.rows if row.figures.breaches and not row.slug])
    return 0


def _one(report: RuleReport, name: str) -> Row:
    found = [row for row in report.rows if row.id.startswith(name)]
    if len(found) != 1:
        many_ = f"{len(found)} rules have an id that begins with {name}: write more of it."
        raise NotFound(many_ if found else f"No rule has the id {name}. `lessons rules --json` lists the ids.")
    return found[0]


def _enforce(row: Row, effect: Effect, force: bool) -> None:
    stored = enforce(data_home(), row, effect, force)
    render.warn(stored.warnings)
    waits = " It waits for a person: an agent added it." if stored.record.get("needsReview") else ""
    done = f"Stored {row.slug} ({_DONE[effect]}). It fires from the next call on."
    render.emit(stored.record, lambda: render.say(f"Stored {row.slug} ({_DONE[effect]}).{waits}" if waits else done))


def _print(report: RuleReport, everything: bool) -> None:
    if not report.rows:
        render.note("No rules found: no CLAUDE.md, AGENTS.md or other file with instructions has one.")
        return
    able = [row for row in report.rows if row.checked.broken]
    rest = [row for row in report.rows if not row.checked.broken]
    broken = sum(row.figures.broken for row in able)
    put(f"{many(len(report.rows), 'rule')}, {len(able)} can be checked: broken {broken:,} times"
        f" in {many(report.sessions, 'session')}.")  # fmt: skip
    columns = ("id", "broken", "of", "last", "enforced", "where", "rule")
    render.table(columns, [_cells(row) for row in able], "No rule can be checked.")
    for change in report.changes:
        put(change.sentence, 0, "yellow")
    if rest:
        reasons = Counter(row.checked.certainty for row in rest)
        put("Not checked: " + ", ".join(f"{number} {_WHY_NOT[kind]}" for kind, number in reasons.items()) + ".")
        shown = rest if everything or not render.is_terminal() else rest[:_MOST_LISTED]
        for row in shown:
            click.echo(render.cut(f"  {_place(row)}  {_WHY_NOT[row.checked.certainty]}: {row.written.text}"))
        if len(shown) < len(rest):
            render.note(f"  … and {len(rest) - len(shown)} more: --all lists them.")


def _cells(row: Row) -> tuple[object, ...]:
    figures = row.figures
    broken: object = figures.broken if row.checked.certainty == "broken" else f"{figures.unknown}?"
    text = row.written.text
    return (row.id[:6], broken, figures.applicable, figures.last_broken[:10], row.slug or "", _place(row), text)


def _place(row: Row) -> str:
    return f"{os.path.basename(row.written.file.path)}:{row.written.line}"


def _walk(home: str, rows: list[Row]) -> None:
    """Asks about each broken rule that nothing enforces."""
    if not rows:
        return
    click.echo()
    with single_keys():
        for row in rows:
            armed = ""
            put(row.written.text, 0, "bold", f"{_place(row)}  ")
            while True:
                key = ask_key(_QUESTION, "hsblenq")
                if key == "q":
                    return
                if key == "n":
                    break
                if key == "l":
                    _show_breaches(row)
                elif key == "e":
                    _edit_trigger(home, row)
                elif (reasons := against(home, row, _EFFECTS[key])) and armed != key:
                    armed = key
                    put(" ".join(reasons), 2, "yellow")
                    put(f"Press {key} again to do it anyway (logged).", 2)
                else:
                    try:
                        _enforce(row, _EFFECTS[key], force=True)
                    except Refused as refused:
                        render.note(str(refused))
                    break


def _show_breaches(row: Row) -> None:
    for past in row.figures.breaches:
        click.secho(render.cut(f"  {past.time[:16].replace('T', ' ')}  {past.outcome}"), dim=True)
        click.echo(render.cut(f"    {past.command or past.path or past.tool}"))


def _edit_trigger(home: str, row: Row) -> None:
    """Lets the person change the patterns one by one, and counts again."""
    triggers = row.checked.broken or Triggers()
    changed: dict[str, list[str]] = {}
    for field in ("command_patterns", "path_patterns", "content_patterns"):
        patterns = [edit_line(field.replace("_", " "), each) for each in getattr(triggers, field)]
        changed[field] = [each for each in patterns if each]
    after = msgspec.structs.replace(triggers, **changed)
    try:
        compiled(after)
    except Refused as refused:
        render.note(str(refused))
        return
    row.checked = row.checked._replace(broken=after)
    reports.count(home, [row])
    put(f"Now broken {row.figures.broken:,} times of {row.figures.applicable:,}.", 2)
