"""A hook that cannot start, answers nonsense or does not answer: the call of the real Codex still runs."""

from tests.builders.lessons import blocking
from tests.e2e.codex.world import CodexWorld, shell
from tests.e2e.rig.breaks import BrokenHook
from tests.e2e.rig.script import say
from tests.e2e.rig.seen import seen


class TestCodex(BrokenHook):
    pass


def test_a_hook_that_nobody_trusted_is_skipped_and_doctor_says_so(world: CodexWorld) -> None:
    world.add(blocking())
    world.install()
    said = world.lessons("doctor", "--agent", "codex", code=1)
    assert "you have not trusted it" in said and "/hooks" in said
    talk = world.run("Begin.", [shell("git push --force; touch it-ran", "call_without_any_trust_01"), say("Done.")])
    assert (world.project / "it-ran").exists()
    assert "Process exited with code" in talk.results()["call_without_any_trust_01"].text
    world.accept_hooks()
    assert "trust" not in world.lessons("doctor", "--agent", "codex")
    before = world.hook_file.read_text("utf-8")
    world.install()
    assert world.hook_file.read_text("utf-8") == before, "a second install keeps what the person has trusted"
    seen("codex", "hooks.json", "hooks that the person has not trusted run", False)
