"""`lessons archive`, `lessons mute` and `lessons feedback`: what becomes of a lesson; `lessons undo`: the way back."""

import time

import click
import msgspec

from lessons import paths
from lessons.candidate import word_for
from lessons.cli import render
from lessons.cli.options import Duration, complete_slug, completer, data_home, naming_own_lesson, slug_argument
from lessons.cli.terminal import require_person
from lessons.errors import NotFound, Refused
from lessons.promote import catalog, decide
from lessons.promote.intake import new_id
from lessons.promote.remembered import is_name, remembered
from lessons.promote.undo import undo_change
from lessons.prove.tend import record_feedback
from lessons.store import decisions, lesson_file, manifest, passes
from lessons.store.decisions import Decision, Note

_SECONDS_OF_A_PASS = 600.0


@click.command("archive", short_help="Retire a lesson: it is kept but no longer fires")
@slug_argument
@click.option("--reason", default="", help="Why, for the record.")
@click.option("--off", is_flag=True, help="Bring back a retired lesson.")
@render.json_option
def archive(slug: str, reason: str, off: bool) -> None:
    """Retire a lesson: it is kept but no longer fires. `lessons archive --off` brings it back."""
    home = data_home()
    if off:
        stored = catalog.restore(home, slug)
        done = f"{stored.record['slug']} fires again."
        render.warn(stored.warnings)
    else:
        with naming_own_lesson(home, slug):
            stored = catalog.retire(home, slug)
        name = stored.record["slug"]
        done = f"Retired {name}: it no longer fires. Run `lessons archive --off {name}` to bring it back."
    decisions.record(home, "unarchived" if off else "archived", str(stored.record["slug"]), reason)
    render.emit(stored.record, lambda: render.say(done))


@click.command("mute", short_help="Silence a lesson, for a time or until unmuted")
@click.argument("slug", metavar="SLUG", required=False, shell_complete=complete_slug)
@click.option("--for", "seconds", type=Duration(), help="How long, such as 30m, 2h, 1d.  [default: until unmuted]")
@click.option("--once", is_flag=True, help="Let the next call that it would block pass, within 10m (or --for).")
@click.option("--memory", "name", metavar="NAME", help="Silence what memory says about one mistake (`lessons log`).")
@click.option("--off", is_flag=True, help="Unmute it.")
@click.option("--list", "listing", is_flag=True, help="List the muted lessons.")
@render.json_option
def mute(slug: str | None, seconds: float | None, once: bool, name: str | None, off: bool, listing: bool) -> None:
    """Silence a lesson, for a time or until unmuted. A muted lesson is not shown, stops nothing and blocks nothing.

    With --once only the next call that it would block runs; later ones are blocked again. That needs a terminal and is
    refused to agents: a blocked agent must not unblock itself.
    """
    if listing and (slug or name or off or once or seconds is not None):
        raise click.UsageError("--list and SLUG, --memory, --for or --off cannot be used together.")
    if not listing and (slug is None) == (name is None):
        raise click.UsageError("Give the SLUG of a lesson, or --memory NAME, or --list.")
    if off and (once or seconds is not None):
        raise click.UsageError(f"--off and {'--once' if once else '--for'} cannot be used together.")
    if once and slug is None:
        raise click.UsageError("--once needs the SLUG of a lesson.")
    if once:
        require_person("allow")
    home = data_home()
    until = None if seconds is None else time.time() + seconds
    if listing:
        muted = passes.muted(home, time.time())
        rows = [(each, "until unmuted" if end is None else render.until(end)) for each, end in muted.items()]
        document: dict[str, object] = {"muted": [{"slug": each, "until": end} for each, end in muted.items()]}
        render.emit(document, lambda: render.table(("slug", "muted"), rows, "No lesson is muted."))
    elif once:
        _allow(home, str(slug), until or time.time() + _SECONDS_OF_A_PASS)
    elif off:
        found = _muted_name(home, slug, name)
        if found not in passes.muted(home, time.time()):
            raise Refused(f"{found} is not muted: `lessons mute --list` lists the muted lessons.")
        passes.unmute(home, found)
        decisions.record(home, "unmuted", found)
        document = {"slug": found, "muted": False, "until": None}
        render.emit(document, lambda: render.say(f"Unmuted {found}."))
    else:
        found = _muted_name(home, slug, name)
        passes.mute(home, found, until)
        decisions.record(home, "muted", found)
        when = "" if until is None else " " + render.until(until)
        done = f"Muted {found}{when}. Run `lessons mute --off {found}` to end it."
        render.emit({"slug": found, "muted": True, "until": until}, lambda: render.say(done))


