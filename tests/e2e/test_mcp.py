"""`lessons mcp` in the real client."""

import json

from tests.e2e.rig.mcp import COMMAND, TOOLS, assert_that_the_model_asks_and_reports
from tests.e2e.rig.script import call
from tests.e2e.rig.world import ALLOWED, World


def test_the_model_asks_and_reports(world: World) -> None:
    server = {"command": COMMAND, "args": ["mcp"], "env": {"LESSONS_HOME": str(world.data)}}
    file = world.home / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"lessons": server}}), encoding="utf-8")
    arguments = ["--mcp-config", str(file)]
    allowed = [*ALLOWED, *(f"mcp__lessons__{tool}" for tool in TOOLS)]
    assert_that_the_model_asks_and_reports(
        world,
        lambda tool, given, id: call(f"mcp__lessons__{tool}", given, id),
        lambda turns: world.run("Begin.", turns, arguments=arguments, allowed=allowed),
    )
