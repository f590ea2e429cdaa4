"""Which commands of a line change something."""

from lessons.capture.signals.looks import doing, is_looking_tool
from lessons.shell.looks import only_looks
from tests.builders.steps import ran, used
from tests.tables import table


@table(
    "command",
    [
        "",
        "ls; pwd",
        "cat a.py | grep -i x",
        "find . -name '*.py'",
        "find . -iname '*.py'",
        "git log -3 && git diff --stat",
        "git stash list",
        "npm view react version",
        "gh pr list --json number | jq .",
        "docker compose logs web --tail 5 2>&1",
        "shop list-orders",
        "make --version",
        "ls > /dev/null",
    ],
)
def test_looks(command: str) -> None:
    assert doing(ran(command)) == []
    assert only_looks(command)


@table(
    ("command", "done"),
    [
        ("ls && npm ci", ["npm ci"]),
        ("cd web && sudo npm run build 2>&1 | tail -3", ["sudo npm run build"]),
        ("git stash", ["git stash"]),
        ("git branch new", ["git branch new"]),
        ("sed -i s/a/b/ a.py", ["sed -i s/a/b/ a.py"]),
        ("find . -name x -delete", ["find . -name x -delete"]),
        ("echo A=1 >> .env", ["echo A=1 >> .env"]),
        ("npm run list", ["npm run list"]),
        ("make", ["make"]),
    ],
)
def test_does(command: str, done: list[str]) -> None:
    assert doing(ran(command)) == done
    assert not only_looks(command)


def test_tools() -> None:
    assert doing(used("mcp__web__click")) == ["mcp__web__click"]
    assert doing(used("mcp__web__get_page")) == []
    assert doing(used("Edit")) == []
    assert is_looking_tool("Read")
    assert is_looking_tool("mcp__web__browser_snapshot")
    assert not is_looking_tool("mcp__web__listen")
