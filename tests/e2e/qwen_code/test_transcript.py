"""The transcripts of the real Qwen Code are read and mined."""

from tests.builders.lessons import lesson
from tests.e2e.rig.chat_world import ChatWorld, QwenWorld
from tests.e2e.rig.lesson_tests import HINT, ReadsItsOwnTranscript, scanned
from tests.e2e.rig.script import Turn, call, say
from tests.e2e.rig.seen import seen


class TestQwen(ReadsItsOwnTranscript):
    def missing_file(self, world: ChatWorld) -> Turn:
        return call("read_file", {"file_path": str(world.project / "none")}, "missing")


def test_a_subagent_is_hinted_at_in_its_own_context_and_read(installed: QwenWorld) -> None:
    installed.add(lesson())
    task = {"description": "sub", "prompt": "SUBTASK go", "subagent_type": "general-purpose"}
    turns = [installed.shell("git stash; true", "main"), call("agent", task, "agent"), say("Done."), say("Done.")]
    routes = {"SUBTASK": [installed.shell("git stash; true", "sub"), say("Sub done.")]}
    talk = installed.run("Begin.", turns, routes)
    assert talk.on("SUBTASK")[1].text.count(HINT) == 1
    events = installed.log()
    assert len({event["session"] for event in events}) == 1 and len({event["agentId"] for event in events}) == 2
    found = scanned(installed)
    assert (found["files"]["read"], found["calls"]["total"]) == (2, 3)
    seen("qwen-code", "PostToolUse", "a subagent gets notes and hints of its own", True)
