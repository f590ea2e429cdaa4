"""What the real client wrote is read and mined."""

import json

from tests.builders.lessons import blocking
from tests.e2e.rig.chat_world import QwenWorld
from tests.e2e.rig.script import call, say
from tests.e2e.rig.seen import seen


def test_its_own_transcript_becomes_history_and_a_candidate(installed: QwenWorld) -> None:
    installed.add(blocking())
    (installed.project / "Makefile").write_text("test:\n\techo fine\n")
    turns = [
        installed.shell("make tset", "wrong"),
        installed.shell("make test", "right"),
        installed.shell("git push --force", "denied"),
        call("read_file", {"file_path": str(installed.project / "none")}, "missing"),
        say("Done."),
    ]
    installed.run("Begin.", turns)
    [transcript] = installed.transcripts()
    found = json.loads(installed.lessons("scan", "--agent", "qwen-code", "--json"))
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
    session = transcript.stem
    assert [(each["toolUseId"], each["sessionId"]) for each in evidence] == [(f"wrong@{session}", session)]
    handoff = json.loads(installed.lessons("handoff", "save", "--agent", "qwen-code", "--json"))
    assert [each["command"] for each in handoff["failed"]] == ["make tset"]
    seen("qwen-code", "transcript", "its transcript is scanned, and a mistake in it is mined", True)


def test_a_subagent_is_hinted_at_in_its_own_context_and_read(installed: QwenWorld) -> None:
    from tests.builders.lessons import lesson

    installed.add(lesson())
    task = {"description": "sub", "prompt": "SUBTASK go", "subagent_type": "general-purpose"}
    turns = [installed.shell("git stash; true", "main"), call("agent", task, "agent"), say("Done."), say("Done.")]
    routes = {"SUBTASK": [installed.shell("git stash; true", "sub"), say("Sub done.")]}
    talk = installed.run("Begin.", turns, routes)
    assert talk.on("SUBTASK")[1].text.count("so that the untracked files go along") == 1
    events = installed.log()
    assert len({event["session"] for event in events}) == 1 and len({event["agentId"] for event in events}) == 2
    found = json.loads(installed.lessons("scan", "--agent", "qwen-code", "--json"))
    assert (found["files"]["read"], found["calls"]["total"]) == (2, 3)
    seen("qwen-code", "PostToolUse", "a subagent gets notes and hints of its own", True)
