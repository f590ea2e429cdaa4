"""`lessons mute`: a slug and a time in, the lesson silent for that long out."""

import time

import click

from lessons.cli import render
from lessons.cli.options.durations import Duration
from lessons.cli.options.slugs import known_lesson, slug_argument
from lessons.cli.verbs.home import data_home
from lessons.store import decisions, passes


@click.command("mute", short_help="Silence a lesson, for a time or until unmuted")
@slug_argument
@click.option("--for", "seconds", type=Duration(), help="How long, such as 30m, 2h, 1d; without it until --off.")
@click.option("--off", is_flag=True, help="Let the lesson act again.")
@render.json_option
def command(slug: str, seconds: float | None, off: bool, as_json: bool) -> None:
    """Silence a lesson, for a time or until unmuted. It is not shown, stops nothing and blocks nothing."""
    if off and seconds is not None:
        raise click.UsageError("--off and --for cannot be used together.")
    home = data_home()
    found = str(known_lesson(home, slug)["slug"])
    until = None if seconds is None else time.time() + seconds
    if off:
        passes.unmute(home, found)
    else:
        passes.mute(home, found, until)
    decisions.record(home, "unmuted" if off else "muted", found)
    end = "until `--off`" if until is None else f"until {time.strftime('%Y-%m-%d %H:%M', time.localtime(until))}"
    done = f"{found} acts again." if off else f"{found} is muted {end}."
    render.emit(as_json, {"slug": found, "muted": not off, "until": until}, lambda: render.say(done))
