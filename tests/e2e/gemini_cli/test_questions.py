"""The real Gemini CLI is asked without a terminal."""

from tests.e2e.rig.questions import AnswersQuestions
from tests.e2e.rig.questions import unauthorised as unauthorised
from tests.e2e.rig.world import World


class TestGemini(AnswersQuestions):
    login = ("GEMINI_API_KEY",)
    keeps_transcript = True

    def allow_all(self, world: World) -> dict[str, str]:
        policies = world.home / ".gemini" / "policies"
        policies.mkdir()
        (policies / "all.toml").write_text('[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 999\n')
        return {}
