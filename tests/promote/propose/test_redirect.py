"""Output into a folder that does not exist: which failures are no such mistake, and which calls a trigger fires on."""

from lessons.match.call import ToolCall
from lessons.match.rule import why_it_fires
from lessons.promote.propose.judge import rule_of
from lessons.promote.propose.mistake import Mistake
from lessons.promote.propose.redirect import redirect_trigger
from tests.tables import table

ERROR = "(eval):1: no such file or directory: notes/till.md"


def shell(command: str, error: str | None = None) -> ToolCall:
    return ToolCall("Bash", {"command": command}, error=error)


@table(
    ("command", "error"),
    [
        ("cat notes/till.md", "cat: notes/till.md: No such file or directory"),
        ("echo a > till.md", "zsh: permission denied: till.md"),
        ("echo a > /notes/till.md", "bash: line 1: /notes/till.md: No such file or directory"),
        ("echo a > notes/other.md", ERROR),
    ],
)
def test_none(command: str, error: str) -> None:
    assert redirect_trigger(Mistake([shell(command, error)])) is None


@table("error", [ERROR, "bash: line 1: notes/till.md: No such file or directory"])
def test_acts_while_the_folder_is_absent(error: str) -> None:
    triggers = redirect_trigger(Mistake([shell("cat > notes/till.md <<'E'\na\nE", error)]))
    assert triggers is not None
    assert triggers.when is not None
    assert triggers.when.absent == ["notes"]
    rule = rule_of(triggers)
    quiet = ["cat notes/till.md", "mkdir -p notes && echo a > notes/till.md", "echo a > notes.md"]
    quiet += ["git commit -m 'move a > notes/b'", "git commit -m 'a -> notes/b is moved'", "rg 'a > notes/' src"]
    assert [command for command in quiet if why_it_fires(rule, shell(command))] == []
    for command in ("echo b >> ./notes/other.md", "echo b >notes/$DAY.md; ls", "(date > notes/a/b.md)"):
        assert why_it_fires(rule, shell(command))
