"""The transcripts of the real Copilot CLI are read and mined."""

from tests.e2e.rig.chat_world import ChatWorld
from tests.e2e.rig.lesson_tests import ReadsItsOwnTranscript
from tests.e2e.rig.script import Turn, call


class TestCopilot(ReadsItsOwnTranscript):
    def missing_file(self, world: ChatWorld) -> Turn:
        return call("edit", {"path": str(world.project / "none"), "old_str": "a", "new_str": "b"}, "missing")
