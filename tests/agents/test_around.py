"""Which agent started a process, by its environment variables."""

from lessons.agents.around import agent_around
from tests.tables import table


@table(
    "environment",
    [
        {},
        {"CLAUDECODE": ""},
        {"CLAUDECODE": "0"},
        {"OPENCODE": "false"},
        {"CLAUDE_CONFIG_DIR": "/home/somebody/.claude", "CODEX_HOME": "/home/somebody/.codex", "EDITOR": "vi"},
        {"TERM_PROGRAM": "vscode", "CURSOR_TRACE_ID": "x"},
    ],
)
def test_none(environment: dict[str, str]) -> None:
    assert agent_around(environment) == ""


@table(
    ("name", "agent"),
    [
        ("CLAUDECODE", "Claude Code"),
        ("CODEX_SANDBOX", "Codex"),
        ("CODEX_THREAD_ID", "Codex"),
        ("OPENCODE", "opencode"),
        ("COPILOT_CLI", "Copilot CLI"),
        ("GEMINI_CLI", "Gemini CLI"),
        ("QWEN_CODE", "Qwen Code"),
        ("CURSOR_AGENT", "Cursor"),
        ("AI_AGENT", "an agent"),
    ],
)
def test_the_one_that_set_it(name: str, agent: str) -> None:
    assert agent_around({"PATH": "/bin", name: "1"}) == agent
