"""Parallel calls get a lesson once, and its text names the call it is about."""

import json
import shlex
from pathlib import Path

import pytest

from tests.builders.lessons import lesson, stopping
from tests.e2e.rig.script import agent, bash, say, together
from tests.e2e.rig.seen import seen
from tests.e2e.rig.world import World

HINT = "Stash with -u, so that the untracked files go along."
MANY = 8
# Newer models get what hooks say as a message of its own, older ones inside of a message with the results.
MODELS = ("claude-opus-5-5", "claude-sonnet-4-5")


def add_witness(world: World) -> Path:
    """A hook beside ours that goes on only when all calls have come so far: it shows that they do run at once."""
    notes = world.home / "witness.txt"
    here = f'[ "$(grep -c begun {shlex.quote(str(notes))})" -ge {MANY} ]'
    wait = f"for try in $(seq 200); do {here} && exit 0; sleep 0.05; done; echo alone"
    line = f"exec >> {shlex.quote(str(notes))}; echo begun; {wait}"
    hooks = {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": line}]}]}
    (world.project / ".claude").mkdir()
    (world.project / ".claude" / "settings.local.json").write_text(json.dumps({"hooks": hooks}), encoding="utf-8")
    return notes


@pytest.mark.parametrize("model", MODELS)
def test_parallel_calls_get_one_hint_that_names_its_call(installed: World, model: str) -> None:
    installed.add(lesson())
    witness = add_witness(installed)
    # The client runs at once only what it takes for reading.
    calls = {f"call-{number}": f"git stash list; echo number-{number}" for number in range(MANY)}
    turns = [together(*(bash(line, name) for name, line in calls.items())), say("Done.")]

    talk = installed.run("Begin.", turns, arguments=["--model", model])

    assert witness.read_text("utf-8").split() == ["begun"] * MANY
    assert talk.request(1).text.count(HINT) == 1
    [event] = installed.injections()
    assert f"about `{calls[event['toolUseId']]}`" in talk.request(1).new
    assert set(talk.results()) == set(calls)
    assert not any(result.is_error for result in talk.results().values())
    seen("claude-code", "PreToolUse", "parallel calls get one hint, which names its call", True)


def test_parallel_calls_are_all_stopped(installed: World) -> None:
    installed.add(stopping(triggers={"commandPatterns": ["git status"]}))
    calls = [bash(f"git status; echo number-{number}", f"call-{number}") for number in range(MANY)]

    talk = installed.run("Begin.", [together(*calls), say("Done.")])

    assert len(talk.results()) == MANY
    assert all("Stopped once by" in result.text for result in talk.results().values())


def test_each_of_several_subagents_gets_one_hint(installed: World) -> None:
    installed.add(lesson())
    names = [f"HELPER-{letter}" for letter in "ABC"]
    calls = {name: [bash(f"git stash list; echo {name} {number}") for number in range(5)] for name in names}
    routes = {name: [together(*calls[name]), say("Back to you.")] for name in names}

    talk = installed.run("Begin.", [together(*(agent(f"You are {name}.") for name in names)), say("Done.")], routes)

    for name in names:
        [_, second] = talk.on(name)
        assert second.text.count(HINT) == 1
        assert f"about `git stash list; echo {name} " in second.new
    assert all(HINT not in text for text in talk.said())
    contexts = [event["agentId"] for event in installed.injections()]
    assert len(contexts) == len(set(contexts)) == len(names) and all(contexts)
