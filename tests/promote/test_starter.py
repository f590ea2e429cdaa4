"""The starter pack: what it must leave alone, what it must catch, and the rules every record keeps."""

import re
from functools import cache
from typing import Any

from lessons.match.call import ToolCall
from lessons.match.rule import Rule, why_it_fires
from lessons.match.state import AsWanted, KnownState
from lessons.model import ExampleCall, lesson_from_document
from lessons.promote.intake import check, normalise
from lessons.promote.publish.entry import entry_of
from lessons.promote.publish.examples import call_of, fires, rule_of
from lessons.promote.starter import pack
from tests.tables import table

Record = dict[str, object]
Example = str | dict[str, Any]

EVERYDAY_COMMANDS = (
    "ls",
    "ls -la src",
    "pwd",
    "cd api && ls",
    "cat pytest.ini",
    "cat -n src/app.py",
    "head -50 README.md",
    "tail -20 build.log",
    "echo done",
    'echo "run git stash, then pytest --pdb"',
    "grep -rn TODO src",
    'grep -rn "git stash" docs',
    "rg -n pytest src",
    "rg -n 'rm -rf /' scripts",
    "find . -name '*.py' -not -path './.venv/*'",
    "find src -type f -exec wc -l {} +",
    "sed -n '1,80p' src/app.py",
    "sed -i 's/foo/bar/' src/app.py",
    "wc -l src/*.py | sort -n | tail -5",
    "mkdir -p build/out && cp -r static build/out",
    "rm -rf build dist",
    "rm -f /tmp/out.log",
    "mv a.txt b.txt",
    "chmod +x scripts/run.sh",
    "git status --short",
    "git diff --stat",
    "git diff HEAD~1 -- src/app.py",
    "git log --oneline -10",
    "git log -p -1",
    "git show HEAD:src/app.py",
    "git add src/app.py tests/test_app.py",
    'git commit -m "Fix the parser"',
    "git commit -m \"$(cat <<'EOF'\nFix `parse`\n\nThen git push --force is not needed.\nEOF\n)\"",
    "git push",
    "git push -u origin feature/login",
    "git pull --rebase",
    "git checkout -b feature/login",
    "git switch main",
    "git branch -a",
    "git rebase main",
    "git merge --no-edit main",
    "git fetch --all --prune",
    "git worktree list",
    "gh pr view 12",
    "gh pr list --state open",
    'gh pr create --title "Fix" --body "Fixes the parser"',
    "gh run list --limit 5",
    "npm test",
    "npm ci",
    "npm install",
    "npm run build",
    "npm run dev &",
    "pnpm install --frozen-lockfile",
    "npx tsc --noEmit",
    "npx eslint src --fix",
    "npx vitest run src/app.test.ts",
    "pip install pytest",
    "pip install -r requirements.txt",
    "python3 -m venv .venv",
    "python3 -m pytest -q tests",
    "uv run pytest -q -x 2>&1 | tail -20",
    "python3 - <<'EOF'\nimport os\nprint(os.getcwd())\nEOF",
    "python3 -c 'print(1 != 2)'",
    "make test",
    "cargo test",
    "go build ./... && go test ./...",
    "docker ps",
    "docker compose ps",
    "docker build -t site .",
    "curl -s http://localhost:3000/health",
    "curl -fsSL https://example.com/install.sh -o install.sh",
    "jq '.scripts' package.json",
    "kubectl get pods",
    "ssh web uptime",
    "tar xzf dist/site.tgz -C /tmp",
    "ps aux | grep node",
    "kill 4711",
    "which node",
    "date +%F",
    "for f in src/*.py; do wc -l \"$f\"; done",
)  # fmt: skip


def slug_of(record: Record) -> str:
    return str(record["slug"])


def examples_of(record: Record, kind: str) -> list[Example]:
    examples = record["examples"]
    assert isinstance(examples, dict)
    found: list[Example] = examples[kind]
    return found


def call_for(example: Example) -> ToolCall:
    """In the state that the example names, else in an ordinary one: every file and program is there."""
    call = call_of(example if isinstance(example, str) else ExampleCall(**example))
    if isinstance(call.probe, AsWanted):
        call.probe = KnownState(root="/project", other_paths=True, other_programs=True)
    return call


