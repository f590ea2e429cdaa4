"""An agent is one row of the table and two to five files: install, hook, scan, handoff and doctor need nothing else."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lessons.agents import base, object_lines, trial
from lessons.agents.claude_code import delivery
from lessons.agents.claude_code import install as claude_install
from lessons.agents.gemini_cli import transcript as gemini_transcript
from lessons.agents.opencode import install as opencode_install
from lessons.agents.opencode import transcript as opencode_transcript
from lessons.agents.qwen_code import delivery as qwen_delivery
from lessons.agents.table import AGENTS
from tests.agents import toy
from tests.agents.toy.row import ROW
from tests.agents.toy_package import ToyCommandLine, package_with_toys
from tests.builders.lessons import blocking, lesson
from tests.builders.package import PackageCopy
from tests.cli.command_line import CommandLine

if TYPE_CHECKING:  # both need the row
    from tests.agents.toy import install as toy_install
    from tests.agents.toy import transcript as toy_transcript

    TOY: tuple[object_lines.Reader, base.Installer, trial.SettingsChecks] = (
        toy_transcript.READER,
        toy_install.INSTALLER,
        toy_install.CHECKS,
    )

# The type checker holds that the own modules of an agent offer what base.py asks for; table.py holds it for the rest.
STORES: list[base.Store] = [gemini_transcript.STORE, opencode_transcript.STORE]
INSTALLERS: list[base.Installer] = [claude_install.INSTALLER, opencode_install.INSTALLER]
DELIVERIES: list[base.Delivery] = [delivery, qwen_delivery]
SERVERS: list[base.ServerSetup] = [claude_install]

_CHAT = [
    ["toy", "c1", "/shop"],
    ["exec", "s1", "2026-01-01T10:00:00Z", "make tset"],
    ["ended", "s1", "2026-01-01T10:00:01Z", 2, "make: *** No rule to make target 'tset'.  Stop."],
    ["exec", "s2", "2026-01-01T10:00:02Z", "make test"],
    ["ended", "s2", "2026-01-01T10:00:09Z", 0, "ok"],
    ["sing"],
]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> PackageCopy:
    return package_with_toys(tmp_path_factory.mktemp("package"), "toy")


@pytest.fixture
def lessons(tmp_path: Path, package: PackageCopy) -> ToyCommandLine:
    return ToyCommandLine(tmp_path, package)


def test_a_row_names_what_is_in_the_folder() -> None:
    for row, folder in ((row, Path(base.__file__).parent / row.name.replace("-", "_")) for row in AGENTS.values()):
        assert {*row.own} <= {file.stem for file in folder.glob("*.py")}, row.name
    assert {*ROW.own, "wire", "row", "__init__"} == {file.stem for file in Path(toy.__path__[0]).glob("*.py")}


def test_without_its_row_there_is_no_such_agent(tmp_path: Path) -> None:
    assert "'claude-code'" in CommandLine(tmp_path).refused("install", "--agent", "toy", code=2)


def test_the_hook_goes_in_and_out(lessons: ToyCommandLine) -> None:
    lessons.conf.parent.mkdir()
    lessons.conf.write_text("colour = blue\n")
    report = lessons.json("install", "--agent", "toy")
    assert (report["agent"], report["file"], report["changed"]) == ("toy", str(lessons.conf), True)
    assert lessons.conf.read_text().count("\non ") == 3
    assert lessons.json("install", "--agent", "toy")["changed"] is False
    assert "does not work with toy" in lessons.refused("install", "--agent", "toy", "--warm")
    assert lessons.json("uninstall", "--agent", "toy")["changed"] is True
    assert lessons.conf.read_text() == "colour = blue\n"
    assert not (lessons.person / ".claude").exists() and not (lessons.person / ".claude.json").exists()


def test_the_hook_answers_in_its_own_format(lessons: ToyCommandLine) -> None:
    for each in (blocking(), lesson("stash"), lesson("starts", triggers={"sessionStart": True})):
        lessons.json("add", "--from", "-", text=json.dumps(each))
    lessons.json("install", "--agent", "toy")
    assert lessons.hook("before", step={"id": "s1", "exec": "ls"}) is None
    refused = lessons.hook("before", step={"id": "s2", "exec": "git push --force"})
    assert refused.keys() == {"refuse", "show"} and "lessons allow" in refused["show"]
    assert lessons.hook("before", step={"id": "s3", "exec": "git stash"}).keys() == {"say"}
    assert lessons.hook("before", step={"id": "s4", "exec": "git stash"}) is None, "once a session"
    assert lessons.hook("hello").keys() == {"say"}
    assert not (lessons.home / "faults.log").exists()


def test_its_transcripts_are_read(lessons: ToyCommandLine) -> None:
    chats = lessons.person / ".toy" / "chats"
    chats.mkdir(parents=True)
    lines = [json.dumps(line) + "\n" for line in _CHAT]
    (chats / "c1.chat").write_text("".join(lines[:3]))
    (chats / "other.chat").write_text('{"type": "user"}\n')
    first = lessons.json("scan", "--agent", "toy")
    assert (first["calls"]["failed"], first["calls"]["ok"]) == (1, 0)
    (chats / "c1.chat").write_text("".join(lines) + "[half")
    second = lessons.json("scan", "--agent", "toy")
    assert (second["calls"]["ok"], second["unknownTypes"], second["files"]["read"]) == (1, {"sing": 1}, 1)
    [candidate] = lessons.json("candidates", "--all")["candidates"]
    assert [each["toolUseId"] for each in candidate["evidence"]] == ["s1"]


def test_its_hook_is_checked(lessons: ToyCommandLine) -> None:
    [failing] = [check for check in _checks(lessons, "--agent", "toy") if check["name"] == "settings"]
    assert not failing["ok"] and "--agent toy" in failing["fix"]
    lessons.json("install", "--agent", "toy")
    found = {check["name"]: check["ok"] for check in _checks(lessons, "--agent", "toy")}
    assert {name for name, ok in found.items() if not ok} == set()
    assert {"hook before", "hook failed", "hook hello"} <= found.keys()
    assert [check["ok"] for check in _checks(lessons) if check["name"] == "settings"] == [True], "it alone is here"
    (lessons.person / ".claude").mkdir()
    both = [check["ok"] for check in _checks(lessons) if check["name"] == "settings"]
    assert sorted(both) == [False, True], "Claude Code has no hook here, toy has"


def _checks(lessons: ToyCommandLine, *options: str) -> list[dict[str, Any]]:
    checks: list[dict[str, Any]] = json.loads(lessons("doctor", *options, "--json").out)["checks"]
    return checks


def test_what_a_session_did_is_saved(lessons: ToyCommandLine) -> None:
    chats = lessons.person / ".toy" / "chats"
    chats.mkdir(parents=True)
    lines = [["toy", "c1", str(lessons.work)], *_CHAT[1:]]
    (chats / "c1.chat").write_text("".join(json.dumps(line) + "\n" for line in lines))
    handoff = lessons.json("handoff", "save", "--agent", "toy")
    assert (handoff["agent"], handoff["sessionId"]) == ("toy", "c1")
    assert [each["command"] for each in handoff["worked"]] == ["make test"]
    assert [each["command"] for each in handoff["failed"]] == ["make tset"]
