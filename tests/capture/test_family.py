"""What was called, and what the error blames."""

from lessons.capture.family import blamed, family, surely_blamed
from lessons.shell.blame import SHELL
from tests.builders.steps import failed, used
from tests.tables import table

UNKNOWN = "error TS5023: Unknown compiler option"


def test_other_tools_are_their_own_family() -> None:
    assert family(used("mcp__web__click")) == blamed(used("mcp__web__click")) == "mcp__web__click"


@table(
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
        ("mkdir -p out && npx tsc --outdirr out", f"{UNKNOWN} '--outdirr'.", "tsc"),
        ("rm -rf out; npx tsc --outdirr out", f"{UNKNOWN} '--outdirr'.", "tsc"),
        ("git pull && npx tsc --outdirr out", f"{UNKNOWN} '--outdirr'.", "tsc"),
        (
            "git pull --rebas && npx tsc --outDir out",
            "error: unknown option `rebas'\nusage: git pull [<options>]",
            "git pull",
        ),
        ("git pull && npm run build", "fatal: not possible, there is no upstream", "git pull"),
        ("npm ci && git push", "npm error no lock file", "npm ci"),
        ("git add -A && git commit --signof", "error: unknown option `signof'\nusage: git commit [-a]", "git commit"),
        ("git add -A && git commit -m x", "Please run make gen before you commit", "git commit"),
        ("git add gone.py && git commit -m x", "fatal: pathspec 'gone.py' did not match any files", "git add"),
        ("mkdir out && npm run build", "mkdir: out: File exists", "mkdir"),
        ("cp a b && npm run build", "it went wrong", "npm run build"),
        ("npm run build && cp a b", "it went wrong", "npm run build"),  # `cp` says its own name
        ("npm run build && git status", "it went wrong", "npm run build"),  # what looks goes well
        ("npm run build 2>&1 | tail -5", "it went wrong", "npm run build"),
        ("npm run build || npm run all", "it went wrong", "npm run build"),
        ("touch a && cp a b", "it went wrong", "cp"),
    ],
)
def test_whom_the_error_blames(command: str, error: str, name: str) -> None:
    assert blamed(failed(command, error)) == name


def test_nobody_is_surely_to_blame() -> None:
    assert surely_blamed(failed("git pull && npm run build")) == ""
    assert surely_blamed(failed("git pull && npm run build", "npm error no such thing")) == "npm"
    assert surely_blamed(failed("npm run build")) == "npm"
    assert surely_blamed(failed("git pull && bun test", "zsh: command not found: bun")) == "bun"
