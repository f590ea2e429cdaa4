"""What the real client wrote is read and mined."""

import json

from tests.builders.lessons import blocking
from tests.e2e.rig.gemini_world import GeminiWorld
from tests.e2e.rig.script import call, say
from tests.e2e.rig.seen import seen


def test_its_own_session_becomes_history_and_a_candidate(installed: GeminiWorld) -> None:
    installed.add(blocking())
    (installed.project / "Makefile").write_text("test:\n\techo fine\n")
    turns = [
        installed.shell("make tset", "wrong"),
        installed.shell("make test", "right"),
        call("read_file", {"file_path": "no-such-file.txt"}, "read"),
        installed.shell("git push --force", "blocked"),
        say("Done."),
    ]
    talk = installed.run("Begin.", turns)
    assert "fine" in talk.results()["right"].text

    found = json.loads(installed.lessons("scan", "--agent", "gemini-cli", "--json"))
    assert {name: found["calls"][name] for name in ("total", "ok", "failed", "refused")} == {
        "total": 4,
        "ok": 1,
        "failed": 2,
        "refused": 1,
    }
    assert (found["malformed"], found["unknownTypes"], found["files"]["unreadable"]) == (0, {}, 0)
    again = json.loads(installed.lessons("scan", "--agent", "gemini-cli", "--json"))
    assert (again["files"]["read"], again["calls"]["total"]) == (0, 0)
    candidates = json.loads(installed.lessons("candidates", "--all", "--json"))["candidates"]
    assert [evidence["toolUseId"].partition("@")[0] for each in candidates for evidence in each["evidence"]] == [
        "run_shell_command__wrong"
    ]
    seen("gemini-cli", "transcript", "its transcript is scanned, and a mistake in it is mined", True)


def test_what_it_did_is_offered_to_the_next_session(installed: GeminiWorld) -> None:
    installed.run("Begin.", [installed.shell("echo one-piece-of-work", "a"), say("Done.")])
    installed.lessons("handoff", "save", "--agent", "gemini-cli")
    shown = json.loads(installed.lessons("handoff", "show", "--json"))
    assert "echo one-piece-of-work" in json.dumps(shown)
    seen("gemini-cli", "SessionStart", "the next session is offered the handoff", True)
