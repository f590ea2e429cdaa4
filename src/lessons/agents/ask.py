"""Asks the agent that the user has one question: without a terminal, without tools, in an empty folder.

The prompt quotes transcripts, so the client must not act on it: it gets the prompt on stdin, runs no tool, reads no
file that the prompt mentions, and starts none of the user's hooks and servers where it can be told so. A client that
cannot be told to keep no transcript writes one that names the folder, which `scan` leaves out (`store/state_paths.py`).
"""

import json
import os
import re
import shutil
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from lessons.agents.places import settings_path
from lessons.agents.supervise import Ended, ended_like_an_interrupt, run
from lessons.agents.table import AGENTS
from lessons.errors import Refused, Unreachable
from lessons.plain import quoted
from lessons.started_by import VARIABLES
from lessons.store.state_paths import QUESTION_PREFIX, QUESTION_SUFFIX

_USAGE = "usage.json"  # in the arguments of a client: the file to which it writes what it has used
# These are tried on what a client says when it fails; the words are quoted to the user in any case.
_NO_LOGIN = re.compile(
    r"log(ged)?[ -]?in|sign(ed)?[ -]?in|\b40[13]\b|unauthori[sz]ed|authenticat|credential|api[ _-]?key"
    r"|environment variable",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"\b(429|529)\b|(usage|rate|hit your|reached your).{0,12} limit|quota|credit balance|overloaded", re.IGNORECASE
)
_TOO_OLD = re.compile(r"(unknown|unexpected|unrecognized|invalid) (option|argument|flag)", re.IGNORECASE)
_NO_NETWORK = re.compile(
    r"ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|fetch failed|waiting for network|error sending request"
    r"|connection (error|failed|refused)|lookup address|(unable to|cannot|could not) connect",
    re.IGNORECASE,
)

Document = dict[str, Any]


class Reply(NamedTuple):
    """What an agent answered; tokens (all that it read and wrote) and cost (US dollars) only if it says so."""

    text: str
    tokens: int | None
    model: str
    cost: float | None


class Client(NamedTuple):
    """How one agent is asked; `read` returns its reply, or what it says went wrong."""

    program: str
    arguments: tuple[str, ...]
    read: Callable[[list[Document]], Reply | str]
    environment: Mapping[str, str] = {}
    servers_off: Callable[[], list[str]] = list  # arguments that disable the user's servers, each by its name


def askable() -> list[str]:
    """Returns the agents that can be asked on this machine."""
    return [agent for agent in CLIENTS if can_ask(agent)]


def can_ask(agent: str) -> bool:
    """Whether the agent can be asked without a terminal, and is installed."""
    return agent in CLIENTS and shutil.which(CLIENTS[agent].program) is not None


def client_of(agent: str) -> tuple[Client, str]:
    """Returns how it is asked, and its program; raises Unreachable if there is no such thing here."""
    title, client = AGENTS[agent].title, CLIENTS.get(agent)
    if client is None:
        raise Unreachable(f"{title} cannot be asked without a terminal: use --export and --answers.")
    program = shutil.which(client.program)
    if program is None:
        raise Unreachable(
            f"{title} is not installed: no `{client.program}` on PATH. Use --export and --answers instead."
        )
    return client, program


def ask(agent: str, prompt: str, seconds: float) -> Reply:
    """Returns the answer; raises Refused with one sentence if there is none. Nothing that was started is left."""
    title, (client, program) = AGENTS[agent].title, client_of(agent)
    with ended_like_an_interrupt(), _folder() as folder, _folder() as scratch:
        usage = os.path.join(scratch, _USAGE)
        command = [program, *(word.replace(_USAGE, usage) for word in client.arguments), *client.servers_off()]
        ended = run(command, prompt, folder, _environment(client, scratch), seconds)
        told = client.read(_documents(ended.output) + _documents(_text_of(usage)))
    if isinstance(told, Reply) and told.text.strip() and ended.code == 0:
        return told
    words = told if isinstance(told, str) else ""
    raise _refusal(title, client, ended, words or ended.errors.strip() or ended.output.strip(), seconds)


