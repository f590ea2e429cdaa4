"""`lessons mcp` in the real Codex."""

import json

from tests.e2e.codex.world import CodexWorld
from tests.e2e.rig.mcp import COMMAND, assert_that_the_model_asks_and_reports
from tests.e2e.rig.script import Turn, call

# Without `required` the client begins before the server has started, and its first requests have no tool of it.
_SERVER = """
[mcp_servers.lessons]
command = {command}
args = ["mcp"]
env = {{ LESSONS_HOME = {home} }}
required = true
startup_timeout_sec = 120
"""


def _call(tool: str, arguments: dict[str, object], id: str) -> Turn:
    turn = call(tool, arguments, id)
    turn.blocks[0]["namespace"] = "mcp__lessons"
    return turn


def test_the_model_asks_and_reports(world: CodexWorld) -> None:
    server = _SERVER.format(command=json.dumps(COMMAND), home=json.dumps(str(world.data)))
    assert_that_the_model_asks_and_reports(world, _call, lambda turns: world.talk("Begin.", turns, servers=server))
