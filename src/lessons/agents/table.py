"""The agents that `lessons` supports: one row each, and the modules that belong to a row, loaded only on demand.

A row and `wire.py` make an agent. `own` names the further modules in its folder, which replace what all agents share:
`transcript` (else its transcripts are not read), `delivery`, `install`; base.py types them.
"""

import sys

from lessons.agents.hook_event import (
    AFTER_CALL,
    AFTER_FAILURE,
    BEFORE_CALL,
    BEFORE_COMPACTION,
    SESSION_END,
    SESSION_START,
    SUBAGENT_START,
    TURN_END,
    HookEvent,
    Unrecorded,
    event_of,
    start_session,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from lessons.agents.base import Delivery, Installer, ServerSetup, Store
    from lessons.agents.hook_event import Wire
    from lessons.agents.object_lines import Reader
    from lessons.agents.trial import SettingsChecks

DEFAULT_AGENT = "claude-code"


class Hook:
    """An event at which the client runs our hook: its kind, and how the settings register it."""

    __slots__ = ("condition", "is_silent", "kind", "matcher", "timeout")

    def __init__(
        self, kind: str, timeout: int = 5, matcher: str = "", condition: str = "", is_silent: bool = False
    ) -> None:
        self.kind = kind
        self.timeout = timeout  # in the client's unit
        self.matcher = matcher  # of tools; empty: the entry has none
        self.condition = condition  # for the call; otherwise the client starts nothing
        self.is_silent = is_silent  # prints nothing in a session without a transcript, as `doctor` tries it


class AgentSpec:
    """A row of the table. Paths are alternatives: the first whose variable is set counts (`first_place`)."""

    settings: str  # the user's settings file
    project_settings: str  # below the folder of a project
    transcripts: "tuple[str, ...]" = ()  # folders; each counts whose variable is set
    own: "tuple[str, ...]" = ()
    # Where text about a call reaches the model: BEFORE_CALL, or AFTER_CALL, with its result. Stops act before it.
    hints_at = BEFORE_CALL
    # Where the model is asked about a recovery. AFTER_CALL: every shell call that worked is reported. BEFORE_CALL:
    # `recovered` of the own `delivery` tells later which worked; the turn's end is asked too. Empty: never.
    asks_at = AFTER_CALL
    is_answered: bool | None = False  # whether the model went on after a stop, if no own `delivery` tells
    empty_settings = "{}\n"  # what a new settings file starts as
    has_flat_events = False  # handlers without groups, under names that start with a small letter
    runs_users_shell = False  # commands run in the user's own shell, whichever that is
    waits_for_streams = False  # at a time limit: until no process has the hook's streams open
    runs_both_scopes = False  # our hook in the user's and in the project's settings answers twice
    has_server = False  # `install --warm` works
    off_switch = ""  # the setting that disables all hooks, and its value
    warning = ""  # at every installation
    project_warning = ""
    next_step = ""  # what the user has to do before the hook runs
    limits = ""  # what the client does not support

    def __init__(self, name: str, title: str, events: "dict[str, Hook]", **others: object) -> None:
        """`events` have the client's own names."""
        self.name = name
        self.title = title
        self.events = events
        for field, value in others.items():
            setattr(self, field, value)

    def kind_of(self, event: str) -> str | None:
        """Returns None for an unknown event."""
        hook = self.events.get(event)
        return hook.kind if hook else None

    def written_event(self, event: str) -> str:
        """Returns the event as the settings file spells it."""
        return event[:1].lower() + event[1:] if self.has_flat_events else event


ROWS = (
    AgentSpec(
        "claude-code",
        "Claude Code",
        {
            "PreToolUse": Hook(BEFORE_CALL, matcher="*"),
            "PostToolUseFailure": Hook(AFTER_FAILURE, matcher="*"),
            "SessionStart": Hook(SESSION_START, 10),
            "SubagentStart": Hook(SUBAGENT_START),
            "PreCompact": Hook(BEFORE_COMPACTION, 10),
            "Stop": Hook(TURN_END, is_silent=True),
            "SessionEnd": Hook(SESSION_END, is_silent=True),
            "PostToolUse": Hook(AFTER_CALL, matcher="Bash", condition="Bash(git commit:*)", is_silent=True),
        },
        settings="$CLAUDE_CONFIG_DIR/settings.json | ~/.claude/settings.json",
        project_settings=".claude/settings.local.json",  # not shared: it names paths of this machine
        transcripts=("$CLAUDE_CONFIG_DIR/projects", "~/.claude/projects", "~/.config/claude/projects"),
        own=("transcript", "delivery", "install"),
        has_server=True,
        asks_at=BEFORE_CALL,
        off_switch="disableAllHooks: true",
    ),
    AgentSpec(
        "codex",
        "Codex",
        {
            "PreToolUse": Hook(BEFORE_CALL, matcher="*"),
            "PostToolUse": Hook(AFTER_CALL, matcher="Bash"),
            "SessionStart": Hook(SESSION_START, 10),
            "SubagentStart": Hook(SUBAGENT_START),
            "PreCompact": Hook(BEFORE_COMPACTION, 10, is_silent=True),
            "Stop": Hook(TURN_END, is_silent=True),
            "SessionEnd": Hook(SESSION_END, 3, is_silent=True),  # the client never waits longer
        },
        settings="$CODEX_HOME/hooks.json | ~/.codex/hooks.json",
        project_settings=".codex/hooks.json",
        transcripts=(
            "$CODEX_HOME/sessions",
            "$CODEX_HOME/archived_sessions",
            "~/.codex/sessions",
            "~/.codex/archived_sessions",
        ),
        own=("transcript", "install"),
        runs_users_shell=True,
        runs_both_scopes=True,
        project_warning="{} names paths of this machine: do not commit it. Codex reads it only in a project that you"
        " trust.",
        next_step="Codex runs only hooks that you trust: start `codex`, enter /hooks and trust those of lessons.",
        limits="Codex runs a hook only after you trust it with /hooks. It gives hooks no exit code: a failed command is"
        " detected from Codex's own session file.",
    ),
    AgentSpec(
        "copilot-cli",
        "Copilot CLI",
        # Names in Pascal case get payloads like those of Claude Code. Only a shell's result shows a failure.
        {
            "PreToolUse": Hook(BEFORE_CALL, matcher="*"),
            "PostToolUse": Hook(AFTER_CALL, matcher="Bash"),
            "PostToolUseFailure": Hook(AFTER_FAILURE, matcher="*"),
            "SessionStart": Hook(SESSION_START, 10),
            "SubagentStart": Hook(SUBAGENT_START),
            "PreCompact": Hook(BEFORE_COMPACTION, 10, is_silent=True),
            "Stop": Hook(TURN_END, is_silent=True),
            "SessionEnd": Hook(SESSION_END, is_silent=True),
        },
        settings="$COPILOT_HOME/hooks/lessons.json | ~/.copilot/hooks/lessons.json",
        project_settings=".github/hooks/lessons.json",
        transcripts=("$COPILOT_HOME/session-state", "~/.copilot/session-state"),
        own=("transcript",),
        is_answered=None,
        empty_settings='{\n  "version": 1\n}\n',
        project_warning="{} belongs to the repository and names paths of this machine: do not commit it.",
        limits="Copilot CLI does not show you messages of hooks: run `lessons log` to see what fired, and `lessons"
        " allow` to let a blocked call pass. It gives hooks no call id, so a call that is repeated within one second of"
        " a stop is stopped too. It accepts no text from a hook at a compaction: the handoff is saved, but not"
        " restored.",
    ),
    AgentSpec(
        "gemini-cli",
        "Gemini CLI",
        # In milliseconds. Not PreCompress: the client sends it before every request, whether it compresses or not.
        {
            "BeforeTool": Hook(BEFORE_CALL, 5_000),
            "AfterTool": Hook(AFTER_CALL, 5_000),
            "SessionStart": Hook(SESSION_START, 10_000),
            "AfterAgent": Hook(TURN_END, 5_000, is_silent=True),
            "SessionEnd": Hook(SESSION_END, 5_000, is_silent=True),
        },
        settings="$GEMINI_CLI_HOME/.gemini/settings.json | ~/.gemini/settings.json",
        project_settings=".gemini/settings.json",
        transcripts=("$GEMINI_CLI_HOME/.gemini/tmp | ~/.gemini/tmp",),
        own=("transcript",),
        hints_at=AFTER_CALL,  # text added before a call never reaches the model
        runs_users_shell=True,
        waits_for_streams=True,
        off_switch="hooksConfig.enabled: false",
        limits="Gemini CLI passes no text to the model before a call: blocks and stops act before it, hints come with"
        " its result. It does not report when it has compressed a context, so lessons are not shown again and no"
        " handoff is restored. It runs the hooks of a project only in a folder that you trust.",
    ),
    AgentSpec(
        "opencode",
        "opencode",
        # The names in plugin.js: each starts at a hook or an event of opencode.
        {
            "BeforeTool": Hook(BEFORE_CALL),
            "AfterTool": Hook(AFTER_CALL),
            "ToolError": Hook(AFTER_FAILURE),
            "SessionStart": Hook(SESSION_START),
            "SubagentStart": Hook(SUBAGENT_START),
            "Compacting": Hook(BEFORE_COMPACTION),
            "Idle": Hook(TURN_END),
        },
        settings="$OPENCODE_CONFIG_DIR/plugins/lessons.js | $XDG_CONFIG_HOME/opencode/plugins/lessons.js"
        " | ~/.config/opencode/plugins/lessons.js",
        project_settings=".opencode/plugins/lessons.js",
        transcripts=("$XDG_DATA_HOME/opencode | ~/.local/share/opencode",),
        own=("transcript", "install"),
        hints_at=AFTER_CALL,  # there is no field for text before a call; text can be added to its result
        runs_both_scopes=True,
        limits="opencode passes no text to the model before a call: blocks and stops act before it, hints come with its"
        " result. If a tool itself fails, its lesson is in the next request only, not in what opencode stores.",
    ),
    AgentSpec(
        "qwen-code",
        "Qwen Code",
        {
            "PreToolUse": Hook(BEFORE_CALL),
            "PostToolUse": Hook(AFTER_CALL, is_silent=True),
            "PostToolUseFailure": Hook(AFTER_FAILURE),
            "SessionStart": Hook(SESSION_START, 10),
            "SubagentStart": Hook(SUBAGENT_START),
            "PreCompact": Hook(BEFORE_COMPACTION, 10, is_silent=True),
            "Stop": Hook(TURN_END, is_silent=True),
            "SessionEnd": Hook(SESSION_END, is_silent=True),
        },
        settings="$QWEN_HOME/settings.json | ~/.qwen/settings.json",
        project_settings=".qwen/settings.json",
        transcripts=("$QWEN_RUNTIME_DIR/projects", "$QWEN_HOME/projects", "~/.qwen/projects"),
        own=("transcript", "delivery"),
        hints_at=AFTER_CALL,  # text added before a call never reaches the model
        off_switch="disableAllHooks: true",
        limits="Qwen Code passes no text to the model before a call: blocks and stops act before it, hints come with"
        " its result. It does not report the end of a session, so the handoff is saved after each turn. Without a"
        " terminal it does not show you messages of hooks: run `lessons log` to see what fired.",
    ),
    AgentSpec(
        "cursor",
        "Cursor",
        {
            "PreToolUse": Hook(BEFORE_CALL),
            "PostToolUseFailure": Hook(AFTER_FAILURE),
            "SessionStart": Hook(SESSION_START),
        },
        settings="~/.cursor/hooks.json",
        project_settings=".cursor/hooks.json",
        asks_at="",  # its transcripts are not read: nobody would find the answer
        is_answered=None,
        empty_settings='{\n  "version": 1\n}\n',
        has_flat_events=True,
        warning="The Cursor hook follows its documentation and has not been tested with the client.",
        limits="The Cursor hook follows its documentation and has not been tested with the client. Reports differ on"
        " whether hints before a call reach its model; blocks and stops are documented. Its transcripts are not read.",
    ),
)
AGENTS = {row.name: row for row in ROWS}


def first_place(alternatives: str, value_of: "Callable[[str], str]") -> str:
    """Returns the first path whose variable has a value; empty if there is none. An empty variable counts as unset."""
    for path in alternatives.split(" | "):
        variable, _, rest = path.partition("/")
        folder = value_of(variable[1:]) if variable != "~" else value_of("HOME") or value_of("USERPROFILE")
        if folder:
            return f"{folder}/{rest}"
    return ""


def event_from(agent: str, name: str, payload: "dict[str, object]") -> HookEvent | None:
    """Returns the event in a payload like those of Claude Code, still without its call; None for an unknown one."""
    kind = AGENTS[agent].kind_of(name)
    if kind is None:
        return None
    event = event_of(agent, kind, name, payload)
    if kind == SESSION_START:
        start_session(event, payload)
    return event


def part_of(agent: str, name: str) -> "ModuleType":
    """Returns the module of that name in the agent's folder."""
    return _loaded(f"lessons.agents.{agent.replace('-', '_')}.{name}")


def _loaded(module: str) -> "ModuleType":
    if module not in sys.modules:
        __import__(module)
    return sys.modules[module]


def wire_of(agent: str) -> "Wire":
    """Returns the module that reads the agent's hook payloads and writes the answers."""
    wire: Wire = part_of(agent, "wire")
    return wire


def delivery_of(agent: str) -> "Delivery":
    """Returns what finds out whether the model got a hook's text."""
    if "delivery" in AGENTS[agent].own:
        own: Delivery = part_of(agent, "delivery")
        return own
    usual: Delivery = Unrecorded(AGENTS[agent].is_answered)
    return usual


def reader_of(agent: str, all_texts: bool = False) -> "Reader":
    """Returns the reader of transcripts; with `all_texts` the one that reports every message, output and request."""
    reader: Reader
    if "transcript" in AGENTS[agent].own:
        reader = getattr(part_of(agent, "transcript"), "FULL_READER" if all_texts else "READER")
    else:
        reader = _loaded("lessons.agents.object_lines").Reader(agent)
    return reader


def store_of(agent: str, all_texts: bool = False) -> "Store | None":
    """Returns the reader of sources other than files of lines; None if there are none."""
    transcript = part_of(agent, "transcript") if "transcript" in AGENTS[agent].own else None
    store: Store | None = getattr(transcript, "FULL_STORE" if all_texts else "STORE", None)
    return store


def installer_of(agent: str) -> "Installer":
    """Returns what adds the hook to the agent's settings."""
    installer: Installer
    if "install" in AGENTS[agent].own:
        installer = part_of(agent, "install").INSTALLER
    else:
        installer = _loaded("lessons.agents.install").SettingsInstaller(agent)
    return installer


def checks_of(agent: str) -> "SettingsChecks":
    """Returns what checks the agent's installation."""
    checks: SettingsChecks
    if "install" in AGENTS[agent].own:
        checks = part_of(agent, "install").CHECKS
    else:
        checks = _loaded("lessons.agents.trial").SettingsChecks(agent)
    return checks


def server_setup_of(agent: str) -> "ServerSetup | None":
    """Returns None if the agent has no resident server."""
    setup: ServerSetup | None = part_of(agent, "install") if AGENTS[agent].has_server else None
    return setup
