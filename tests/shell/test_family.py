"""What a command calls: program, sub-command and script."""

from lessons.shell.family import family_of, family_of_line
from lessons.shell.program import program_of
from tests.tables import table


@table(
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
        ("npm run --prefix web build", "npm run build"),  # the folder is no script
        ("npm run -w web --silent build", "npm run build"),
        ("npm run --prefix=web build", "npm run build"),
        ("npm run", "npm run"),
        ("cargo run --bin server", "cargo run"),
        ("cargo run server", "cargo run"),  # it is for the project's own program
        ("flutter run -d macos", "flutter run"),
        ("go run ./cmd/shop list", "go run"),
    ],
)
def test_families(command: str, name: str) -> None:
    assert family_of_line(command, *program_of(command)) == name


def test_of_words() -> None:
    assert family_of(["npm", "run", "-w", "web", "build"]) == "npm run build"
    assert family_of(("ls", "web")) == "ls"
