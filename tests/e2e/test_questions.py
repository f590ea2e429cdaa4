"""The real Claude Code is asked without a terminal."""

from tests.e2e.rig.questions import AnswersQuestions, change_settings
from tests.e2e.rig.questions import unauthorised as unauthorised
from tests.e2e.rig.world import World


class TestClaudeCode(AnswersQuestions):
    login = ("ANTHROPIC_API_KEY",)

    def allow_all(self, world: World) -> dict[str, str]:
        change_settings(world.settings, {"permissions": {"allow": ["Bash", "Read", "Write"], "defaultMode": "dontAsk"}})
        return {}
