"""What was called, and whom the error blames."""

import pytest

from lessons.capture.family import SHELL, blamed, family
from tests.builders.steps import failed, ran, used


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("ls -la web", "ls"),  # a file is no sub-command
        ("cat notes", "cat"),
        ("python -c 'print(1)'", "python"),
        ("python - <<'EOF'\n1\nEOF", "python"),
        ("shop Order", "shop"),
        ("git -C web add a.py", "git add"),
        ("sudo timeout 5 git add a.py", "git add"),
        ("npm run build -- --watch", "npm run build"),
        ("bun run test:unit", "bun run test:unit"),
        ("docker compose -f a.yml exec web ls", "docker compose exec"),
        ("gh pr view 7", "gh pr view"),
        ("python scripts/load.py a", "python load.py"),
        ("node ./tools/load.mjs", "node load.mjs"),
        ("shop work abc", "shop work"),
        ("cd web && npm test", "npm test"),
        ('ssh ops@web "cd /opt && docker ps"', "docker ps"),
        ("ssh ops@web", "ssh"),
        ("bash -c 'git push'", "git push"),
    ],
)
def test_families(command: str, name: str) -> None:
    assert family(ran(command)) == name


def test_other_tools_are_their_own_family() -> None:
    assert family(used("mcp__web__click")) == blamed(used("mcp__web__click")) == "mcp__web__click"


@pytest.mark.parametrize(
    ("command", "error", "name"),
    [
        ("npm test", "", "npm test"),  # nobody is named
        ("npm test", "Error: web: not ready", "npm test"),  # no program of the line
        ("git push", "fatal: no upstream", "git push"),
        ("sed -n 3p a.py | cat -A", "cat: illegal option -- A", "cat"),
        ("ls docs/*.md", "zsh:1: no matches found: docs/*.md", SHELL),
        ("ls docs/*.md", "(eval):1: no matches found: docs/*.md", SHELL),
        ("make && redis-cli ping", "zsh: command not found: redis-cli", "redis-cli"),
        ("make && redis-cli ping", "bash: line 1: redis-cli: command not found", "redis-cli"),
    ],
)
def test_whom_the_error_blames(command: str, error: str, name: str) -> None:
    assert blamed(failed(command, error)) == name
