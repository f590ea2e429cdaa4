"""A data home with a lesson of each kind in; the same home with a damaged file, and what still works, out."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

from tests.builders.lessons import in_own_words
from tests.hook.installed import Answer, Machine

Damage = Callable[[Path], object]

# What happens at each of these calls as long as the lessons act.
CALLS = {"pytest -q": "deny", "git push --force": "deny", "git stash": "hint", "ls": ""}
RECORDS: list[dict[str, object]] = [
    {"slug": "flags", "block": True, "blockReason": "No {command}.", "triggers": {"commandPatterns": ["pytest"]}},
    {"slug": "force", "stopOnce": True, "triggers": {"commandPatterns": ["git push --force"]}},
    {"slug": "stash", "triggers": {"commandPatterns": ["git stash"]}},
    {"slug": "beginning", "triggers": {"sessionStart": True}},
]
NOISE = random.Random("noise").randbytes(5000)


def lay_out(root: Path) -> Path:
    """A data home as the verbs make it."""
    machine = Machine(root)
    added = machine.lessons("add", "--from", "-", text=json.dumps({"lessons": [with_words(each) for each in RECORDS]}))
    assert added.code == 0, added.error
    assert machine.lessons("config", "set", "injectionBudgetBytes", "5000").code == 0
    machine.keep_from_scanning()
    return machine.home


def with_words(record: dict[str, object]) -> dict[str, object]:
    return in_own_words({**record, "summary": f"The summary of the lesson {record['slug']}, in many words."})


def machine_with(home: Path, root: Path) -> Machine:
    """A machine of its own with a copy of that data home."""
    machine = Machine(root)
    shutil.copytree(home, machine.home, dirs_exist_ok=True)
    return machine


def decisions(machine: Machine, session: str) -> dict[str, str]:
    """What the hook does at each of the calls, in a session of its own."""
    found = {}
    for command in CALLS:
        answer = machine.run("PreToolUse", machine.bash(command, session))
        assert (answer.code, answer.error) == (0, b"")
        found[command] = answer.decision
    return found


def start_session(machine: Machine, source: str = "clear") -> Answer:
    payload = {"session_id": f"start-{source}", "cwd": str(machine.work), "hook_event_name": "SessionStart"}
    answer = machine.run("SessionStart", {**payload, "source": source})
    assert (answer.code, answer.error) == (0, b"")
    return answer


def contents(machine: Machine) -> set[bytes]:
    """Everything that stands in any file of the data home."""
    return {path.read_bytes() for path in machine.home.rglob("*") if path.is_file()}


def doctor_says(machine: Machine, name: str) -> str:
    """What doctor finds wrong with one thing and what to do about it; nothing where it is content."""
    answer = machine.lessons("doctor", "--json", "--settings", str(machine.root / "no-settings.json"))
    assert answer.code == 1 and answer.error == b""
    found = answer.document["checks"]
    assert isinstance(found, list)
    (check,) = (check for check in found if check["name"] == name)
    return "" if check["ok"] else f"{check['detail']} {check['fix']}"


def cut(share: float) -> Damage:
    return lambda path: path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])


def overwrite(data: bytes) -> Damage:
    return lambda path: path.write_bytes(data)


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
