"""`lessons init`: a machine with agents in, its history read and the first lessons out."""

import os

import click

from lessons import config
from lessons.agents.table import DEFAULT_AGENT
from lessons.capture.run import Options, refuse_unknown
from lessons.cli import render
from lessons.cli.verbs.home import data_home
from lessons.errors import Refused


@click.command("init", short_help="Begin: read your history and make the first lessons")
@click.option("--yes", is_flag=True, help="Ask nothing: put the best five candidates into shadow.")
@click.option("--path", "folders", multiple=True, metavar="DIR", help="Read below this folder (several allowed).")
@click.option("--agent", default=DEFAULT_AGENT, show_default=True, help="Whose transcripts they are.")
@click.option("--no-install", is_flag=True, help="Leave the settings of the agent alone.")
@click.option("--project", is_flag=True, help="Only this: keep the state of this project's sessions in the project.")
@render.json_option
def command(yes: bool, folders: tuple[str, ...], agent: str, no_install: bool, project: bool, as_json: bool) -> int:
    """Begin: read your history and make the first lessons. Running it again does nothing twice.

    It looks for your agents, offers to put the hook into their settings, reads the transcripts they left, and walks
    through the five most rewarding candidates with you.

    With --yes it asks nothing. The best five become lessons in shadow: their matches are logged, the agent sees
    nothing. The hook is then put in only where the agent's own transcripts were read: with --path the settings are
    left alone.

    --project does one other thing, for the project you are in: what its sessions were doing (docs/STATE.md) is kept in
    .claude/hooks and .claude/state there instead of in the data home. The folders are made, .gitignore gets lines for
    them, and what the data home already holds of the project is moved. It tells the name of a file project.json: delete
    that to undo it. The data home is used again then; the two folders stay, for you to keep or delete.
    """
    if project:
        if yes or folders or no_install:
            raise click.UsageError("--project stands alone: leave out --yes, --path and --no-install.")
        from lessons.cli.init import project as init_project

        return init_project.run(as_json)
    if "" in folders:
        raise Refused("--path is empty: name a folder that holds transcripts.")
    refuse_unknown(agent)
    # Loaded only now: they need rich and much else.
    from lessons.cli.init import steps
    from lessons.cli.init import summary as init_summary
    from lessons.cli.init.agents import detect

    home = data_home()
    quiet = as_json or not render.can_ask()
    options = Options([os.path.abspath(folder) for folder in folders], agent)
    agents = detect()
    tell = (lambda text: None) if as_json else init_summary.tell
    for each in agents:
        tell(each.sentence())
    hook = steps.hook(home, agent, agents, no_install, yes, bool(folders), quiet, tell)
    coverage = steps.read(home, options, as_json, tell)
    made = steps.lessons(home, config.load(home), yes, quiet, tell)
    summary = init_summary.Summary(agent, agents, hook, coverage, made)
    render.emit(as_json, summary.document(), summary.print)
    return 0
