"""The transcripts of the real Gemini CLI are read and mined."""

from tests.e2e.rig.chat_world import ChatWorld
from tests.e2e.rig.lesson_tests import ReadsItsOwnTranscript
from tests.e2e.rig.script import Turn, call


class TestGemini(ReadsItsOwnTranscript):
    def missing_file(self, world: ChatWorld) -> Turn:
        return call("read_file", {"file_path": "no-such-file.txt"}, "missing")
