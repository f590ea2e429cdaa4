"""`lessons config`: a key, or a key and a value, in, the settings out."""

import json
import os

import click

from lessons import config, paths
from lessons.cli import render
from lessons.cli.verbs.home import data_home
from lessons.errors import LessonsError
from lessons.promote.publish.publish import publish
from lessons.store import config_file


def _complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    return [key for key in config.RULES if key.startswith(incomplete)]


@click.group("config", short_help="Show and change the settings", invoke_without_command=True)
@render.json_option
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """Show and change the settings of config.json. Each has an environment variable that wins over the file."""
    if context.invoked_subcommand is None:
        context.invoke(list_all, as_json=as_json)
    elif as_json:
        raise click.UsageError(f"Write --json after {context.invoked_subcommand}.")


@command.command("list")
@render.json_option
def list_all(as_json: bool) -> None:
    """Show every setting, its value, and where the value comes from."""
    home = paths.data_home()
    rows = config.listing(home)
    document = {"settings": [{"key": row.key, "value": row.value, "source": row.source} for row in rows]}
    lines = [(row.key, json.dumps(row.value), row.source, config.variable_for(row.key)) for row in rows]
    render.emit(as_json, document, lambda: render.table(("setting", "value", "from", "variable"), lines, ""))
    render.warn(config.warnings(home))


@command.command("get")
@click.argument("key", shell_complete=_complete)
@render.json_option
def get(key: str, as_json: bool) -> None:
    """Show one setting."""
    value = config.get(paths.data_home(), key)
    render.emit(as_json, {"key": key, "value": value}, lambda: click.echo(json.dumps(value)))


@command.command("set")
@click.argument("key", shell_complete=_complete)
@click.argument("value")
@render.json_option
def set_one(key: str, value: str, as_json: bool) -> None:
    """Change one setting, and rebuild what the hook reads."""
    home = data_home()
    stored = config_file.set_value(home, key, value)
    if os.path.exists(paths.manifest_file(home)):
        try:
            publish(home)
        except LessonsError as damaged:
            render.warn([str(damaged)])
    variable = config.variable_for(key)
    if os.environ.get(variable):
        render.warn([f"{variable} is set in this environment and wins over the file."])
    render.emit(as_json, {"key": key, "value": stored}, lambda: click.echo(f"{key} is now {json.dumps(stored)}."))
