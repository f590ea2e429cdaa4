"""`lessons config`: shows and changes the settings of config.json."""

import json
import os

import click
from click.shell_completion import CompletionItem

from lessons import config, paths
from lessons.cli import render
from lessons.cli.options import Noun, completer, data_home, noun
from lessons.errors import LessonsError
from lessons.promote.publish.build import publish
from lessons.settings import variable_for
from lessons.store import settings

_key = click.argument("key", shell_complete=completer(lambda home: config.SETTINGS))


class _Group(Noun):
    """A group that takes `KEY` for `get KEY` and `KEY VALUE` for `set KEY VALUE`, as `git config` does."""

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if arguments[0] in config.SETTINGS:
            values = [each for each in arguments[1:] if each != "--json"]
            arguments = ["set" if values else "get", *arguments]
        return super().resolve_command(context, arguments)

    def shell_complete(self, context: click.Context, incomplete: str) -> list[CompletionItem]:
        keys = [CompletionItem(key) for key in config.SETTINGS if key.startswith(incomplete)]
        return [*super().shell_complete(context, incomplete), *keys]


@noun("config", "Show and change the settings", cls=_Group)
@render.json_option
def command() -> None:
    """Show and change the settings of config.json. Environment variables override the file.

    `lessons config KEY` shows one setting, `lessons config KEY VALUE` changes it.
    """
    click.get_current_context().invoke(list_all)


@command.command("list")
@render.json_option
def list_all() -> None:
    """List every setting with its value and its source."""
    home = paths.data_home()
    rows = config.listing(home)
    document = {"settings": [{"key": row.key, "value": row.value, "source": row.source} for row in rows]}
    lines = [(row.key, json.dumps(row.value), row.source, variable_for(row.key)) for row in rows]
    render.emit(document, lambda: render.table(("setting", "value", "from", "variable"), lines, ""))
    render.warn(config.warnings(home))


@command.command("get")
@_key
@render.json_option
def get(key: str) -> None:
    """Show one setting."""
    value = config.get(paths.data_home(), key)
    render.emit({"key": key, "value": value}, lambda: click.echo(json.dumps(value)))


@command.command("set", context_settings={"ignore_unknown_options": True})  # a value may be -5
@_key
@click.argument("value")
@render.json_option
def set_one(key: str, value: str) -> None:
    """Change one setting."""
    home = data_home()
    stored = settings.set_value(home, key, value)
    _apply(home, key)
    render.emit({"key": key, "value": stored}, lambda: click.echo(f"{key} is now {json.dumps(stored)}."))


@command.command("unset")
@_key
@render.json_option
def unset(key: str) -> None:
    """Reset one setting to its default."""
    home = data_home()
    removed = settings.unset_value(home, key)
    _apply(home, key)
    value = config.get(home, key)
    done = f"Removed {key} from config.json" if removed else f"{key} is not in config.json"
    render.emit({"key": key, "value": value}, lambda: click.echo(f"{done}. It is {json.dumps(value)}."))


def _apply(home: str, key: str) -> None:
    """Publishes the lessons again, if they are published, and warns of a variable that overrides the setting."""
    if os.path.exists(paths.manifest_file(home)):
        try:
            publish(home)
        except LessonsError as damaged:
            render.warn([str(damaged)])
    variable = variable_for(key)
    if os.environ.get(variable):
        render.warn([f"{variable} is set in this environment and overrides the file."])
