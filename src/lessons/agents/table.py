"""The agents that `lessons` supports, one row each; a module of an agent is loaded only on demand."""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from lessons.agents.base import Asker, Checks, Installer, Places, Reader, Replay, ServerSetup
    from lessons.agents.hook_event import Wire
    from lessons.agents.whole import Store

# Name of the agent -> its folder beside this file.
AGENTS = {
    "claude-code": "claude_code",
    "codex": "codex",
    "copilot-cli": "copilot_cli",
    "gemini-cli": "gemini_cli",
    "opencode": "opencode",
    "qwen-code": "qwen_code",
    "cursor": "cursor",
}
DEFAULT_AGENT = "claude-code"


def part_of(agent: str, name: str) -> "ModuleType":
    """Returns the module of that name in the agent's folder; every agent has the same ones (listed in base.py)."""
    module = f"lessons.agents.{AGENTS[agent]}.{name}"
    if module not in sys.modules:
        __import__(module)
    return sys.modules[module]


def wire_of(agent: str) -> "Wire":
    """Returns the module that reads the agent's hook payloads and writes the answers."""
    wire: Wire = part_of(agent, "wire")
    return wire


def reader_of(agent: str) -> "Reader":
    """Returns the reader of transcripts for capture."""
    reader: Reader = part_of(agent, "transcript").READER
    return reader


def full_reader_of(agent: str) -> "Reader":
    """Returns the reader that reports every message, output and request."""
    reader: Reader = part_of(agent, "transcript").FULL_READER
    return reader


def store_of(agent: str, all_texts: bool = False) -> "Store | None":
    """Returns the reader of sources other than files of lines; None if there are none."""
    store: Store | None = getattr(part_of(agent, "transcript"), "FULL_STORE" if all_texts else "STORE", None)
    return store


def installer_of(agent: str) -> "Installer":
    """Returns the module that adds the hook to the agent's settings."""
    installer: Installer = part_of(agent, "install")
    return installer


def server_setup_of(agent: str) -> "ServerSetup | None":
    """Returns None if the agent has no resident server."""
    from importlib.util import find_spec

    if find_spec(f"lessons.agents.{AGENTS[agent]}.server") is None:
        return None
    setup: ServerSetup = part_of(agent, "server.setup")
    return setup


def places_of(agent: str) -> "Places":
    """Returns the module that knows where the agent stores its files."""
    places: Places = part_of(agent, "places")
    return places


def replay_of(agent: str) -> "Replay":
    """Returns the module that makes up events of the agent."""
    replay: Replay = part_of(agent, "replay")
    return replay


def asker_of(agent: str) -> "Asker | None":
    """Returns None if the agent cannot be asked without a terminal."""
    from importlib.util import find_spec

    if find_spec(f"lessons.agents.{AGENTS[agent]}.ask") is None:
        return None
    asker: Asker = part_of(agent, "ask")
    return asker


def checks_of(agent: str) -> "Checks":
    """Returns the module that checks the agent's installation."""
    checks: Checks = part_of(agent, "checks")
    return checks
