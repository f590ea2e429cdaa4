"""What `doctor` checks of the hooks.json files of Codex: whether the hook answers, and whether the user trusts it.

Trust is read from config.toml, never written. Codex stores for each handler the hash of what it would run. The form of
the hash was found by experiment with 0.166.
"""

import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, Literal

from lessons.agents.base import Check
from lessons.agents.codex.wire import state_name
from lessons.agents.hook_settings import our_handlers, read
from lessons.agents.install import SettingsInstaller, read_text
from lessons.agents.places import settings_file
from lessons.agents.table import AGENTS
from lessons.agents.trial import SettingsChecks
from lessons.errors import LessonsError
from lessons.json_edit import find

_AGENT = "codex"
_CALL = "call_of_lessons_doctor_trial"
Trust = Literal["trusted", "changed", "disabled", "untrusted"]
_WITHOUT_MATCHER = ("UserPromptSubmit", "Stop", "SessionEnd")
_SESSION_END_SECONDS = 3
_USUAL_SECONDS = 600
_USUAL_LIMIT = 2500
_CHANGED = "Codex skips hooks that changed since you trusted them: enter /hooks in `codex` and trust them again."
_DISABLED = "They are switched off: enter /hooks in `codex` and switch them on."
_SENTENCES: dict[Trust, tuple[str, str]] = {
    "untrusted": ("Codex skips the hook for {}: you have not trusted it.", AGENTS[_AGENT].next_step),
    "changed": ("Codex skips the hook for {}: it has changed since you trusted it.", _CHANGED),
    "disabled": ("Codex skips the hook for {}: it is switched off.", _DISABLED),
}


class CodexChecks(SettingsChecks):
    """Also whether the user trusts the hook; `client_config` is the trusting config.toml."""

    def registered(self, file: str, commands: Mapping[str, str], client_config: str | None) -> Iterator[Check]:
        yield from super().registered(file, commands, client_config)
        config = client_config or os.path.join(os.path.dirname(settings_file(_AGENT)), "config.toml")
        try:
            found = trust_of(file, config)
        except (LessonsError, ValueError) as wrong:
            yield Check("trust", False, f"{config} cannot be read: {wrong}", "Fix the file.")
            return
        for kind, (sentence, fix) in _SENTENCES.items():
            events = [event for event, trust in found.items() if trust == kind]
            if events:
                yield Check("trust", False, sentence.format(", ".join(events)), fix)
        if found and set(found.values()) == {"trusted"}:
            yield Check("trust", True, "You have trusted the hook in Codex.")

    def payload(self, event: str, folder: str, word: str) -> dict[str, object]:
        """The rollout has the exit code of a command that has just failed."""
        usual = super().payload(event, folder, word)
        if event != "PostToolUse":
            return usual
        item = {"type": "CommandExecution", "id": _CALL, "status": "failed", "exit_code": 1}
        line = {"type": "event_msg", "payload": {"type": "item_completed", "item": item}}
        path = os.path.join(folder, "doctor.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
        return {**usual, "tool_use_id": _CALL, "tool_response": word, "transcript_path": path}


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


INSTALLER = SettingsInstaller(_AGENT)
CHECKS = CodexChecks(_AGENT)