def _folder() -> "tempfile.TemporaryDirectory[str]":
    """Returns a new folder; a file that is still being written does not keep it from being removed."""
    return tempfile.TemporaryDirectory(QUESTION_SUFFIX, QUESTION_PREFIX, ignore_cleanup_errors=True)


def _text_of(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _refusal(title: str, client: Client, ended: Ended, said: str, seconds: float) -> Refused:
    signs = (_NO_NETWORK, _NO_LOGIN, _LIMIT, _TOO_OLD)
    no_network, no_login, limit, too_old = (next(filter(each.search, said.splitlines()), "") for each in signs)
    words = f" It says {quoted((no_network or no_login or limit or too_old or said).strip())}." if said else ""
    if no_network:
        return Unreachable(f"{title} cannot reach its model: check the network, then try again.{words}")
    if ended.code is None:
        return Refused(f"{title} did not answer within {seconds:g} seconds: try again, or give more --seconds.{words}")
    if no_login:
        return Unreachable(f"{title} is not logged in: run `{client.program}`, log in, then try again.{words}")
    if limit:
        return Unreachable(f"{title} has reached a limit of its account or service: try again later.{words}")
    if ended.code and too_old:
        return Unreachable(f"{title} does not know an option that lessons needs: update it, then try again.{words}")
    if ended.code:
        return Refused(f"{title} failed with exit code {ended.code}: run `{client.program}` to see why.{words}")
    return Refused(f"{title} gave an empty answer: try again.{words}")


def _environment(client: Client, scratch: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _REMOVED}
    temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), scratch)  # clients leave files of many megabytes there
    return {**kept, **temporary, **client.environment, "LESSONS_DISABLE": "1"}


def _documents(output: str) -> list[Document]:
    """Returns the JSON objects in it: one, a list of them, or one a line among other lines."""
    with suppress(ValueError, RecursionError):
        whole = json.loads(output)
        return [each for each in (whole if isinstance(whole, list) else [whole]) if isinstance(each, dict)]
    found = []
    for line in output.splitlines():
        with suppress(ValueError, RecursionError):
            if isinstance(document := json.loads(line), dict):
                found.append(document)
    return found


def _at(document: object, *names: str) -> Any:
    """Returns what stands below these names; None if there is no such thing."""
    for name in names:
        document = document.get(name) if isinstance(document, dict) else None
    return document


def _of_type(documents: list[Document], *types: str) -> list[Document]:
    return [each for each in documents if each.get("type") in types]


def _sum(numbers: Iterable[object]) -> int | None:
    """Returns None if the client reported none of them."""
    counted = [number for number in numbers if isinstance(number, int)]
    return sum(counted) if counted else None


def _names(table: object) -> str:
    return ", ".join(table) if isinstance(table, dict) else ""


def _beside_settings(agent: str, *names: str) -> str:
    """Returns a path relative to the folder of the file with the agent's hooks."""
    hooks = settings_path(agent, "user", "", os.environ)
    return os.path.normpath(os.path.join(os.path.dirname(hooks), *names))


# Variables of a session around this one, in which the question does not belong, and one that allows every tool.
_REMOVED = frozenset((
    *VARIABLES,
    *("CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT"),
    *("CLAUDE_CODE_FORCE_SESSION_PERSISTENCE", "COPILOT_ALLOW_ALL"),
))  # fmt: skip


def _from_claude_code(documents: list[Document]) -> Reply | str:
    [result] = documents[-1:] or [{}]
    if result.get("is_error"):
        return str(result.get("result") or "")
    counts = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
    tokens = _sum(_at(result, "usage", name) for name in counts)
    cost = result.get("total_cost_usd")
    cost = float(cost) if isinstance(cost, int | float) else None
    return Reply(str(result.get("result") or ""), tokens, _names(_at(result, "modelUsage")), cost)


