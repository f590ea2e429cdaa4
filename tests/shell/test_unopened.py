"""The target of a redirection that a shell could not open: first what is not one."""

from lessons.shell.unopened import unopened_target
from tests.tables import table


@table(
    ("command", "error"),
    [
        ("cat notes/till.md", "cat: notes/till.md: No such file or directory"),
        ("echo a > till.md", "zsh: permission denied: till.md"),
        ("echo a > /notes/till.md", "bash: line 1: /notes/till.md: No such file or directory"),
        ("echo a > notes/other.md", "(eval):1: no such file or directory: notes/till.md"),
    ],
)
def test_none(command: str, error: str) -> None:
    assert unopened_target(command, error) == ""


@table(
    ("command", "error"),
    [
        ("cat > notes/till.md", "(eval):1: no such file or directory: notes/till.md"),
        ("echo a >> ./notes/till.md", "bash: line 1: notes/till.md: No such file or directory"),
        ("make 2>notes/till.md", "sh: 1: notes/till.md: No such file or directory"),
    ],
)
def test_target(command: str, error: str) -> None:
    assert unopened_target(command, error) == "notes/till.md"
