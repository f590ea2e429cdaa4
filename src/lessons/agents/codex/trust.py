"""Whether the user has trusted our hooks: read from config.toml, never written.

Codex stores for each handler the hash of what it would run. The form of the hash was found by experiment with 0.166.
"""

import json
import os
import tomllib
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Literal

from lessons.agents.codex.hook_in_settings import state_name
from lessons.agents.hook_settings import our_handlers, read
from lessons.agents.settings_file import read_text
from lessons.agents.settings_text import find

Trust = Literal["trusted", "changed", "disabled", "untrusted"]
_WITHOUT_MATCHER = ("UserPromptSubmit", "Stop", "SessionEnd")
_SESSION_END_SECONDS = 3
_USUAL_SECONDS = 600
_USUAL_LIMIT = 2500


def trust_of(hooks_file: str, config_file: str) -> dict[str, Trust]:
    """Returns event -> whether our handler for it runs; raises ValueError if config.toml is unreadable."""
    states = _states(config_file)
    text = read_text(hooks_file) or ""
    root = read(text, hooks_file)
    found: dict[str, Trust] = {}
    for path in our_handlers(root):
        _, event, group, _, number = path
        handler, matcher = find(root, path), find(root, (*path[:3], "matcher"))
        key = f"{os.path.abspath(hooks_file)}:{state_name(str(event))}:{group}:{number}"
        expected = _hash(str(event), handler.value if handler else {}, matcher.value if matcher else None)
        found[str(event)] = _judged(states.get(key), expected)
    return found


def _judged(state: object, expected: str) -> Trust:
    if not isinstance(state, Mapping):
        return "untrusted"
    if state.get("enabled") is False:
        return "disabled"
    known = state.get("trusted_hash")
    return "trusted" if known == expected else "changed" if known else "untrusted"


def _states(config_file: str) -> Mapping[str, object]:
    text = read_text(config_file)
    hooks = tomllib.loads(text or "").get("hooks")
    states = hooks.get("state") if isinstance(hooks, dict) else None
    return states if isinstance(states, dict) else {}


def _hash(event: str, handler: Mapping[str, Any], matcher: object) -> str:
    given = handler.get("timeout")
    seconds = given if isinstance(given, int) else _USUAL_SECONDS
    known: dict[str, Any] = {
        "type": "command",
        "command": handler.get("command"),
        "timeout": min(max(seconds, 1), _SESSION_END_SECONDS) if event == "SessionEnd" else max(seconds, 1),
        "async": bool(handler.get("async", False)),
    }
    if handler.get("statusMessage") is not None:
        known["statusMessage"] = handler["statusMessage"]
    if handler.get("additionalContextLimit") not in (None, _USUAL_LIMIT):
        known["additionalContextLimit"] = handler["additionalContextLimit"]
    identity: dict[str, Any] = {"event_name": state_name(event), "hooks": [known]}
    if matcher is not None and event not in _WITHOUT_MATCHER:
        identity["matcher"] = matcher
    written = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{sha256(written.encode()).hexdigest()}"
