"""The real Qwen Code is asked without a terminal."""

from tests.e2e.rig.questions import AnswersQuestions, change_settings
from tests.e2e.rig.questions import unauthorised as unauthorised
from tests.e2e.rig.world import World


class TestQwen(AnswersQuestions):
    login = ("OPENAI_API_KEY",)

    def allow_all(self, world: World) -> dict[str, str]:
        allowed = {"permissions": {"allow": ["run_shell_command"]}, "tools": {"approvalMode": "yolo"}}
        change_settings(world.hook_file, allowed)
        return {}
