"""The full circle: a repeated mistake is found, promoted by a person, and stopped in the next session."""

import json

from tests.e2e.rig.script import bash, say
from tests.e2e.rig.seen import seen
from tests.e2e.rig.world import World

# A program of the project with an option that everybody guesses wrong.
SHIP = """\
#!/bin/sh
for word; do
  case $word in
    --target=*) ;;
    *) echo "ship: error: unrecognized arguments: $word" >&2; exit 2 ;;
  esac
done
echo shipped >> shipped.txt
"""
WRONG, RIGHT = "bin/ship --env=staging", "bin/ship --target=staging"


def add_program(world: World) -> None:
    (world.project / "bin").mkdir()
    program = world.project / "bin" / "ship"
    program.write_text(SHIP, encoding="utf-8")
    program.chmod(0o755)


def make_the_mistake(world: World, name: str) -> None:
    turns = [bash(WRONG, f"wrong-{name}"), bash(RIGHT, f"right-{name}"), say("Shipped.")]
    talk = world.run(f"Ship it, {name}.", turns)
    assert [talk.results()[f"{kind}-{name}"].is_error for kind in ("wrong", "right")] == [True, False]


def test_the_circle(installed: World) -> None:
    installed.ask_nothing()
    add_program(installed)
    make_the_mistake(installed, "first")
    make_the_mistake(installed, "second")

    read = json.loads(installed.lessons("scan", "--json"))
    assert read["calls"] == {**read["calls"], "total": 4, "ok": 2, "failed": 2}
    [candidate] = json.loads(installed.lessons("candidates", "--json"))["candidates"]
    assert {(piece["toolUseId"], piece["fixToolUseId"]) for piece in candidate["evidence"]} == {
        ("wrong-first", "right-first"),
        ("wrong-second", "right-second"),
    }
    answer = json.loads(installed.lessons("promote", candidate["fingerprint"], "--stop-once", "--yes", "--json"))
    [promoted] = [entry["lesson"] for entry in answer["promoted"]]

    turns = [bash(WRONG, "wrong"), bash(RIGHT, "right").thinking(1.2), say("Shipped.")]
    talk = installed.run("Ship it once more.", turns)

    told = talk.results()
    assert told["wrong"].is_error and not told["right"].is_error
    assert promoted["solution"] in told["wrong"].text
    assert f"Stopped once by the user's lesson `{promoted['slug']}`" in told["wrong"].text
    assert (installed.project / "shipped.txt").read_text("utf-8") == "shipped\n" * 3
    [event] = installed.log("--session", talk.session)
    assert (event["decision"], event["toolUseId"]) == ("stop", "wrong")

    # What was stopped is no new mistake.
    again = json.loads(installed.lessons("scan", "--json"))
    assert again["calls"] == {**again["calls"], "total": 2, "ok": 1, "failed": 0, "refused": 1}
    assert json.loads(installed.lessons("candidates", "--all", "--json"))["candidates"] == []
    seen("claude-code", "transcript", "its transcript is scanned, and a mistake in it is mined", True)
