"""Codex's transcripts are found, and the work of a session is saved from them."""

from pathlib import Path

import pytest

from lessons.agents.codex.places import conversations, roots
from tests.builders.rollout import Rollout
from tests.cli.command_line import CommandLine


def test_subagents_are_no_conversations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    assert list(conversations("")) == []
    helper = Rollout("helper", session_id="p", thread_source="subagent", source={"subagent": {}})
    helper.write(tmp_path)
    mine, archived = Rollout("mine").write(tmp_path), Rollout("old").write(tmp_path, "archived_sessions")
    (mine.parent / "notes.txt").touch()
    assert sorted(conversations("")) == sorted(map(str, (mine, archived)))
    assert f"{tmp_path}/sessions" in roots() and f"{tmp_path}/archived_sessions" in roots()


def test_what_a_session_did_is_saved(tmp_path: Path) -> None:
    lessons = CommandLine(tmp_path)
    session = Rollout("mine", cwd=str(lessons.work))
    session.prompt("Do the accounts.")
    session.shell("make tset", 2, "make: *** No rule to make target 'tset'.  Stop.\n")
    session.shell("make test", 0, "ok\n")
    session.patch("*** Begin Patch\n*** Add File: till.py\n+x = 1\n*** End Patch")
    session.write(lessons.person / ".codex")
    handoff = lessons.json("handoff", "save", "--agent", "codex")
    assert (handoff["agent"], handoff["sessionId"]) == ("codex", session.thread)
    assert [each["command"] for each in handoff["worked"]] == ["make test"]
    assert [each["command"] for each in handoff["failed"]] == ["make tset"]
    assert "till.py" in str(handoff)