def _muted_name(home: str, slug: str | None, name: str | None) -> str:
    """Returns the slug of a lesson, or the name of a memory, which needs no option where no lesson has that name."""
    if (slug or name) in passes.muted(home, time.time()):
        return str(slug or name)  # it need not be remembered any more
    if slug is None:
        return remembered(home, name or "").name
    try:
        return str(_published_or_stored(home, slug)["slug"])
    except NotFound:
        if not is_name(slug):
            raise
        return remembered(home, slug).name


def _published_or_stored(home: str, name: str) -> dict[str, object]:
    """Returns the lesson in lessons.json, or in a manifest that another system wrote."""
    try:
        return lesson_file.read(home).find(name)
    except NotFound:
        try:
            entries = manifest.read(home)[1]
        except manifest.UnusableManifest:
            entries = {}
        for entry in entries.values():
            if entry.get("slug") == name:
                return entry
        raise


def _allow(home: str, slug: str, until: float) -> None:
    """Lets the next call pass that the lesson would block."""
    record = _published_or_stored(home, slug)
    found = str(record["slug"])
    if record.get("block") is not True:
        raise Refused(f"{found} does not block. Run `lessons mute {found}` to silence it.")
    passes.allow(home, found, new_id(), until)
    decisions.record(home, "allowed", found)
    end = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(until))
    done = f"The next call that {found} would block passes, if it runs before {end}."
    render.emit({"slug": found, "until": until}, lambda: render.say(done))


@click.command("feedback", short_help="Say whether a lesson was good or bad")
@slug_argument
@click.argument("verdict", type=click.Choice(["good", "bad"]))
@click.option("--why", default="", help="Why, in a sentence, for the record.")
@render.json_option
def feedback(slug: str, verdict: str, why: str) -> None:
    """Say whether a lesson was good or bad. It counts in `lessons tend` and is shown by `lessons stats`."""
    home = data_home()
    name = str(_published_or_stored(home, slug)["slug"])
    note = record_feedback(home, name, verdict, why)
    document = {"slug": name, "verdict": verdict, "why": note.reason, "time": note.time}
    render.emit(document, lambda: render.say(f"Recorded: {name} is {verdict}. `lessons tend` counts it."))


_CHANGES = {
    "added": "Removed {}: added last, and unchanged since.",
    "archived": "{} fires again.",
    "unarchived": "Retired {} again.",
    "muted": "Unmuted {}.",
    "unmuted": "Muted {} again.",
    "trusted": "{} is no longer trusted.",
}
_complete = completer(lambda home: (each.id for each in decisions.standing(decisions.read(home)) if not each.part_of))


@click.command("undo", short_help="Undo the last change, or an earlier decision")
@click.argument("decision", required=False, metavar="[ID]", shell_complete=_complete)
@click.option("--list", "listed", is_flag=True, help="List the decisions that can be undone, latest first.")
@render.json_option
def undo(decision: str | None, listed: bool) -> None:
    """Undo the last change, or an earlier decision: the one with this ID.

    Changes are add, edit, archive, mute and trust; decisions are promote, reject, merge, an edit and a step of tend. A
    lesson that was added or promoted is removed, and its candidate is back in review. If it was changed since, it is
    kept and nothing is undone.
    """
    if listed and decision is not None:
        raise click.UsageError("Use --list or an ID, not both.")
    home = paths.data_home()
    decide.settle(home)
    if not listed:
        undone = undo_change(home, decision)
        render.emit(msgspec.to_builtins(undone), lambda: render.say(_message(home, undone)))
        return
    found = [each for each in reversed(decisions.standing(decisions.read(home))) if not each.part_of]
    rows = [(each.id, each.time, _word_for(each), each.fingerprint, each.slug or each.reason) for each in found]
    columns = ("id", "time", "decision", "candidate", "about")
    empty = "No decision is left that can be undone."
    render.emit({"decisions": msgspec.to_builtins(found)}, lambda: render.table(columns, rows, empty))


def _word_for(decision: Decision) -> str:
    word = f"no to {decision.step}" if decision.action == "kept" else decision.step or word_for(decision.action)
    return f"{word} by {decision.by}" if decision.by else word


def _message(home: str, undone: Decision | Note) -> str:
    if isinstance(undone, Note):
        return _CHANGES[undone.reason].format(undone.slug)
    before = next(each for each in decisions.read(home) if each.id == undone.undoes)
    if before.action == "kept":
        return f"{before.slug} is proposed again ({before.step})."
    if not before.fingerprint:
        return f"{before.slug} is as it was before ({before.step} undone)."
    then = f"{before.fingerprint} is back in review."
    done = "Removed" if before.action == "promoted" else "Restored"
    return f"{done} {before.slug}. {then}" if before.slug else then
