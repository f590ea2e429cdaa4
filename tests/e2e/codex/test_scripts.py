"""Code mode, the default of most models: the model writes scripts, and hooks fire at each call of a script."""

from tests.builders.lessons import blocking, lesson
from tests.e2e.codex.world import IN_SCRIPTS, CodexWorld
from tests.e2e.rig.script import custom, say
from tests.e2e.rig.seen import seen

HINT = "Stash with -u, so that the untracked files go along."


def _script(command: str) -> str:
    return (
        f"try {{ const r = await tools.exec_command({{cmd: {command!r}}}); text('GOT ' + JSON.stringify(r)); }} "
        "catch (fault) { text('THROWN ' + fault); }"
    )


def test_calls_of_a_script_are_hinted_blocked_and_recorded(installed: CodexWorld) -> None:
    installed.add(lesson())
    installed.add(blocking())
    installed.add(
        lesson("glob", triggers={"errorPatterns": ["no matches found"]}, solution="Put the pattern into quotes.")
    )
    turns = [
        custom("exec", _script("git stash list")),
        custom("exec", _script("git push --force; touch it-ran")),
        custom("exec", _script("echo no matches found; exit 7")),
        say("Done."),
    ]

    talk = installed.talk("Begin.", turns, model=IN_SCRIPTS)

    assert HINT in talk.requests[1].text
    assert "blocked by PreToolUse hook" in talk.requests[2].new and not (installed.project / "it-ran").exists()
    assert "Put the pattern into quotes." in talk.requests[3].new
    calls = installed.scan()["calls"]
    # Three scripts, and the two calls of them that ran: of a denied one only the script's own words tell.
    assert (calls["total"], calls["failed"], calls["ok"]) == (5, 1, 4)
    shown = {event["toolUseId"] for event in installed.injections()}
    assert all(name.startswith("exec-") for name in shown)
    seen("codex", "PreToolUse", "calls of a script (code mode) are hinted at and blocked", True)
