"""Where settings and transcripts of every agent are, whatever its variables say."""

from pathlib import Path

import pytest

from lessons.agents.places import settings_path, transcript_folders
from lessons.agents.table import AGENTS, reader_of
from lessons.errors import Refused
from tests.builders.rollout import Rollout
from tests.conftest import SetVariable
from tests.tables import table


@table("agent", AGENTS)
def test_an_unknown_scope_is_refused(agent: str) -> None:
    with pytest.raises(Refused, match="user or project"):
        settings_path(agent, "global", "/p", {})


@table(
    ("agent", "variables", "expected"),
    [
        ("claude-code", {}, "/h/.claude/settings.json"),
        ("claude-code", {"CLAUDE_CONFIG_DIR": ""}, "/h/.claude/settings.json"),
        ("claude-code", {"CLAUDE_CONFIG_DIR": "/c d"}, "/c d/settings.json"),
        ("codex", {}, "/h/.codex/hooks.json"),
        ("codex", {"CODEX_HOME": "/c"}, "/c/hooks.json"),
        ("copilot-cli", {}, "/h/.copilot/hooks/lessons.json"),
        ("copilot-cli", {"COPILOT_HOME": "/c"}, "/c/hooks/lessons.json"),
        ("gemini-cli", {}, "/h/.gemini/settings.json"),
        ("gemini-cli", {"GEMINI_CLI_HOME": "/g"}, "/g/.gemini/settings.json"),
        ("opencode", {"XDG_CONFIG_HOME": ""}, "/h/.config/opencode/plugins/lessons.js"),
        ("opencode", {"XDG_CONFIG_HOME": "/x"}, "/x/opencode/plugins/lessons.js"),
        ("opencode", {"OPENCODE_CONFIG_DIR": "/o", "XDG_CONFIG_HOME": "/x"}, "/o/plugins/lessons.js"),
        ("qwen-code", {}, "/h/.qwen/settings.json"),
        ("qwen-code", {"QWEN_HOME": "/q"}, "/q/settings.json"),
        ("cursor", {}, "/h/.cursor/hooks.json"),
    ],
)
def test_the_settings_of_a_person(agent: str, variables: dict[str, str], expected: str) -> None:
    assert settings_path(agent, "user", "/p", {"HOME": "/h", **variables}) == expected
    assert settings_path(agent, "project", "/p", variables) == f"/p/{AGENTS[agent].project_settings}"


def test_all_homes_of_the_client(surroundings: Path, variable: SetVariable) -> None:
    person = surroundings / "person"
    usual = [str(person / ".claude" / "projects"), str(person / ".config" / "claude" / "projects")]
    assert transcript_folders("claude-code") == usual, "the folder that the variable names is one of the usual"
    for value, more in ((str(person / "elsewhere"), ["elsewhere"]), ("", []), ("~/mine/", ["mine"])):
        variable("CLAUDE_CONFIG_DIR", value)
        assert transcript_folders("claude-code") == [*(str(person / name / "projects") for name in more), *usual]


def test_a_home_that_is_a_link_is_named_once(surroundings: Path, variable: SetVariable) -> None:
    person = surroundings / "person"
    (person / "real").mkdir()
    (person / ".claude").rmdir()
    (person / ".claude").symlink_to(person / "real")
    variable("CLAUDE_CONFIG_DIR", str(person / "real"))
    assert transcript_folders("claude-code") == [
        str(person / "real" / "projects"),
        str(person / ".config" / "claude" / "projects"),
    ]


def test_a_client_with_one_home_is_read_there_alone(variable: SetVariable) -> None:
    variable("GEMINI_CLI_HOME", "/g")
    variable("XDG_DATA_HOME", "/x")
    assert transcript_folders("gemini-cli") == ["/g/.gemini/tmp"]
    assert transcript_folders("opencode") == ["/x/opencode"]
    assert transcript_folders("cursor") == [] and list(reader_of("cursor").conversations("")) == []
    assert not reader_of("cursor").recognises([b'{"role":"user"}\n'])


_THREAD = "01a1e07d-21ee-79c3-88b9-1b95305ea5ff"


@table(
    ("agent", "path", "stem"),
    [
        ("claude-code", "/p/-a/s1.jsonl", "s1"),
        ("claude-code", "/p/-a/s1/subagents/workflows/w1/agent-a1.jsonl", "agent-a1"),
        ("claude-code", "/p/-a-tool-results-b/s1.jsonl", "s1"),
        ("claude-code", "/p/-a/s.1.jsonl", "s.1"),
        ("codex", f"/sessions/2026/11/15/rollout-2026-11-15T18-34-19-{_THREAD}.jsonl", _THREAD),
        ("codex", f"/sessions/rollout-{_THREAD}.jsonl.zst", _THREAD),
        ("codex", "/sessions/odd.jsonl", "odd"),
        ("copilot-cli", "/s/c1/events.jsonl", "c1"),
        ("copilot-cli", "/s/c1.jsonl", "c1"),
        ("gemini-cli", "/t/a/chats/session-1.json", "session-1"),
        ("opencode", "/share/opencode/opencode.db#ses_1", "ses_1"),
    ],
)
def test_names_of_conversations(agent: str, path: str, stem: str) -> None:
    assert reader_of(agent).stem(path) == stem


def test_the_conversations_of_a_project(tmp_path: Path, variable: SetVariable) -> None:
    variable("QWEN_RUNTIME_DIR", str(tmp_path))
    for project in ("-shop", "-shop-web", "-other"):
        (tmp_path / "projects" / project / "chats").mkdir(parents=True)
        (tmp_path / "projects" / project / "chats" / f"{project[1:]}.jsonl").touch()
    reader = reader_of("qwen-code")
    assert sorted(map(reader.stem, reader.conversations("/shop"))) == ["shop", "shop-web"]
    assert len(list(reader.conversations(""))) >= 3


def test_subagents_are_no_conversations(tmp_path: Path, variable: SetVariable) -> None:
    variable("CODEX_HOME", str(tmp_path))
    reader = reader_of("codex")
    assert list(reader.conversations("")) == []
    helper = Rollout("helper", session_id="p", thread_source="subagent", source={"subagent": {}})
    helper.write(tmp_path)
    mine, archived = Rollout("mine").write(tmp_path), Rollout("old").write(tmp_path, "archived_sessions")
    (mine.parent / "notes.txt").touch()
    assert sorted(reader.conversations("")) == sorted(map(str, (mine, archived)))
