"""Triggers for programs that are not installed: when there is none, which calls they fire on, and while what holds."""

import re

from lessons.match.call import ToolCall
from lessons.match.rule import why_it_fires
from lessons.model import Triggers
from lessons.promote.propose.judge import rule_of
from lessons.promote.propose.missing import missing_program_trigger
from lessons.promote.propose.mistake import Mistake
from tests.tables import table

NOT_FOUND = "bash: line 1: lux: command not found"
INVOCATION, LINE, START = r"^lux\b", r"(?:^|[;&|(\n])\s*lux\b", r"^(?:cd \S+ *(?:&&|;) *)?lux\b"


def shell(command: str, error: str | None = None) -> ToolCall:
    return ToolCall("Bash", {"command": command}, error=error)


def proposed(
    failed: str, error: str, fix: str = "", worked: str = "", is_here: bool = False, times: int = 1
) -> Triggers | None:
    mistake = Mistake(
        [shell(failed, error)] * times,
        [shell(fix) if fix else None] * times,
        successes=[shell(worked)] if worked else [],
    )
    return missing_program_trigger(mistake, lambda program: is_here)


def fires(triggers: Triggers, command: str) -> bool:
    return why_it_fires(rule_of(triggers), shell(command)) is not None


@table(
    ("name", "failed", "error", "fix"),
    [
        ("another error", "lux a", "lux: no such option: -a", ""),
        ("of another program", "make build", NOT_FOUND, ""),
    ],
)
def test_none(name: str, failed: str, error: str, fix: str) -> None:
    assert proposed(failed, error, fix) is None


def test_none_for_a_text_between_backquotes() -> None:
    failed, fix = 'lamp note "uses `lux` now"', "lamp note 'uses `lux` now'"
    mistake = Mistake([shell(failed, NOT_FOUND)], [shell(fix)], kind="quoting")
    assert missing_program_trigger(mistake, lambda program: False) is None


@table(
    ("name", "pattern", "missing", "fix", "worked", "is_here"),
    [
        ("never worked, and missing", INVOCATION, ["lux"], "cat a", "", False),
        ("worked once", INVOCATION, ["lux"], "cat a", "lux b", True),
        ("installed in between", INVOCATION, ["lux"], "lux a", "lux a", True),
        ("the fix prepares the shell", INVOCATION, ["lux"], "source env/bin/activate && lux a", "", False),
        ("a runner brings it", INVOCATION, ["lux"], "python -m lux a", "python -m lux a", False),
    ],
)
def test_acts_while_it_is_missing(
    name: str, pattern: str, missing: list[str], fix: str, worked: str, is_here: bool
) -> None:
    triggers = proposed("lux a", NOT_FOUND, fix, worked, is_here)
    assert triggers is not None
    assert (triggers.command_patterns, triggers.when.missing if triggers.when else []) == ([pattern], missing)


@table(
    ("name", "fix", "worked"),
    [
        ("never worked", "cat a", ""),
        ("a runner brings it", "npx lux a", "npx lux a"),
        ("another machine has it", "", "ssh host 'cd /x && lux a'"),
    ],
)
def test_acts_at_the_error_where_it_may_have_been_installed_since(name: str, fix: str, worked: str) -> None:
    triggers = proposed("lux a", NOT_FOUND, fix, worked, is_here=True)
    assert triggers is not None
    assert (triggers.command_patterns, triggers.when) == ([], None)
    assert not fires(triggers, "lux a")
    pattern = triggers.error_patterns[0]
    assert all(
        re.search(pattern, error) for error in (NOT_FOUND, "zsh:1: command not found: lux", "sh: lux: not found")
    )
    assert not any(re.search(pattern, error) for error in ("sh: luxury: not found", "command not found: lux-dim"))


@table("failed", ["ssh host 'cd /x && lux a'", "docker exec web lux a"])
def test_what_this_machine_has_says_nothing_about_another(failed: str) -> None:
    said = 'exec failed: exec: "lux": executable file not found in $PATH: unknown'
    for is_here in (True, False):
        triggers = proposed(failed, said, is_here=is_here, times=3)
        assert triggers is not None
        assert (triggers.command_patterns, triggers.when) == ([], None)
        assert re.search(triggers.error_patterns[0], said)


@table(
    ("name", "pattern", "fix", "worked"),
    [
        ("never worked", INVOCATION, "cat a", ""),
        ("a runner brings it", LINE, "npx lux a", "npx lux a"),
        ("another machine has it", START, "", "ssh host 'cd /x && lux a'"),
    ],
)
def test_the_call_is_enough_where_it_failed_often(name: str, pattern: str, fix: str, worked: str) -> None:
    triggers = proposed("lux a", NOT_FOUND, fix, worked, is_here=True, times=3)
    assert triggers is not None
    assert (triggers.command_patterns, triggers.when) == ([pattern], None)


@table("command", ["uv run lux a", "python -m lux a", "./lux a", "cat lux", "luxury a", "echo 'use lux'"])
def test_quiet_where_a_runner_brings_it(command: str) -> None:
    triggers = proposed("lux a", NOT_FOUND, "uv run lux a", is_here=True, times=3)
    assert triggers is not None
    assert not fires(triggers, command)


@table("command", ["lux", "lux a", "cd /x && lux b", "cat a | lux", "cd /x\nlux b", "(lux a)"])
def test_fires_where_the_line_names_it(command: str) -> None:
    triggers = proposed("lux a", NOT_FOUND, "uv run lux a", is_here=True, times=3)
    assert triggers is not None
    assert fires(triggers, command)
