"""The real opencode is asked without a terminal."""

from tests.e2e.rig.questions import AnswersQuestions, change_settings
from tests.e2e.rig.questions import unauthorised as unauthorised
from tests.e2e.rig.world import World


class TestOpencode(AnswersQuestions):
    keeps_transcript = True

    def allow_all(self, world: World) -> dict[str, str]:
        every = {"permission": {"*": "allow", "bash": "allow"}, "tools": {"bash": True}}
        change_settings(world.home / ".config" / "opencode" / "config.json", {**every, "agent": {"build": every}})
        return {}
