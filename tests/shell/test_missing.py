"""Messages of the shell itself."""

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
        "fish: Unknown command: rg",
        "'rg' is not recognized as an internal or external command,",
        "The term 'rg' is not recognized as the name of a cmdlet, function, script file, or operable program.",
        'exec: "rg": executable file not found in $PATH',
        "env: ‘rg’: No such file or directory",
        "/usr/bin/env: 'rg': No such file or directory",
        "xargs: rg: No such file or directory",
        "nohup: failed to run command 'rg': No such file or directory",
        "The command 'rg' could not be found",
        "Command 'rg' not found, but can be installed with:",
        "Error: spawn rg ENOENT",
    ],
)
def test_missing_programs(line: str) -> None:
    assert missing_program(line) == "rg"
    assert missing_programs(f"Exit code 127\n{line}\nit went on") == {"rg"}


@table("keyword", ["do", "fi", "in"])
def test_a_keyword_is_no_program(keyword: str) -> None:
    assert missing_program(f"bash: line 1: {keyword}: command not found") == ""


def test_a_program_may_begin_like_a_keyword() -> None:
    assert missing_program("bash: line 1: do-it: command not found") == "do-it"


@table(("line", "by_shell"), [("rg: command not found", False), ("sh: rg: not found", True)])
def test_what_a_shell_says(line: str, by_shell: bool) -> None:
    assert is_said_by_shell(line) is by_shell


@table(
    "line",
    [
        'exec: "--rm": executable file not found in $PATH',
        "fish: Unknown command: do",
        "/bin/sh: 3: done: not found",
        "zsh: command not found: then",
        "page not found",
        "error: 404: not found here",
        "file a: no such file",
        "cat: a: No such file or directory",
    ],
)
def test_no_missing_program(line: str) -> None:
    assert missing_program(line) == ""
    assert missing_programs(line) == set()
