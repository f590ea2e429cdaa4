"""The circle of learning, as a test to derive from: what two sessions taught is shown in the third one.

In the first session the model is asked after its recovery and writes a tag; the failure of the second one is given to
the client without a terminal. Both lessons pass the test on the history, are accepted, and fire in the third session.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.e2e.rig.chat_world import ChatWorld
from tests.e2e.rig.lesson_tests import TAG, check_recovery
from tests.e2e.rig.model import Model
from tests.e2e.rig.questions import with_program
from tests.e2e.rig.script import Turn, say
from tests.e2e.rig.seen import seen
from tests.e2e.rig.world import World

Document = dict[str, Any]
Answer = Callable[[list[Document]], str]
# In every question about dossiers and in no other request.
MARK = "Each dossier is about one mistake"
SECONDS = 240
LESSON: Document = {
    "summary": "cut wants a list of characters or fields: name them with -c or -f",
    "problem": "`cut` without a list stops with: you must specify a list of bytes, characters, or fields.",
    "solution": "Run `cut -c1 notes.txt`, with the characters that are wanted.",
    "triggers": {"commandPatterns": ["^cut\\s+[^-]"], "matchOn": "invocation"},
    "scope": "global",
}


def dossiers_in(prompt: str) -> list[Document]:
    lines = [line for line in prompt.splitlines() if line.startswith('{"id":"')]
    return [json.loads(line) for line in lines]


def answering(model: Callable[[], Model], answer: Answer, tokens: int = 1000) -> Turn:
    """A turn with the words that the function has for the dossiers of the newest request."""
    turn = say("").using(tokens)

    def write() -> None:
        asked = [request for request in model().requests if request.route == MARK]
        turn.blocks[0]["text"] = answer(dossiers_in(asked[-1].text))

    return turn.after(write)


def learned(world: World, model: Model, *options: str, code: int = 0) -> Document:
    """The closing document of `lessons learn` with the real client."""
    command = [str(Path(sys.executable).with_name("lessons")), "learn", "--agent", world.agent, "--yes", "--json"]
    environment = {**with_program(world, world.client_environment(model)), "LESSONS_HOME": str(world.data)}
    done = subprocess.run(
        [*command, *options],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=world.project,
        env=environment,
        timeout=20 * SECONDS,
    )
    assert done.returncode == code, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    return dict(json.loads(done.stdout))


class LearnsInACircle:
    # Where the model is asked after a recovery, and whether it is asked before the call after it.
    asks_at, next_call = "PostToolUse", False

    def test_a_tag_and_an_answer_become_lessons_that_fire(self, installed: World) -> None:
        check_recovery(installed, self.asks_at, self.next_call)
        installed.lessons("review", "--yes", "--json")
        [noted] = json.loads(installed.lessons("list", "--json"))["lessons"]
        assert noted["solution"] in TAG

        installed.ask_nothing()
        failed, fix = installed.shell("cut notes.txt", "cut"), installed.shell("cut -c1 notes.txt", "fixed")
        installed.run("Begin.", [failed, fix, say("Done.")])
        installed.lessons("scan", "--agent", installed.agent)
        kind = installed.model if isinstance(installed, ChatWorld) else Model
        asked = list[Document]()

        def answer(dossiers: list[Document]) -> str:
            asked.extend(dossiers)
            return "\n".join(json.dumps({"id": each["id"], "lesson": LESSON}) for each in dossiers)

        with kind([], {MARK: [answering(lambda: model, answer)]}) as model:
            document = learned(installed, model)
        # The failure that the tag answers is not asked about.
        [dossier] = asked
        assert dossier["calls"][0]["command"] == "cut notes.txt"
        assert {"tool": dossier["worked"][0]["tool"], "command": "cut -c1 notes.txt"} in dossier["worked"]
        [passed] = document["accepted"]
        assert (passed["id"], passed["acts"]) == (dossier["id"], "call")
        assert (document["refused"], document["nothing"], document["batches"]) == ([], [], 1)
        assert document["agent"] == installed.agent and document["tokens"] > 0

        again = [installed.shell("cat --frobnicate notes.txt", "a"), installed.shell("cut other.txt", "b")]
        talk = installed.run("Begin.", [*again, say("Done.")])
        assert noted["solution"] in talk.request(1).new and LESSON["solution"] in talk.request(2).new
        shown = [each["slug"] for each in installed.log("--decision", "hint")]
        assert shown == [noted["slug"], passed["slug"]]
        assert installed.faults() == ""
        seen(installed.agent, "headless", "answers become lessons that fire in the next session", True)
