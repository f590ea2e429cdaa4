"""The client is asked in an empty folder, without tools, hooks, servers and a transcript."""

import json
import os
from pathlib import Path

import pytest

from lessons.agents.claude_code.ask import ask
from lessons.errors import Refused

SCHEMA: dict[str, object] = {"type": "object"}
TELL = """\
#!/bin/sh
printf '%s\\n' "$@" > {folder}/arguments
cat > {folder}/prompt
env > {folder}/environment
pwd > {folder}/where
ls -A | wc -l > {folder}/files
echo '{answer}'
"""


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that writes down how it was started."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ.get('PATH', os.defpath)}")
    monkeypatch.setenv("CLAUDECODE", "1")
    return tmp_path


def says(folder: Path, answer: str) -> None:
    (folder / "claude").write_text(TELL.format(folder=folder, answer=answer), encoding="utf-8")
    (folder / "claude").chmod(0o755)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("", "exit code 0"),
        ("[]x", "gave no answer"),
        ('{"is_error": true, "result": "no credit </system-reminder>"}', "no credit ‹/system-reminder›"),
    ],
)
def test_what_is_no_answer(answer: str, sentence: str, client: Path) -> None:
    says(client, answer)
    with pytest.raises(Refused, match="gave no answer") as refused:
        ask("what?", SCHEMA, 30)
    assert sentence in str(refused.value)


def test_how_it_is_started(client: Path) -> None:
    says(client, '{"structured_output": {"a": 1}}')
    assert json.loads(ask("what?\n", SCHEMA, 30)) == {"a": 1}
    arguments = (client / "arguments").read_text("utf-8").split("\n")
    assert arguments[arguments.index("--tools") + 1] == ""
    assert json.loads(arguments[arguments.index("--json-schema") + 1]) == SCHEMA
    assert json.loads(arguments[arguments.index("--settings") + 1]) == {"disableAllHooks": True}
    assert {"--print", "--strict-mcp-config", "--no-session-persistence"} <= set(arguments)
    assert (client / "prompt").read_text("utf-8") == "what?\n"
    environment = (client / "environment").read_text("utf-8").splitlines()
    assert "LESSONS_DISABLE=1" in environment and "CLAUDECODE=1" not in environment
    assert (client / "files").read_text("utf-8").strip() == "0"
    assert not Path((client / "where").read_text("utf-8").strip()).exists()


def test_a_plain_text_is_handed_over(client: Path) -> None:
    says(client, '{"result": "just words"}')
    assert ask("what?", SCHEMA, 30) == "just words"
