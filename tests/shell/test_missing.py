"""What a shell says itself."""

from lessons.shell.missing import is_said_by_shell, missing_program, missing_programs
from tests.tables import table


@table(
    "line",
    [
        "zsh: command not found: rg",
        "(eval):1: command not found: rg",
        "bash: line 1: rg: command not found",
        "/bin/sh: 1: rg: not found",
        "sh: rg: not found",
        "rg: command not found",
    ],
)
def test_missing_programs(line: str) -> None:
    assert missing_program(line) == "rg"
    assert missing_programs(f"Exit code 127\n{line}\nit went on") == {"rg"}
    assert is_said_by_shell(line) is (line[0] != "r")


@table("line", ["page not found", "error: 404: not found here", "file a: no such file"])
def test_no_missing_program(line: str) -> None:
    assert missing_program(line) == ""
    assert missing_programs(line) == set()
