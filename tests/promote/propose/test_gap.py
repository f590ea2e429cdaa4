"""Wrong options of programs that run others: first the options of these others, then the wrong one."""

from lessons.match.call import ToolCall
from lessons.match.rule import why_it_fires
from lessons.promote.propose.judge import rule_of
from lessons.promote.propose.propose import propose
from tests.tables import table

XARGS = ("ls a | xargs -i cat", "xargs: illegal option -- i", "ls a | xargs -I X cat X")
EXEC = ("docker exec -n web ls", "unknown shorthand flag: 'n' in -n", "docker exec web ls")
DASHES = ("kubectl exec web --verbose -- ls", "error: unknown flag: --verbose", "kubectl exec web -- ls")
BEHIND = (
    "cargo test -- --test-thread=1",
    "error: Unrecognized option: 'test-thread'",
    "cargo test -- --test-threads=1",
)


def fires(mistake: tuple[str, str, str], command: str) -> bool:
    failed, error, fix = mistake
    worked = [ToolCall("Bash", {"command": fix})]
    found = propose([ToolCall("Bash", {"command": failed}, error=error)], worked, worked)
    assert found.triggers is not None
    return why_it_fires(rule_of(found.triggers), ToolCall("Bash", {"command": command})) is not None


@table(
    ("mistake", "command"),
    [
        (XARGS, "ls | xargs grep -i till"),
        (XARGS, "ls | xargs -0 sed -i s/a/b/"),
        (EXEC, "docker exec web tail -n 5 /var/log/a"),
        (DASHES, "kubectl exec web -- pytest --verbose"),
    ],
)
def test_options_of_what_is_run(mistake: tuple[str, str, str], command: str) -> None:
    assert not fires(mistake, command)


@table(
    ("mistake", "command"),
    [
        (XARGS, "ls b | xargs -0 -i wc"),
        (EXEC, "docker exec -it -n api ls"),
        (DASHES, "kubectl exec web -n shop --verbose -- date"),
        (BEHIND, "cargo test -p shop -- --test-thread=2"),
    ],
)
def test_the_wrong_option(mistake: tuple[str, str, str], command: str) -> None:
    assert fires(mistake, command)