@cache
def rules() -> tuple[tuple[str, Rule], ...]:
    """Every lesson of the pack, compiled once: each is tried on hundreds of calls below."""
    compiled = []
    for record in pack():
        lesson = lesson_from_document({"id": "starter", **record})
        compiled.append((lesson.slug, rule_of(entry_of(lesson, lambda source, flags: None).entry)))
    return tuple(compiled)


def fired_on(example: Example) -> list[str]:
    call = call_for(example)
    return [slug for slug, rule in rules() if why_it_fires(rule, call)]


@table("command", EVERYDAY_COMMANDS)
def test_everyday_command_triggers_nothing(command: str) -> None:
    assert fired_on(command) == []


@table("path", ["/home/me/site/src/app.py", "/home/me/site/package.json", "/home/me/site/.env", "/home/me/notes.md"])
@table("tool", ["Read", "Edit", "Write"])
def test_everyday_file_triggers_nothing(tool: str, path: str) -> None:
    assert fired_on({"tool": tool, "path": path, "content": "plain text\n"}) == []


@table(
    "error",
    [
        "Exit code 1\n1 failed, 12 passed in 0.52s",
        "Exit code 1\nsrc/app.ts(3,1): error TS2304: Cannot find name 'x'.",
        "Exit code 2\nls: cannot access 'missing': No such file or directory",
        "Exit code 1",
        "File has not been read yet. Read it first before writing to it.",
        "String to replace not found in file.",
    ],
)
def test_everyday_failure_triggers_nothing(error: str) -> None:
    assert fired_on({"tool": "Bash", "command": "make test", "error": error}) == []


@table("record", pack())
def test_quiet_examples_trigger_no_lesson_at_all(record: Record) -> None:
    loud = {str(example): slugs for example in examples_of(record, "quiet") if (slugs := fired_on(example))}
    assert loud == {}


@table("record", pack())
def test_lesson_fires_on_its_own_examples(record: Record) -> None:
    assert [example for example in examples_of(record, "fires") if not fires(record, example)] == []
    assert [example for example in examples_of(record, "quiet") if fires(record, example)] == []


@table("record", pack())
def test_record_keeps_the_rules_of_the_pack(record: Record) -> None:
    lesson = lesson_from_document(normalise(record))
    assert check(lesson) == ([], [])
    assert len(examples_of(record, "fires")) >= 3
    assert len(examples_of(record, "quiet")) >= 3
    assert lesson.confidence >= 0.7
    assert not lesson.needs_review
    assert lesson.scope.type == "global"
    assert any(tag.startswith("severity:") for tag in lesson.tags)
    # What is filled in when a lesson is added would be wrong on every machine but one.
    assert not {"id", "createdAt", "updatedAt", "contentHash", "sourceSessionIds"} & record.keys()


@table("record", pack())
def test_command_lesson_says_what_it_matches_on(record: Record) -> None:
    triggers = record["triggers"]
    assert isinstance(triggers, dict)
    assert ("matchOn" in triggers) == ("commandPatterns" in triggers)


def test_pack_as_a_whole() -> None:
    records = pack()
    slugs = [slug_of(record) for record in records]
    assert len(records) >= 30
    assert len(set(slugs)) == len(slugs)
    assert len({str(record["summary"]) for record in records}) == len(records)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug) for slug in slugs)
    # A block cannot be passed by the agent: it is for what is wrong practically always.
    assert sum(record.get("block") is True for record in records) <= 3


@table(
    ("command", "slug"),
    [
        ("cd api && git stash", "git-stash-leaves-untracked-files"),
        ("FOO=1 timeout 60 python -m pytest --pdb", "interactive-debugger-in-a-call"),
        ("bash -c 'git push --force'", "git-push-force-overwrites-others"),
        ("sudo rm -rf /", "rm-rf-root-or-home"),
        ("gh pr diff 12 --stat", "gh-pr-diff-has-no-stat"),
    ],
)
def test_lesson_sees_through_wrappers(command: str, slug: str) -> None:
    assert slug in fired_on(command)
