"""The sessions of the real client are read and mined, also while it is still writing."""

import json
from typing import Any

from tests.builders.lessons import blocking
from tests.e2e.rig.lesson_tests import scanned
from tests.e2e.rig.opencode_world import OpencodeWorld
from tests.e2e.rig.script import call, say
from tests.e2e.rig.seen import seen


def test_its_own_database_becomes_history_and_a_candidate(installed: OpencodeWorld) -> None:
    installed.add(blocking())
    (installed.project / "Makefile").write_text("test:\n\techo fine\n")
    during: list[dict[str, Any]] = []
    task = {"description": "a part", "prompt": "The part of the subagent", "subagent_type": "general"}
    turns = [
        installed.shell("make tset", "wrong"),
        # While the client runs and its database is open.
        installed.shell("make test", "right").after(lambda: during.append(scanned(installed))),
        call("read", {"filePath": str(installed.project / "none.txt")}, "read"),
        installed.shell("git push --force", "blocked"),
        call("task", task, "sub"),
        call("no_such_tool", {"x": 1}, "none"),
        say("Done."),
    ]
    part = [installed.shell("echo from the subagent; exit 7", "inner"), say("The part is done.")]
    talk = installed.run("Begin.", turns, {"The part of the subagent": part})
    assert "fine" in talk.results()["right"].text

    assert (during[0]["calls"]["total"], during[0]["calls"]["failed"], during[0]["files"]["unreadable"]) == (1, 1, 0)
    found = scanned(installed)
    assert {name: found["calls"][name] for name in ("total", "ok", "failed", "refused", "unknown")} == {
        "total": 7,
        "ok": 2,
        "failed": 4,
        "refused": 1,
        "unknown": 0,
    }
    assert (found["malformed"], found["unknownTypes"], found["files"]["unreadable"]) == (0, {}, 0)
    again = scanned(installed)
    assert (again["files"]["read"], again["calls"]["total"]) == (0, 0)
    candidates = json.loads(installed.lessons("candidates", "--all", "--json"))["candidates"]
    names = [evidence["toolUseId"].partition("@")[0] for each in candidates for evidence in each["evidence"]]
    assert "wrong" in names
    seen("opencode", "database", "its transcript is scanned, and a mistake in it is mined", True)
