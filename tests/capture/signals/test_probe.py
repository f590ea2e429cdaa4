"""Calls that only asked a question and got a negative answer."""

from lessons.capture.family import blamed
from lessons.capture.signals.probe import Probe, is_answered, may_change, probe_of
from lessons.episode import Change
from tests.builders.steps import failed, used
from tests.tables import table


@table(
    ("command", "error", "probe"),
    [
        ("npm run build", "it went wrong", ""),
        ("git commit -m list", "it went wrong", ""),
        ("npm run list-all", "it went wrong", ""),
        ("bun --version && npm run build", "npm error no such script", ""),
        ("bun --version", "zsh: command not found: bun", "answer"),
        ("bun --version && node --version", "zsh: command not found: bun", "answer"),
        ("git rev-parse --verify web", "fatal: Needed a single revision", "answer"),
        ("git diff --exit-code", "diff --git a/x b/x", "answer"),
        ("./shop --help", "panic", "answer"),
        ("pg_isready -h localhost", "localhost:5432 - no response", "answer"),
        ("brew list jq", "Error: No such keg", "state"),
        ("systemctl status web", "inactive", "state"),
        ("docker compose ps", "no configuration file", "state"),
    ],
)
def test_probes(command: str, error: str, probe: Probe) -> None:
    step = failed(command, error)
    assert probe_of(step, blamed(step).partition(" ")[0]) == probe


def test_other_tools_are_no_probes() -> None:
    assert probe_of(used("mcp__web__list"), "mcp__web__list") == ""


def test_what_an_answer_tells() -> None:
    assert not is_answered("", "missing-tool")
    assert not is_answered("state", "wrong-path")
    assert not is_answered("answer", "wrong-flag")  # the question was wrong
    assert is_answered("answer", "missing-tool")
    assert is_answered("answer", None)


def test_what_was_changed_about_a_question() -> None:
    installed, folder = Change("order-of-steps", "", "brew install jq"), Change("wrong-path", "/srv", "cd /srv/shop")
    assert not may_change("state", installed, is_misuse=False)
    assert not may_change("answer", installed, is_misuse=True)
    assert may_change("state", folder, is_misuse=False)
    assert may_change("answer", folder, is_misuse=False)
    assert may_change("", installed, is_misuse=False)
