"""What the real client wrote is read and mined."""

import json

from tests.builders.lessons import blocking
from tests.e2e.rig.chat_world import CopilotWorld
from tests.e2e.rig.script import call, say
from tests.e2e.rig.seen import seen


def test_its_own_transcript_becomes_history_and_a_candidate(installed: CopilotWorld) -> None:
    installed.add(blocking())
    (installed.project / "Makefile").write_text("test:\n\techo fine\n")
    turns = [
        installed.shell("make tset", "wrong"),
        installed.shell("make test", "right"),
        installed.shell("git push --force", "denied"),
        call("edit", {"path": str(installed.project / "none"), "old_str": "a", "new_str": "b"}, "missing"),
        say("Done."),
    ]
    installed.run("Begin.", turns)
    [transcript] = installed.transcripts()
    found = json.loads(installed.lessons("scan", "--agent", "copilot-cli", "--json"))
    assert (found["files"]["read"], found["malformed"], found["unknownTypes"]) == (1, 0, {})
    assert {name: found["calls"][name] for name in ("total", "ok", "failed", "refused", "unknown")} == {
        "total": 4,
        "ok": 1,
        "failed": 2,
        "refused": 1,
        "unknown": 0,
    }
    candidates = json.loads(installed.lessons("candidates", "--all", "--json"))["candidates"]
    evidence = [each for candidate in candidates for each in candidate["evidence"]]
    assert [(each["toolUseId"].partition("@")[0], each["sessionId"]) for each in evidence] == [
        ("wrong", transcript.parent.name)
    ]
    handoff = json.loads(installed.lessons("handoff", "save", "--agent", "copilot-cli", "--json"))
    assert [each["command"] for each in handoff["failed"]] == ["make tset"]
    seen("copilot-cli", "transcript", "its transcript is scanned, and a mistake in it is mined", True)
