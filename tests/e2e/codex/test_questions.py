"""The real Codex is asked without a terminal, with tools that the model calls itself and with those of its scripts."""

from pathlib import Path

import pytest

from tests.e2e.codex.world import DIRECT, IN_SCRIPTS, CodexWorld, patch, shell
from tests.e2e.rig.questions import AnswersQuestions
from tests.e2e.rig.questions import unauthorised as unauthorised
from tests.e2e.rig.script import Turn, custom
from tests.e2e.rig.world import World

_SERVER = '[mcp_servers.theirs]\ncommand = "touch"\nargs = ["{file}"]\n'


class TestCodex(AnswersQuestions):
    harmless = frozenset(("apply_patch", "request_user_input"))  # the sandbox refuses every patch

    def allow_all(self, world: World) -> dict[str, str]:
        assert isinstance(world, CodexWorld)
        world.more = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"'
        return {}

    def obeys(self, world: World, file: Path) -> list[Turn]:
        assert isinstance(world, CodexWorld)
        world.servers = _SERVER.format(file=file)
        if world.bundled_model == DIRECT:
            return [shell(f"touch {file}"), patch(f"*** Add File: {file}\n+ran")]
        words = (f'await tools.exec_command({{cmd: "touch {file}"}})', f"await tools.apply_patch({_patch(file)!r})")
        return [custom("exec", word, f"call_of_a_script_000000000{number}") for number, word in enumerate(words)]

    @pytest.mark.parametrize("bundled", [DIRECT, IN_SCRIPTS])
    def test_it_answers_without_a_tool_a_hook_or_a_trace(  # type: ignore[override]
        self, installed: CodexWorld, tmp_path: Path, bundled: str
    ) -> None:
        installed.bundled_model = bundled
        super().test_it_answers_without_a_tool_a_hook_or_a_trace(installed, tmp_path)


def _patch(file: Path) -> str:
    return f"*** Begin Patch\n*** Add File: {file}\n+ran\n*** End Patch\n"
