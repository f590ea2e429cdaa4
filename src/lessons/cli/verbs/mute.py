"""`lessons mute`: silences a lesson, for a time or until `lessons unmute`."""

import time

import click

from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.options.durations import Duration
from lessons.cli.options.memories import remembered
from lessons.cli.options.slugs import complete_slug, known_lesson
from lessons.errors import Refused
from lessons.store import decisions, passes


@click.command("mute", short_help="Silence a lesson, for a time or until unmuted")
@click.argument("slug", metavar="SLUG", required=False, shell_complete=complete_slug)
@click.option("--for", "seconds", type=Duration(), help="How long, such as 30m, 2h, 1d.  [default: until unmuted]")
@click.option("--memory", "name", metavar="NAME", help="Silence what memory says about one mistake (`lessons log`).")
@click.option("--off", is_flag=True, help="Unmute it (same as `lessons unmute`).")
@click.option("--list", "listing", is_flag=True, help="List the muted lessons.")
@render.json_option
def command(slug: str | None, seconds: float | None, name: str | None, off: bool, listing: bool, as_json: bool) -> None:
    """Silence a lesson, for a time or until unmuted. A muted lesson is not shown, stops nothing and blocks nothing."""
    if listing:
        if slug or name or off or seconds is not None:
            raise click.UsageError("--list and SLUG, --memory, --for or --off cannot be used together.")
        list_mutes(as_json)
        return
    if (slug is None) == (name is None):
        raise click.UsageError("Give the SLUG of a lesson, or --memory NAME, or --list.")
    if off and seconds is not None:
        raise click.UsageError("--off and --for cannot be used together.")
    home = data_home()
    found = str(known_lesson(home, slug)["slug"]) if slug else remembered(home, name or "").name
    if off:
        unmute(found, as_json)
        return
    until = None if seconds is None else time.time() + seconds
    passes.mute(home, found, until)
    decisions.record(home, "muted", found)
    done = f"Muted {found}{'' if until is None else ' ' + render.until(until)}. Run `lessons unmute {found}` to end it."
    render.emit(as_json, {"slug": found, "muted": True, "until": until}, lambda: render.say(done))


def list_mutes(as_json: bool) -> None:
    found = passes.muted(data_home(), time.time())
    rows = [(slug, "until unmuted" if until is None else render.until(until)) for slug, until in found.items()]
    document = {"muted": [{"slug": slug, "until": until} for slug, until in found.items()]}
    render.emit(as_json, document, lambda: render.table(("slug", "muted"), rows, "No lesson is muted."))


def unmute(slug: str, as_json: bool) -> None:
    home = data_home()
    is_memory = slug in passes.muted(home, time.time())
    found = slug if is_memory else str(known_lesson(home, slug)["slug"])
    if found not in passes.muted(home, time.time()):
        raise Refused(f"{found} is not muted: `lessons mute --list` lists the muted lessons.")
    passes.unmute(home, found)
    decisions.record(home, "unmuted", found)
    document = {"slug": found, "muted": False, "until": None}
    render.emit(as_json, document, lambda: render.say(f"Unmuted {found}."))
