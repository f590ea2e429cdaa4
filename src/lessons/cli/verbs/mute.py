"""`lessons mute`: silences a lesson, for a time or until `lessons unmute`."""

import time

import click

from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.options.durations import Duration
from lessons.cli.options.slugs import known_lesson, slug_argument
from lessons.store import decisions, passes


@click.command("mute", short_help="Silence a lesson, for a time or until unmuted")
@slug_argument
@click.option("--for", "seconds", type=Duration(), help="How long, such as 30m, 2h, 1d.  [default: until unmuted]")
@click.option("--off", is_flag=True, help="Unmute it (same as `lessons unmute`).")
@render.json_option
def command(slug: str, seconds: float | None, off: bool, as_json: bool) -> None:
    """Silence a lesson, for a time or until unmuted. A muted lesson is not shown, stops nothing and blocks nothing."""
    if off and seconds is not None:
        raise click.UsageError("--off and --for cannot be used together.")
    if off:
        unmute(slug, as_json)
        return
    home = data_home()
    found = str(known_lesson(home, slug)["slug"])
    until = None if seconds is None else time.time() + seconds
    passes.mute(home, found, until)
    decisions.record(home, "muted", found)
    end = "" if until is None else f" until {time.strftime('%Y-%m-%d %H:%M', time.localtime(until))}"
    done = f"Muted {found}{end}. Run `lessons unmute {found}` to end it."
    render.emit(as_json, {"slug": found, "muted": True, "until": until}, lambda: render.say(done))


def unmute(slug: str, as_json: bool) -> None:
    home = data_home()
    found = str(known_lesson(home, slug)["slug"])
    passes.unmute(home, found)
    decisions.record(home, "unmuted", found)
    document = {"slug": found, "muted": False, "until": None}
    render.emit(as_json, document, lambda: render.say(f"Unmuted {found}."))
