"""Whether the hook in the hooks.json files of Codex answers, and whether the user has trusted it."""

import os
import tempfile
from collections.abc import Iterator

from lessons.agents.base import Trial
from lessons.agents.codex.install import REGISTRATIONS, TRUST, hook_commands, installed_commands
from lessons.agents.codex.places import home_folder, settings_path
from lessons.agents.codex.trial_payloads import payload_of
from lessons.agents.codex.trust import Trust, trust_of
from lessons.agents.hook_command import parse_command
from lessons.agents.hook_trial import other_home, try_by_name
from lessons.check import Check
from lessons.errors import LessonsError

LIMITS = (
    "Codex runs a hook only after you trust it with /hooks. It gives hooks no exit code: a failed command is detected"
    " from Codex's own session file."
)
_INSTALL = "Run `lessons install --agent codex` again."
# Events without output: the data home shows that they ran.
_SILENT = ("Stop", "SessionEnd", "PreCompact")
_CHANGED = "Codex skips hooks that changed since you trusted them: enter /hooks in `codex` and trust them again."
_DISABLED = "They are switched off: enter /hooks in `codex` and switch them on."
_SENTENCES: dict[Trust, tuple[str, str]] = {
    "untrusted": ("Codex skips the hook for {}: you have not trusted it.", TRUST),
    "changed": ("Codex skips the hook for {}: it has changed since you trusted it.", _CHANGED),
    "disabled": ("Codex skips the hook for {}: it is switched off.", _DISABLED),
}


def checks(home: str, settings: str | None, client_config: str | None, trial: Trial) -> Iterator[Check]:
    """Checks one hooks.json, or else the user's and the project's; `client_config` is the trusting config.toml."""
    files = [settings] if settings else [settings_path(scope, os.getcwd(), os.environ) for scope in ("user", "project")]
    config = client_config or os.path.join(home_folder(os.environ), "config.toml")
    hooked = []
    for file in files:
        try:
            commands = installed_commands(file)
        except LessonsError as wrong:
            hooked.append(file)
            yield Check("settings", False, str(wrong), "Fix the file.")
            continue
        if commands:
            hooked.append(file)
            yield from _installed(file, config, commands, home, trial)
    if len(hooked) > 1:
        detail = f"{' and '.join(hooked)} have the hook, so every call is answered twice."
        yield Check("settings", False, detail, "Run `lessons uninstall --agent codex --scope project`.")
    if not hooked:
        yield Check("settings", False, f"No hook in {' or '.join(files)}.", "Run `lessons install --agent codex`.")


def _installed(file: str, config: str, commands: dict[str, str], home: str, trial: Trial) -> Iterator[Check]:
    missing = [event for event in REGISTRATIONS if event not in commands]
    if missing:
        yield Check("settings", False, f"{file} lacks the hook for {', '.join(missing)}.", _INSTALL)
    else:
        yield Check("settings", True, f"{file} has the hook for {', '.join(commands)}.")
    yield from _trust(file, config)
    parsed = [each for command in commands.values() if (each := parse_command(command))]
    used = parsed[0].home if parsed else home
    written = {event: parse_command(command) for event, command in hook_commands(used).items()}
    with tempfile.TemporaryDirectory(prefix="lessons-doctor-") as folder:
        trial.lay(folder)
        for event, command in commands.items():
            payload = payload_of(event, folder, trial.word)
            yield try_by_name(event, command, written.get(event), payload, folder, trial, _SILENT, _INSTALL)
    yield from other_home(used, home, _INSTALL)


def _trust(file: str, config: str) -> Iterator[Check]:
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
