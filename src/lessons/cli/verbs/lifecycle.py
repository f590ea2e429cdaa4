"""`lessons archive`, `lessons mute` and `lessons feedback`: what becomes of a lesson that is there."""

import time

import click

from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.options import Duration, complete_slug, known_lesson, naming_own_lesson, slug_argument
from lessons.cli.terminal import require_person
from lessons.errors import NotFound, Refused
from lessons.ledger.tend import record_feedback
from lessons.promote import catalog
from lessons.promote.intake import new_id
from lessons.promote.remembered import is_name, remembered
from lessons.store import decisions, passes

_SECONDS_OF_A_PASS = 600.0


@click.command("archive", short_help="Retire a lesson: it is kept but no longer fires")
@slug_argument
@click.option("--reason", default="", help="Why, for the record.")
@click.option("--off", is_flag=True, help="Bring back a retired lesson.")
@render.json_option
def archive(slug: str, reason: str, off: bool, as_json: bool) -> None:
    """Retire a lesson: it is kept but no longer fires. `lessons archive --off` brings it back."""
    home = data_home()
    if off:
        stored = catalog.restore(home, slug)
        decisions.record(home, "unarchived", str(stored.record["slug"]), reason)
        render.warn(stored.warnings)
        render.emit(as_json, stored.record, lambda: render.say(f"{stored.record['slug']} fires again."))
        return
    with naming_own_lesson(home, slug):
        stored = catalog.retire(home, slug)
    name = str(stored.record["slug"])
    decisions.record(home, "archived", name, reason)
    done = f"Retired {name}: it no longer fires. Run `lessons archive --off {name}` to bring it back."
    render.emit(as_json, stored.record, lambda: render.say(done))


@click.command("mute", short_help="Silence a lesson, for a time or until unmuted")
@click.argument("slug", metavar="SLUG", required=False, shell_complete=complete_slug)
@click.option("--for", "seconds", type=Duration(), help="How long, such as 30m, 2h, 1d.  [default: until unmuted]")
@click.option("--once", is_flag=True, help="Let the next call that it would block pass, within 10m (or --for).")
@click.option("--memory", "name", metavar="NAME", help="Silence what memory says about one mistake (`lessons log`).")
@click.option("--off", is_flag=True, help="Unmute it.")
@click.option("--list", "listing", is_flag=True, help="List the muted lessons.")
@render.json_option
def mute(
    slug: str | None, seconds: float | None, once: bool, name: str | None, off: bool, listing: bool, as_json: bool
) -> None:
    """Silence a lesson, for a time or until unmuted. A muted lesson is not shown, stops nothing and blocks nothing.

    With --once only the next call that it would block runs; later ones are blocked again. That needs a terminal and is
    refused to agents: a blocked agent must not unblock itself.
    """
    if listing:
        if slug or name or off or once or seconds is not None:
            raise click.UsageError("--list and SLUG, --memory, --for or --off cannot be used together.")
        _list_mutes(as_json)
        return
    if (slug is None) == (name is None):
        raise click.UsageError("Give the SLUG of a lesson, or --memory NAME, or --list.")
    if off and (once or seconds is not None):
        raise click.UsageError(f"--off and {'--once' if once else '--for'} cannot be used together.")
    if once:
        if slug is None:
            raise click.UsageError("--once needs the SLUG of a lesson.")
        _allow(slug, _SECONDS_OF_A_PASS if seconds is None else seconds, as_json)
        return
    home = data_home()
    found = _named(home, slug, name)
    if off:
        _unmute(home, found, as_json)
        return
    until = None if seconds is None else time.time() + seconds
    passes.mute(home, found, until)
    decisions.record(home, "muted", found)
    when = "" if until is None else " " + render.until(until)
    done = f"Muted {found}{when}. Run `lessons mute --off {found}` to end it."
    render.emit(as_json, {"slug": found, "muted": True, "until": until}, lambda: render.say(done))


def _named(home: str, slug: str | None, name: str | None) -> str:
    """Returns the slug of a lesson, or the name of a memory, which needs no option where no lesson has that name."""
    if (slug or name) in passes.muted(home, time.time()):
        return str(slug or name)  # it need not be remembered any more
    if slug is None:
        return remembered(home, name or "").name
    try:
        return str(known_lesson(home, slug)["slug"])
    except NotFound:
        if not is_name(slug):
            raise
        return remembered(home, slug).name


def _list_mutes(as_json: bool) -> None:
    found = passes.muted(data_home(), time.time())
    rows = [(slug, "until unmuted" if until is None else render.until(until)) for slug, until in found.items()]
    document = {"muted": [{"slug": slug, "until": until} for slug, until in found.items()]}
    render.emit(as_json, document, lambda: render.table(("slug", "muted"), rows, "No lesson is muted."))


def _unmute(home: str, found: str, as_json: bool) -> None:
    if found not in passes.muted(home, time.time()):
        raise Refused(f"{found} is not muted: `lessons mute --list` lists the muted lessons.")
    passes.unmute(home, found)
    decisions.record(home, "unmuted", found)
    document = {"slug": found, "muted": False, "until": None}
    render.emit(as_json, document, lambda: render.say(f"Unmuted {found}."))


def _allow(slug: str, seconds: float, as_json: bool) -> None:
    require_person("allow")
    home = data_home()
    record = known_lesson(home, slug)
    found = str(record["slug"])
    if record.get("block") is not True:
        raise Refused(f"{found} does not block. Run `lessons mute {found}` to silence it.")
    until = time.time() + seconds
    passes.allow(home, found, new_id(), until)
    decisions.record(home, "allowed", found)
    end = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(until))
    done = f"The next call that {found} would block passes, if it runs before {end}."
    render.emit(as_json, {"slug": found, "until": until}, lambda: render.say(done))


@click.command("feedback", short_help="Say whether a lesson was good or bad")
@slug_argument
@click.argument("verdict", type=click.Choice(["good", "bad"]))
@click.option("--why", default="", help="Why, in a sentence, for the record.")
@render.json_option
def feedback(slug: str, verdict: str, why: str, as_json: bool) -> None:
    """Say whether a lesson was good or bad. It counts in `lessons tend` and is shown by `lessons stats`."""
    home = data_home()
    name = str(known_lesson(home, slug)["slug"])
    note = record_feedback(home, name, verdict, why)
    document = {"slug": name, "verdict": verdict, "why": note.reason, "time": note.time}
    render.emit(as_json, document, lambda: render.say(f"Recorded: {name} is {verdict}. `lessons tend` counts it."))
