"""`lessons init`: reads the history of this machine and makes the first lessons."""

import os
from functools import partial

import click
import msgspec

from lessons import config, paths
from lessons.agents.found import found_agents
from lessons.cli import after_scan, render
from lessons.cli.home import data_home
from lessons.cli.options import whose_transcripts
from lessons.errors import Refused
from lessons.scan.run import Options, refuse_unknown


@click.command("init", short_help="Start: read your history and make the first lessons")
@click.option("--yes", is_flag=True, help="Do not ask; put the best five lessons into shadow.")
@click.option("--path", "folders", multiple=True, metavar="DIR", help="Read below this folder (repeatable).")
@whose_transcripts
@click.option("--no-install", is_flag=True, help="Do not change the agent's settings.")
@click.option("--project", is_flag=True, help="Only store the state of this project's sessions in the project.")
@render.json_option
def command(
    yes: bool, folders: tuple[str, ...], agents: tuple[str, ...], no_install: bool, project: bool, as_json: bool
) -> int:
    """Start: read your history and make the first lessons. Safe to run again.

    Finds your agents, offers to add the hook to their settings, and reads their transcripts. Then it offers starter
    lessons that would have caught a failed call of yours. Then it shows the five candidates with the best
    evidence that need no edit. What you accept is stored at once. Last, it offers to let your agent write lessons
    from the failures that are left; nothing is sent unless you say yes.

    With --yes it does not ask. The best five, including starter lessons, start in shadow: matches are logged, the
    agent sees nothing. With --path the hook is not added.

    With --project it does only this: it stores the state of this project's sessions (docs/STATE.md) in
    .claude/hooks and .claude/state of the project instead of the data home. It creates the folders, updates
    .gitignore and moves existing state. To undo it, delete the file project.json that it names; the two folders
    stay until you delete them.
    """
    if project:
        if yes or folders or no_install:
            raise click.UsageError("--project cannot be combined with --yes, --path or --no-install.")
        from lessons.cli import init

        return init.set_up(as_json)
    if "" in folders:
        raise Refused("--path is empty: give a folder with transcripts.")
    refuse_unknown(agents)
    _start(yes, Options([os.path.abspath(folder) for folder in folders], agents), no_install, as_json)
    return 0


def _start(yes: bool, options: Options, no_install: bool, as_json: bool) -> None:
    # Imported late: they need rich and much else.
    from lessons.cli import init

    home = paths.data_home()
    quiet = as_json or not render.can_ask()
    options = msgspec.structs.replace(options, is_awaited=after_scan.is_awaited(as_json))
    found = found_agents()
    tell = (lambda text: None) if as_json else init.tell
    for each in found:
        tell(init.found_sentence(each))
    may = init.May(no_install, yes, bool(options.folders), quiet)
    added = [init.offer_hook(home, agent, found, may, tell) for agent in init.agents_to_hook(options.agents, found)]
    data_home()  # created only now: an init that is left at its first question leaves nothing behind
    is_asked = not (quiet or yes)
    if is_asked:
        init.ask_protocol(home, added, tell)
    coverage = init.read_history(home, options, as_json, tell)
    settings = config.load(home)
    made = init.first_lessons(home, settings, yes, quiet, tell)
    headline = partial(init.headline, home, settings, as_json)
    summary = init.Summary(found, added, coverage, made, settings.lesson_protocol, is_asked, headline)
    render.emit(as_json, summary.document() if as_json else None, summary.print)  # its last sentence takes time
