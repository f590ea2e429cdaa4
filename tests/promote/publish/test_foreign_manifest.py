"""A manifest that another system wrote, with the seed's keys alone and no index, works in the hook."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders import payloads
from tests.builders.home import DataHome, context_of, reason_of
from tests.builders.lessons import blocking


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    return DataHome(tmp_path)


# The manifest of another system: the seed's keys, patterns as JavaScript writes them, no index.
FOREIGN: dict[str, Any] = {
    "type": "lessons-learned-manifest",
    "version": 1,
    "generatedAt": "2026-04-01T00:00:00Z",
    "config": {
        "injectionBudgetBytes": 4096,
        "maxLessonsPerInjection": 3,
        "minConfidence": 0.5,
        "minPriority": 1,
        "compactionReinjectionThreshold": 7,
    },
    "lessons": {
        "01A": {
            "slug": "pytest-tty-hanging-k9m2",
            "priority": 8,
            "toolNames": ["Bash"],
            "commandRegexSources": [
                {"source": r"\bpytest\b(?!.*(--no-header|-p no:faulthandler))", "flags": ""}
            ],
            "pathRegexSources": [],
            "tags": ["tool:pytest"],
            "injection": "Use the flags.",
            "summary": "pytest hangs without a terminal",
            "block": True,
            "blockReason": "Flags are missing. Rerun as: {command} --no-header",
            "sessionStart": False,
            "projectPath": None,
        },
        "01B": {
            "slug": "curl-insecure-1a2b",
            "priority": 5,
            "toolNames": [],
            "commandRegexSources": [{"source": r"CURL\s(?<flag>-k|--insecure) https:\/\/", "flags": "i"}],
            "pathRegexSources": [{"source": r"\.env$", "flags": ""}],
            "tags": [],
            "injection": "Trust the certificate instead.",
            "summary": "curl -k hides a broken certificate",
            "block": False,
            "blockReason": None,
            "sessionStart": False,
        },
    },
}  # fmt: skip


@pytest.fixture
def foreign(home: DataHome) -> DataHome:
    (home.folder / "lesson-manifest.json").write_text(json.dumps(FOREIGN, indent=2))
    return home


@pytest.mark.parametrize(
    "command",
    ["ls", "cat pytest.ini", "pip install pytest", "rg -n pytest src", "pytest --no-header -p no:faulthandler",
     "git commit -m 'run pytest'", "echo curl", "curl -k http://shop.example"],
)  # fmt: skip
def test_a_manifest_of_the_seeds_keys_leaves_alone(foreign: DataHome, command: str) -> None:
    assert foreign.run(payloads.bash(command)) == (0, None)
    assert foreign.faults() == ""


@pytest.mark.parametrize("command", ["pytest tests/", "cd x && FOO=1 python -m pytest -q", "bash -c 'pytest'"])
def test_a_manifest_of_the_seeds_keys_blocks(foreign: DataHome, command: str) -> None:
    reason = f"Flags are missing. Rerun as: {command} --no-header"
    assert [reason_of(foreign.run(payloads.bash(command))) for _ in range(2)] == [reason, reason]


def test_a_manifest_of_the_seeds_keys_hints_once(foreign: DataHome) -> None:
    call = payloads.bash("curl --INSECURE https://shop.example")
    assert "Trust the certificate instead." in context_of(foreign.run(call))
    assert foreign.run(call) == (0, None)
    other = payloads.read("/home/somebody/shop/.env")
    assert "Trust the certificate instead." in context_of(foreign.run({**other, "session_id": "another"}))


def test_the_seeds_own_record_does_the_same_when_published(home: DataHome) -> None:
    record = FOREIGN["lessons"]["01A"]
    triggers = {"toolNames": ["Bash"], "commandPatterns": [record["commandRegexSources"][0]["source"]]}
    home.publish(blocking(triggers=triggers, blockReason=record["blockReason"]))
    for command in ("ls", "cat pytest.ini", "pip install pytest", "pytest --no-header -p no:faulthandler"):
        assert home.run(payloads.bash(command)) == (0, None)
    assert reason_of(home.run(payloads.bash("cd x && FOO=1 python -m pytest -q"))).startswith("Flags are missing.")
