"""`lessons mcp`: serves lessons and the history to an agent over MCP."""

import os
import sys
from importlib.util import find_spec

import click

from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.options.project import cwd_option, folder_of
from lessons.errors import Refused

_MISSING = "The MCP server needs the extra `mcp`: run `pip install 'lessons[mcp]'`."


@click.command("mcp", short_help="Serve lessons to an agent over MCP")
@cwd_option
@render.json_option
def command(cwd: str | None, as_json: bool) -> None:
    """Serve lessons to an agent over MCP, on stdin and stdout; agents run this.

    An agent can then search lessons and earlier calls, ask why a lesson exists, and report a lesson, which becomes a
    candidate for you to review. To add it, for example: claude mcp add lessons -- lessons mcp

    It needs the extra: pip install 'lessons[mcp]'. With --json it only prints its command, tools and resources.
    """
    if as_json:
        render.emit(True, _document(), lambda: None)
        return
    if not _is_installed():
        raise Refused(_MISSING)
    from lessons.mcp.server import serve

    serve(data_home(), folder_of(cwd))


def _is_installed() -> bool:
    try:
        return find_spec("mcp") is not None
    except ValueError:  # a module without a spec has this name
        return False


def _document() -> dict[str, object]:
    from lessons.mcp.tables import RESOURCES, TOOLS

    return {
        "command": os.path.abspath(sys.executable),
        "args": ["-m", "lessons", "mcp"],
        "installed": _is_installed(),
        "tools": [tool.__name__ for tool in TOOLS],
        "resources": [*RESOURCES],
    }
