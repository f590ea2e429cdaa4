"""What a person types while the agent works is one prompt of the history, however the client records it; the tokens of
the session and a failing hook are stored too.
"""

import json
import sqlite3
from contextlib import closing

from tests.e2e.rig.script import bash, say
from tests.e2e.rig.terminal import Terminal
from tests.e2e.rig.world import World

QUEUED = "also look at the second door"


def test_queued_prompt_tokens_and_a_failing_hook_of_someone_else(world: World) -> None:
    broken = {"type": "command", "command": "no-such-notifier --now"}
    world.settings.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [broken]}]}}), encoding="utf-8")
    turns = [bash("echo one", "one"), bash("sleep 3", "two"), bash("echo three", "three"), say("All is done.")]
    with Terminal(world, turns, arguments=["--allowedTools", "Bash"]) as terminal:
        terminal.say("Begin now.")
        terminal.wait_for("sleep 3")
        terminal.say(QUEUED)
        terminal.wait_for("All is done.")
    [transcript] = world.config.glob("projects/*/*.jsonl")
    lines = [json.loads(line) for line in transcript.read_text("utf-8").splitlines()]
    told = [line for line in lines if QUEUED in json.dumps(line)]
    assert any(line["type"] == "queue-operation" for line in told), [line["type"] for line in lines]

    world.lessons("scan", "--agent", "claude-code")
    with closing(sqlite3.connect(world.data / "history.db")) as connection:
        prompts = [row[0] for row in connection.execute("SELECT text FROM prompts ORDER BY time")]
        [(messages, output)] = connection.execute("SELECT messages, output_tokens FROM session_tokens").fetchall()
        [(hooks, errors)] = connection.execute("SELECT hooks, errors FROM stop_hooks").fetchall()
    assert prompts == ["Begin now.", QUEUED]
    assert messages == len(turns) and output > 0
    assert hooks == 1 and "no-such-notifier" in errors
    assert "ended with a failed hook" in world.lessons("doctor", "--agent", "claude-code", code=1)
