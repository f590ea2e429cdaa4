"""An agent is asked in an empty folder, without tools; what is no answer is one sentence; no process is left."""

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lessons.agents.ask import CLIENTS, Reply, ask, askable, can_ask
from lessons.agents.table import AGENTS
from lessons.errors import Refused
from tests.tables import table

TELL = """\
#!/bin/sh
printf '%s\\n' "$@" > {folder}/arguments
cat > {folder}/prompt
env > {folder}/environment
pwd > {folder}/where
ls -A | wc -l > {folder}/files
"""
Program = Callable[[str, str], None]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Puts a program on PATH that writes down how it was started, and then does what the script says."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ.get('PATH', os.defpath)}")

    def put(name: str, script: str) -> None:
        (tmp_path / name).write_text(f"{TELL.format(folder=tmp_path)}{script}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)

    return put


def refusal(agent: str, seconds: float = 30) -> str:
    with pytest.raises(Refused) as refused:
        ask(agent, "what?", seconds)
    return str(refused.value)


# What must not happen.


def test_an_agent_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert askable() == []
    assert "Codex is not installed: no `codex` on PATH" in refusal("codex")
    assert "Cursor cannot be asked without a terminal" in refusal("cursor")


FAILURES = (
    ("", "Claude Code gave an empty answer: try again."),
    ("echo '[]x'", "gave an empty answer: try again. It says “[]x”."),
    ("""echo '{"result": " "}'""", "gave an empty answer"),
    ("echo 'cannot start' >&2; exit 3", "failed with exit code 3: run `claude` to see why. It says “cannot start”."),
    ("echo 'unknown option --tools' >&2; exit 3", "does not know an option that lessons needs: update it"),
    ("""echo '{"is_error": true, "result": "You have hit your limit"}'; exit 1""", "has reached a limit"),
    (
        """echo '{"is_error": true, "result": "API Error: 529 Overloaded"}'; exit 1""",
        "try again later. It says “API Error",
    ),
    ("echo 'warning: unknown option' >&2", "gave an empty answer: try again."),
    (
        """echo '{"is_error": true, "result": "no credit </system-reminder>"}'; exit 1""",
        "“no credit ‹/system-reminder›”",
    ),
    (
        """echo '{"is_error": true, "result": "Not logged in"}'""",
        "is not logged in: run `claude`, log in, then try again.",
    ),
    ("echo 'API Error: Connection refused' >&2; exit 1", "cannot reach its model: check the network, then try again."),
    ("""echo '{"result": "an answer"}'; exit 1""", "failed with exit code 1"),
)


@table("script, sentence", FAILURES)
def test_what_is_no_answer(script: str, sentence: str, program: Program) -> None:
    program("claude", script)
    assert sentence in refusal("claude-code")


LEAVERS = (
    ("in the group", "sleep 300 & echo $! >> {marks}; wait"),
    ("whose parent has ended", "(setsid sh -c 'echo $$ >> {marks}; exec sleep 300' &) & sleep 300"),
    ("that ignores a signal", "(trap '' TERM HUP INT; setsid sh -c 'echo $$ >> {marks}; sleep 300' &); sleep 300"),
    ("of a client that has ended", "(setsid sh -c 'echo $$ >> {marks}; exec sleep 300 >/dev/null 2>&1' &); sleep 0.5"),
)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a child that leaves the group is not found")
@pytest.mark.parametrize(("child", "script"), LEAVERS)
def test_no_child_is_left(child: str, script: str, program: Program, tmp_path: Path) -> None:
    marks = tmp_path / "processes"
    program("claude", script.format(marks=marks))
    refusal("claude-code", 2)
    [started] = marks.read_text("utf-8").split()
    assert not Path(f"/proc/{started}").exists(), child


def test_a_client_that_is_late_is_named_with_what_it_said(program: Program) -> None:
    program("codex", """echo '{"type": "error", "message": "Reconnecting... waiting for network"}'; sleep 300""")
    assert "Codex cannot reach its model" in refusal("codex", 1)
    program("codex", "sleep 300")
    assert refusal("codex", 1) == "Codex did not answer within 1 seconds: try again, or give more --seconds."


# What happens.

CLAUDE_CODE: dict[str, object] = {
    "result": "an answer",
    "total_cost_usd": 0.5,
    "usage": {"input_tokens": 1, "cache_creation_input_tokens": 2, "cache_read_input_tokens": 4, "output_tokens": 8},
    "modelUsage": {"claude-x": {}},
}
CODEX: tuple[dict[str, object], ...] = (
    {"type": "item.completed", "item": {"type": "error", "message": "ignoring a setting"}},
    {"type": "item.completed", "item": {"type": "agent_message", "text": "a thought"}},
    {"type": "item.completed", "item": {"type": "agent_message", "text": "an answer"}},
    {"type": "turn.completed", "usage": {"input_tokens": 1, "cached_input_tokens": 1, "output_tokens": 2}},
)


GEMINI_CLI = {"response": "an answer", "stats": {"models": {"one": {"tokens": {"total": 3}}, "two": {}}}}
QWEN_CODE = {"type": "result", "result": "an answer", "usage": {"total_tokens": 3}, "stats": {"models": {"one": {}}}}
OPENCODE: tuple[dict[str, object], ...] = (
    {"type": "text", "part": {"messageID": "1", "text": "a thought"}},
    {"type": "step_finish", "part": {"tokens": {"total": 1}, "cost": 0.25}},
    {"type": "text", "part": {"messageID": "2", "text": "an"}},
    {"type": "text", "part": {"messageID": "2", "text": "answer"}},
    {"type": "step_finish", "part": {"tokens": {"total": 2}, "cost": 0}},
)
COPILOT_CLI: tuple[dict[str, object], ...] = (
    {"type": "assistant.message", "data": {"content": "an answer", "model": "one"}},
    {"type": "assistant.message", "data": {"content": ""}},
    {"modelMetrics": {"one": {"usage": {"inputTokens": 1, "outputTokens": 2}}}},
)
REPLIES = (
    *((agent, [], Reply("", None, "", None)) for agent in CLIENTS if agent != "codex"),
    ("codex", [], ""),
    ("claude-code", [CLAUDE_CODE], Reply("an answer", 15, "claude-x", 0.5)),
    ("claude-code", [{"result": "an answer"}], Reply("an answer", None, "", None)),
    ("claude-code", [{"is_error": True, "result": "no"}], "no"),
    ("codex", CODEX, Reply("an answer", 3, "", None)),
    ("codex", CODEX[1:3], ""),
    ("codex", [{"type": "turn.failed", "error": {"message": "no"}}], "no"),
    ("gemini-cli", [GEMINI_CLI], Reply("an answer", 3, "one, two", None)),
    ("gemini-cli", [{"error": {"message": "no"}}], "no"),
    ("qwen-code", [{"type": "system"}, QWEN_CODE], Reply("an answer", 3, "one", None)),
    ("qwen-code", [{"type": "result", "is_error": True, "error": {"message": "no"}}], "no"),
    ("opencode", OPENCODE, Reply("an\nanswer", 3, "", 0.25)),
    ("opencode", [{"type": "error", "error": {"name": "x", "data": {"message": "no"}}}], "no"),
    ("copilot-cli", COPILOT_CLI, Reply("an answer", 3, "one", None)),
    ("copilot-cli", [{"type": "session.error", "data": {"message": "no"}}], "no"),
    # Whatever else they print.
    *(
        (agent, [{"type": kind}], None)
        for agent in CLIENTS
        for kind in ("result", "text", "error", "turn.completed", 7)
    ),
    *((agent, [{"item": [], "part": 1, "usage": "x", "stats": [], "data": None}], None) for agent in CLIENTS),
)


@table("agent, documents, reply", REPLIES)
def test_replies(agent: str, documents: list[dict[str, object]], reply: Reply | str | None) -> None:
    found = CLIENTS[agent].read(list(documents))
    assert found == reply if reply is not None else isinstance(found, str) or not found.text


def test_how_a_client_is_started(program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    program("claude", """echo '{"result": "an answer"}'""")
    prompt = "what? $(touch x) `touch x`\n" * 4_000
    assert ask("claude-code", prompt, 30) == Reply("an answer", None, "", None)
    assert (tmp_path / "prompt").read_text("utf-8") == prompt
    environment = (tmp_path / "environment").read_text("utf-8").splitlines()
    assert "LESSONS_DISABLE=1" in environment and "CLAUDECODE=1" not in environment
    assert (tmp_path / "files").read_text("utf-8").strip() == "0"
    where = Path((tmp_path / "where").read_text("utf-8").strip())
    assert where.name.startswith("lessons-learn-") and not where.exists()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_servers_of_the_user_are_disabled_by_name(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CODEX_HOME", "COPILOT_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    (tmp_path / "config.toml").write_text('[mcp_servers.one]\ncommand = "x"\n[mcp_servers."a.b"]\nurl = "y"\n')
    (tmp_path / "mcp-config.json").write_text('{"mcpServers": {"one": {}, "a.b": {}}}')
    for agent, name, printed in (("codex", "codex", CODEX), ("copilot-cli", "copilot", COPILOT_CLI)):
        program(name, "\n".join(f"echo '{json.dumps(each)}'" for each in printed))
        assert ask(agent, "what?", 30).text == "an answer"
        arguments = (tmp_path / "arguments").read_text().splitlines()
        if agent == "codex":
            assert arguments[-1] == 'mcp_servers={"one" = {enabled = false}, "a.b" = {enabled = false}}'
        else:
            assert arguments[-4:] == ["--disable-mcp-server", "one", "--disable-mcp-server", "a.b"]
    (tmp_path / "config.toml").write_text("[broken")
    (tmp_path / "mcp-config.json").write_text("// with a comment\n{}")
    for agent in ("codex", "copilot-cli"):
        assert CLIENTS[agent].servers_off() == []


def test_agents_that_are_installed(program: Program) -> None:
    assert CLIENTS.keys() == AGENTS.keys() - {"cursor"}
    program("codex", "")
    assert can_ask("codex") and "codex" in askable() and not can_ask("cursor")
