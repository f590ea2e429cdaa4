"""The real Copilot CLI is asked without a terminal."""

from tests.e2e.rig.questions import AnswersQuestions
from tests.e2e.rig.questions import unauthorised as unauthorised
from tests.e2e.rig.world import World


class TestCopilot(AnswersQuestions):
    login = ("COPILOT_OFFLINE", "COPILOT_PROVIDER_BASE_URL")
    keeps_transcript = True

    def allow_all(self, world: World) -> dict[str, str]:
        return {"COPILOT_ALLOW_ALL": "true"}
