"""Two agents on one machine: one history for both, and every hook installed once."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.agents.toy_package import ToyCommandLine, package_with_toys
from tests.builders.lessons import lesson
from tests.builders.package import PackageCopy

# tin also runs the hooks in toy's settings.
_SENDER = """

def sender(payload: dict[str, object]) -> str:
    return "tin" if "tin" in payload else AGENT
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> PackageCopy:
    copy = package_with_toys(tmp_path_factory.mktemp("package"), "toy", "tin")
    wire = copy.package / "agents" / "toy" / "wire.py"
    wire.write_text(wire.read_text() + _SENDER)
    return copy


@pytest.fixture
def lessons(tmp_path: Path, package: PackageCopy) -> ToyCommandLine:
    return ToyCommandLine(tmp_path, package)


def chat(agent: str, session: str) -> str:
    """The same mistake with the same fix."""
    lines = [
        [agent, session, "/shop"],
        ["exec", f"{session}-1", "2026-01-01T10:00:00Z", "make tset"],
        ["ended", f"{session}-1", "2026-01-01T10:00:01Z", 2, "make: *** No rule to make target 'tset'.  Stop."],
        ["exec", f"{session}-2", "2026-01-01T10:00:02Z", "make test"],
        ["ended", f"{session}-2", "2026-01-01T10:00:09Z", 0, "ok"],
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)


def write(folder: Path, agent: str, session: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{session}.chat"
    file.write_text(chat(agent, session))
    return file


def test_one_mistake_of_two_agents_is_one_candidate(lessons: ToyCommandLine) -> None:
    for agent in ("toy", "tin"):
        write(lessons.person / f".{agent}" / "chats", agent, f"{agent}-1")
    found = lessons.json("scan")
    assert found["agents"] == {"tin": {"read": 1}, "toy": {"read": 1}}
    [candidate] = lessons.json("candidates")["candidates"]
    assert [(each["agent"], each["toolUseId"]) for each in candidate["evidence"]] == [
        ("tin", "tin-1-1"),
        ("toy", "toy-1-1"),
    ]
    assert "when" not in (candidate["proposedTrigger"] or {})
    assert lessons.json("backtest", "--command-pattern", "make tset")["failedSame"] == 2
    assert lessons.json("backtest", "--command-pattern", "make tset")["sessions"] == 2
    assert lessons.json("replay")["repeats"] >= 0


def test_who_wrote_a_file_is_recognised(lessons: ToyCommandLine) -> None:
    mixed = lessons.work / "mixed"
    for agent in ("toy", "tin"):
        write(mixed, agent, f"{agent}-1")
    (mixed / "strange.chat").write_text('["brass"]\n')
    (mixed / "empty.chat").write_text("")
    found = lessons.json("scan", "--path", "mixed")
    assert found["agents"] == {"tin": {"read": 1}, "toy": {"read": 1}}
    assert (found["files"]["found"], found["files"]["foreign"], found["files"]["unreadable"]) == (4, 1, 0)
    again = lessons.json("scan", "--path", "mixed")
    assert (again["files"]["unchanged"], again["agents"], again["calls"]["total"]) == (2, {}, 0)
    # One agent's file where another's was: the new one is read as what it is, and the old calls stay.
    (mixed / "toy-1.chat").write_text(chat("tin", "tin-2"))
    assert lessons.json("scan", "--path", "mixed")["agents"] == {"tin": {"read": 1}}
    [candidate] = lessons.json("candidates")["candidates"]
    assert len(candidate["evidence"]) == 3


def _settings(lessons: ToyCommandLine) -> dict[str, Path]:
    return {name: lessons.person / f".{name}" / f"{name}.conf" for name in ("toy", "tin")}


def test_all_hooks_go_in_and_out_and_leave_no_byte(lessons: ToyCommandLine) -> None:
    assert "--settings" in lessons.refused("install", "--agent", "all", "--settings", "x", code=2)
    assert "No agent found" in lessons.refused("install", "--agent", "all")
    files = _settings(lessons)
    for file in files.values():
        file.parent.mkdir()
        file.write_text("colour = blue  \n\n")
    claude = lessons.person / ".claude" / "settings.json"
    claude.parent.mkdir()
    claude.write_text('{"model" :  "opus"}')
    done = lessons.json("install", "--agent", "all")
    assert sorted(each["agent"] for each in done["agents"]) == ["claude-code", "tin", "toy"]
    assert all(each["changed"] for each in done["agents"]) and done["refused"] == []
    assert not any(each["changed"] for each in lessons.json("install", "--agent", "all")["agents"])
    assert lessons.json("uninstall", "--agent", "all")["refused"] == []
    assert claude.read_text() == '{"model" :  "opus"}'
    assert {file.read_text() for file in files.values()} == {"colour = blue  \n\n"}


def test_a_hook_knows_which_agent_runs_it(lessons: ToyCommandLine) -> None:
    limited = lesson("stash")
    triggers: Any = limited["triggers"]
    triggers["when"] = {"agents": ["tin"]}
    lessons.json("add", "--from", "-", text=json.dumps(limited))
    lessons.json("install", "--agent", "toy")
    assert lessons.json("try", "git stash")["decision"] == "none"
    assert lessons.json("try", "--agent", "tin", "git stash")["decision"] == "hint"
    assert lessons.hook("before", step={"id": "s1", "exec": "git stash"}) is None
    assert lessons.hook("before", tin=1, step={"id": "s2", "exec": "git stash"}).keys() == {"say"}
