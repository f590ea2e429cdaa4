"""Copilot CLI denies a call if a hook exits with anything but 0: whatever is broken, ours never does."""

from tests.e2e.rig.breaks import BrokenHook
from tests.e2e.rig.chat_world import CopilotWorld
from tests.e2e.rig.script import say


class TestCopilot(BrokenHook):
    def test_the_client_denies_on_any_exit_code_of_others(self, installed: CopilotWorld) -> None:
        """The trap that all of this is about is still there."""
        for file in (installed.hook_file, installed.data / "lessons-hook"):
            file.write_text(file.read_text().replace("exit 0", "exit 1"))
        talk = installed.run("Begin.", [installed.shell("touch it-ran", "a"), say("Done.")])
        assert not (installed.project / "it-ran").exists() and "enied" in talk.results()["a"].text