_CLAUDE_CODE = Client(
    "claude",
    (
        *("--print", "--output-format", "json"),
        *("--tools", ""),
        *("--strict-mcp-config", "--disable-slash-commands", "--no-session-persistence"),
        *("--settings", json.dumps({"disableAllHooks": True})),
    ),
    _from_claude_code,
    {
        "CLAUDE_CODE_SAFE_MODE": "1",  # neither instructions nor plugins, agents and memories
        "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
        "CLAUDE_CODE_DISABLE_ATTACHMENTS": "1",  # else a file that is mentioned (@path) is sent
        "CLAUDE_CODE_DISABLE_FILE_MENTIONS": "1",
        "DISABLE_AUTOUPDATER": "1",
    },
)


def _from_codex(documents: list[Document]) -> Reply | str:
    ends = _of_type(documents, "turn.completed")
    if not ends:
        faults = [_at(each, "error", "message") or each.get("message") for each in documents]
        return str(next(filter(None, reversed(faults)), ""))
    items = [each["item"] for each in documents if _at(each, "item", "type") == "agent_message"]
    tokens = _sum(_at(each, "usage", name) for each in ends for name in ("input_tokens", "output_tokens"))
    return Reply(str(_at(items[-1], "text") or "") if items else "", tokens, "", None)


def _codex_servers_off() -> list[str]:
    """An empty table would be merged with the user's."""
    try:
        servers = tomllib.loads(_text_of(_beside_settings("codex", "config.toml"))).get("mcp_servers")
    except ValueError:
        return []
    off = [f"{json.dumps(name)} = {{enabled = false}}" for name in servers or ()]
    return ["-c", f"mcp_servers={{{', '.join(off)}}}"] if off else []


_CODEX_FEATURES_OFF = (
    *("shell_tool", "unified_exec", "shell_snapshot", "view_image", "image_generation", "multi_agent", "goals"),
    *("hooks", "apps", "plugins", "memories", "daemon_auto_start", "unbounded_connection_retries"),
)
_CODEX = Client(
    "codex",
    (
        *("exec", "--json", "--ephemeral", "--skip-git-repo-check", "--ignore-rules", "--sandbox", "read-only"),
        *("-c", 'approval_policy="never"', "-c", 'web_search="disabled"', "-c", "notify=[]"),
        *("-c", "project_doc_max_bytes=0"),
        *(word for name in _CODEX_FEATURES_OFF for word in ("-c", f"features.{name}=false")),
    ),
    _from_codex,
    servers_off=_codex_servers_off,
)


def _from_gemini_cli(documents: list[Document]) -> Reply | str:
    [result] = documents[-1:] or [{}]
    if "error" in result:
        return str(_at(result, "error", "message") or "")
    models = _at(result, "stats", "models")
    tokens = _sum(_at(models, name, "tokens", "total") for name in models or ())
    return Reply(str(result.get("response") or ""), tokens, _names(models), None)


_NO_TOOLS = os.path.join(os.path.dirname(__file__), "gemini_cli", "no_tools.toml")
_GEMINI_CLI = Client(
    "gemini",
    (
        *("--output-format", "json", "--skip-trust", "--approval-mode", "default"),
        # The second is ignored where an administrator has set policies.
        *("--policy", _NO_TOOLS, "--admin-policy", _NO_TOOLS),
        *("--extensions", "none", "--allowed-mcp-server-names", "none"),
    ),
    _from_gemini_cli,
    {"NO_COLOR": "1"},
)


def _from_qwen_code(documents: list[Document]) -> Reply | str:
    [result] = _of_type(documents, "result")[-1:] or [{}]
    if result.get("is_error"):
        return str(_at(result, "error", "message") or result.get("result") or "")
    model = _names(_at(result, "stats", "models"))
    return Reply(str(result.get("result") or ""), _sum([_at(result, "usage", "total_tokens")]), model, None)


