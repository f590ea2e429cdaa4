"""A hint never grants a permission: what the user has not allowed stays refused; shadow lessons stay silent."""

from tests.builders.lessons import lesson
from tests.e2e.rig.script import bash, say
from tests.e2e.rig.world import World

HINT = "Stash with -u, so that the untracked files go along."


def test_a_hint_grants_nothing(installed: World) -> None:
    installed.add(lesson())

    talk = installed.run("Begin.", [bash("git stash; touch it-ran", "refused"), say("Done.")], allowed=["Read"])

    assert not (installed.project / "it-ran").exists()
    assert talk.results()["refused"].is_error
    assert HINT in talk.request(1).new


def test_a_lesson_in_shadow_is_noted_and_not_said(installed: World) -> None:
    installed.add(lesson(stage="shadow"))

    talk = installed.run("Begin.", [bash("git stash; true", "call"), say("Done.")])

    assert HINT not in talk.everything()
    assert [(event["decision"], event["toolUseId"]) for event in installed.log()] == [("shadow", "call")]


def test_without_the_hook_nothing_is_said(world: World) -> None:
    world.add(lesson())

    talk = world.run("Begin.", [bash("git stash; true"), say("Done.")])

    assert HINT not in talk.everything() and "`lessons`" not in talk.everything()
    assert world.injections() == []
