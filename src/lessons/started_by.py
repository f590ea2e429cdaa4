"""Which agent started this process, by the variables that agents set for the commands they run. (hot)"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# They are not set in a user's own shell.
VARIABLES = {
    "CLAUDECODE": "Claude Code",
    "CLAUDE_CODE_SESSION_ID": "Claude Code",
    "CODEX_SANDBOX": "Codex",
    "CODEX_SANDBOX_NETWORK_DISABLED": "Codex",
    "CODEX_THREAD_ID": "Codex",
    "CODEX_CI": "Codex",
    "OPENCODE": "opencode",
    "COPILOT_CLI": "Copilot CLI",
    "COPILOT_AGENT": "Copilot",
    "GEMINI_CLI": "Gemini CLI",
    "QWEN_CODE": "Qwen Code",
    "CURSOR_AGENT": "Cursor",
    "CLINE_ACTIVE": "Cline",
    "AUGMENT_AGENT": "Augment",
    "ANTIGRAVITY_AGENT": "Antigravity",
    "GOOSE_TERMINAL": "Goose",
    "CRUSH": "Crush",
    "AI_AGENT": "an agent",
}


def agent_around(environment: "Mapping[str, str]") -> str:
    """Returns the title of the agent that started this process; empty if no known agent did."""
    found = (title for name, title in VARIABLES.items() if environment.get(name, "").lower() not in ("", "0", "false"))
    return next(found, "")
