"""Which program a shell line is about."""

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.shell import line as command_line
from lessons.shell.program import program_of
from tests.sizes import examples
from tests.tables import table


@table(
    ("command", "program", "sub_command"),
    [
        ("", "", ""),
        ("# nothing", "", ""),
        ("$TOOL run", "", ""),
        ("X=1", "", ""),
        ("cd src", "cd", ""),
        ("echo done", "echo", ""),
        ("grep foo file", "grep", ""),
        ("ls build", "ls", ""),
        ("python manage.py migrate", "python", ""),
        ("git", "git", ""),
        ("git --version", "git", ""),
        ("git -C status", "git", ""),
        ("git ./x", "git", ""),
        ("make ./out.o", "make", ""),
        ("make -j 8", "make", ""),
        ("bun script.ts", "bun", ""),
        ("cargo --manifest-path build", "cargo", ""),
        ('git commit -m "npm install"', "git", "commit"),
        ("git commit -m \"$(cat <<'EOF'\nnpm install\nEOF\n)\"", "git", "commit"),
        ("git -C /a -c k=v --no-pager log", "git", "log"),
        ("/usr/bin/git status", "git", "status"),
        ("git.exe status", "git", "status"),
        ("./node_modules/.bin/tsc --noEmit", "tsc", ""),
        ("./gradlew build", "gradlew", "build"),
        ("cd a && git add . && git commit", "git", "add"),
        ("export A=1; source x; set -e; echo hi; npm run build", "npm", "run"),
        ("A=1 B=2 npm test", "npm", "test"),
        ("sudo env A=1 timeout 60 docker --context x compose -f a.yml up -d", "docker", "compose up"),
        ("docker run -it image", "docker", "run"),
        ("npx -y tsc@5 --noEmit", "tsc", ""),
        ("npx @scope/tool run", "tool", ""),
        ("uv run --with x pytest -q", "pytest", ""),
        ("python3 -m pytest tests", "pytest", ""),
        ("python -m pip install x", "pip", "install"),
        ("uv pip install x", "uv", "pip install"),
        ("uv sync", "uv", "sync"),
        ("gh pr diff 12", "gh", "pr diff"),
        ("gh -R a/b pr view 12", "gh", "pr view"),
        ("gh api repos/a/b", "gh", "api"),
        ("pnpm --filter web api:generate", "pnpm", "api:generate"),
        ("cargo +nightly build", "cargo", "build"),
        ("make -C dir X=1 test", "make", "test"),
        ("kubectl -n prod get pods", "kubectl", "get"),
        ("cat a.json | python b.py", "python", ""),
        ("cat a.json | head", "cat", ""),
        ("echo '{}' | node hook.js", "node", ""),
        ("out=$(git rev-parse HEAD); echo $out", "git", "rev-parse"),
        ("bash -c 'cd a && go test ./...'", "go", "test"),
        ("bash script.sh", "bash", ""),
        ("ssh host uptime", "ssh", ""),
        ("for f in *.py; do ruff check $f; done", "ruff", "check"),
        ("if [ -f a ]; then make all; fi", "make", "all"),
        ("(cd a; make)", "make", ""),
    ],
)
def test_the_program_is(command: str, program: str, sub_command: str) -> None:
    assert program_of(command) == (program, sub_command)


def test_only_the_beginning_of_a_long_line_is_read() -> None:
    start = time.process_time()
    assert program_of("git status " + "$(" * 1_000_000) == ("git", "status")
    assert time.process_time() - start < 1


@given(
    st.text()
    | st.lists(st.sampled_from([*"a b-;&|()$`'\"\n@/", "git ", "bash -c ", "docker compose ", "npx "])).map("".join)
)
def test_no_line_raises_and_names_are_plain(command: str) -> None:
    program, sub_command = program_of(command)
    assert len(program) <= 64 and len(sub_command) <= 81
    assert not set(program) & set(" \n$`'\"")
    assert program or not sub_command


simple_words = st.text("ab2./@:,+%=-_", min_size=1, max_size=6) | st.sampled_from(
    [
        "sudo",
        "env",
        "A=1",
        "timeout",
        "60",
        "npx",
        "uv",
        "run",
        "if",
        "then",
        "!",
        "2",
        "2>&1",
        "git",
        "-C",
        "time",
        ".",
    ]
)
simple_lines = st.lists(st.lists(simple_words, min_size=1, max_size=5).map(" ".join), min_size=1, max_size=4).flatmap(
    lambda commands: st.lists(
        st.sampled_from(["&&", " && ", "|", " | ", ";", "; ", " || ", "||"]),
        min_size=len(commands) - 1,
        max_size=len(commands) - 1,
    ).map(lambda operators: "".join(a + b for a, b in zip(commands, [*operators, ""], strict=True)))
)


@given(simple_lines)
@settings(max_examples=examples(1000))
def test_a_simple_line_is_read_as_any_other(line: str) -> None:
    by_character = command_line.parts.__wrapped__(f"{line} # a remark, which no simple line has")
    assert command_line.parts.__wrapped__(line) == by_character