# Each tool must be named. What is added later runs only if the user would be asked, which is refused here.
_QWEN_TOOLS_OFF = (
    *("run_shell_command", "exec", "monitor", "workflow", "agent", "create_sub_session", "send_message", "list_agents"),
    *("edit", "write_file", "notebook_edit", "save_memory", "todo_write", "artifact", "record_artifact", "image_gen"),
    *("read_file", "zoom_image", "list_directory", "glob", "grep_search", "lsp", "web_fetch", "web_search"),
    *("skill", "tool_call", "tool_search", "read_mcp_resource", "enter_worktree", "exit_worktree", "report_findings"),
    *("cron_create", "cron_list", "cron_delete", "loop_wakeup", "get_goal", "update_goal", "task_stop"),
)
_QWEN_CODE = Client(
    "qwen",
    (
        *("--output-format", "json", "--chat-recording=false", "--approval-mode", "default"),
        *(word for name in _QWEN_TOOLS_OFF for word in ("--exclude-tools", name)),
    ),
    _from_qwen_code,
    {"QWEN_CODE_SAFE_MODE": "1"},  # neither instructions nor hooks, extensions, skills and servers
)


def _from_opencode(documents: list[Document]) -> Reply | str:
    if faults := _of_type(documents, "error"):
        return str(_at(faults[-1], "error", "data", "message") or _at(faults[-1], "error", "name") or "")
    ends = [_at(each, "part") for each in _of_type(documents, "step_finish")]
    texts = [_at(each, "part") for each in _of_type(documents, "text")]
    last = [str(_at(each, "text") or "") for each in texts if _at(each, "messageID") == _at(texts[-1], "messageID")]
    cost = sum(float(_at(each, "cost") or 0) for each in ends)
    return Reply("\n".join(last), _sum(_at(each, "tokens", "total") for each in ends), "", cost or None)


_OPENCODE_AGENT = {"mode": "primary", "permission": {"*": "deny"}, "tools": {"*": False}}
_OPENCODE = Client(
    "opencode",
    # With a title, no model is asked for one.
    ("run", "--format", "json", "--title", "lessons learn", "--agent", "lessons-learn"),
    _from_opencode,
    {
        "OPENCODE_CONFIG_CONTENT": json.dumps(
            {"agent": {"lessons-learn": _OPENCODE_AGENT}, "share": "disabled", "autoupdate": False, "snapshot": False}
        ),
        **{f"OPENCODE_DISABLE_{name}": "1" for name in ("PROJECT_CONFIG", "CLAUDE_CODE", "EXTERNAL_SKILLS")},
        "OPENCODE_PURE": "1",  # without plugins
        "OPENCODE_PRINT_LOGS": "1",  # else it says nothing while it tries to reach its model
        "OPENCODE_LOG_LEVEL": "ERROR",
    },
)


def _from_copilot_cli(documents: list[Document]) -> Reply | str:
    if faults := _of_type(documents, "session.error"):
        return str(_at(faults[-1], "data", "message") or "")
    texts = [_at(each, "data") for each in _of_type(documents, "assistant.message") if _at(each, "data", "content")]
    [models] = [each["modelMetrics"] for each in documents if "modelMetrics" in each][-1:] or [{}]
    usage = [_at(models, name, "usage", key) for name in models or () for key in ("inputTokens", "outputTokens")]
    return Reply(str(texts[-1]["content"]) if texts else "", _sum(usage), _names(models), None)


def _copilot_servers_off() -> list[str]:
    with suppress(ValueError, RecursionError):
        servers = _at(json.loads(_text_of(_beside_settings("copilot-cli", "..", "mcp-config.json"))), "mcpServers")
        return [word for name in servers or () for word in ("--disable-mcp-server", name)]
    return []


_COPILOT_CLI = Client(
    "copilot",
    (
        *("--output-format", "json", "--stream", "off", "--no-color", "--log-level", "none"),
        *("--available-tools", "none", "--deny-tool", "shell", "write", "url", "--disallow-temp-dir"),
        *("--disable-builtin-mcps", "--no-custom-instructions", "--no-ask-user", "--no-remote", "--no-auto-update"),
        *("--usage-output-file", _USAGE),
    ),
    _from_copilot_cli,
    servers_off=_copilot_servers_off,
)

CLIENTS = {
    "claude-code": _CLAUDE_CODE,
    "codex": _CODEX,
    "copilot-cli": _COPILOT_CLI,
    "gemini-cli": _GEMINI_CLI,
    "opencode": _OPENCODE,
    "qwen-code": _QWEN_CODE,
}
