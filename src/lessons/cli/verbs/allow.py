"""`lessons allow`: lets the next call that a lesson would block pass."""

import time

import click

from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.options.durations import Duration
from lessons.cli.options.slugs import known_lesson, slug_argument
from lessons.cli.person import require_person
from lessons.errors import Refused
from lessons.promote.intake.identity import new_id
from lessons.store import decisions, passes


@click.command("allow", short_help="Let a blocked call pass once")
@slug_argument
@click.option("--for", "seconds", type=Duration(), default=600.0, help="How long the pass is valid.  [default: 10m]")
@render.json_option
def command(slug: str, seconds: float, as_json: bool) -> None:
    """Let a blocked call pass once: the next call that this lesson would block runs, later ones are blocked again.

    Needs a terminal and is refused to agents: a blocked agent must not unblock itself.
    """
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
