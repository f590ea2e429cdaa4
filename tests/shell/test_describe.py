"""How a shell line is split into its commands, and which of them do the work."""

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.shell.describe import carrier, parts, program_of, working
from tests.sizes import examples
from tests.tables import table


@table(
    ("command", "wanted"),
    [
        ("", []),
        ("# only a remark", []),
        ("X=1", []),
        ("X=$(date)", []),
        ("git commit -m 'a | b; c && d'", [("git", "")]),
        ("git commit -m \"$(cat <<'EOF'\na | b\nEOF\n)\"", [("git", "")]),
        ("cat > x <<EOF\na | b\nEOF\nls", [("cat", "\n"), ("ls", "")]),
        ("[[ -f a && -f b || -f c ]] && make", [("[[", "&&"), ("make", "")]),
        ("make &> log", [("make", "")]),
        ("&> log make; ls", [("make", ";"), ("ls", "")]),
        ("make > log 2>&1 &", [("make", "&")]),
        ("make |& tail", [("make", "|"), ("tail", "")]),
        ("a && b || c; d\ne", [("a", "&&"), ("b", "||"), ("c", ";"), ("d", "\n"), ("e", "")]),
        ("(a; b) | c", [("a", ";"), ("b", "|"), ("c", "")]),
        ("{ a; b; } | c", [("a", ";"), ("b", "|"), ("c", "")]),
        ("for x in 1 2; do a $x; done | tail", [("a", "|"), ("tail", "")]),
        ("case x in a|b) c;; esac", [("c", ";")]),
        ("X=1 sudo -u me timeout 5 /usr/bin/make", [("make", "")]),
        ("a\r\nb", [("a", "\n"), ("b", "")]),
    ],
)
def test_commands_and_operators(command: str, wanted: list[tuple[str, str]]) -> None:
    assert [(part.program, part.operator) for part in parts(command)] == wanted


@table(
    ("command", "wanted"),
    [
        ("cd a && echo b; [ -f c ]", []),
        ("cd a && make", ["make"]),
        ("cat a | python b.py", ["python"]),
        ("cat a | head", ["cat", "head"]),
        ("cat a", ["cat"]),
        ("make | cat", ["make", "cat"]),
    ],
)
def test_what_works(command: str, wanted: list[str]) -> None:
    line = parts(command)
    assert [line[index].program for index in working(line)] == wanted


PIECES = [
    *"a b\n;&|()<>#'\"\\$`{}",
    "&&",
    "||",
    ";;",
    "$(",
    "((",
    "[[ ",
    " ]]",
    "<<E\n",
    "E\n",
    "case ",
    " in ",
    "esac",
    "X=1 ",
]


@given(st.text() | st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_no_line_raises(command: str) -> None:
    for part in parts(command):
        assert part.words and part.program


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
        ("watch -n 1 git status", "git", "status"),
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
    by_character = parts.__wrapped__(f"{line} # a remark, which no simple line has")
    described = [(part.texts, part.inner, part.operator) for part in parts.__wrapped__(line)]
    assert described == [(part.texts, part.inner, part.operator) for part in by_character]


@table(
    "command",
    [
        "lux a",
        "sudo lux a",
        "bash -c 'lux a'",
        "poetry run lux a",
        "yarn run lux a",
        "lux a && ssh host 'lux b'",
        "ssh host 'echo lux'",
        "docker exec lux ls",
        "ssh host uptime; bash -c 'lux a'",
        "ssh host ls | xargs lux",
        "nix-shell --run 'lux a'",
        "su bob -c 'lux a'",
        "env -S 'lux a'",
    ],
)
def test_here(command: str) -> None:
    assert carrier(command, "lux") == ""


@table(
    ("command", "name"),
    [
        ("ssh host 'cd /srv && lux a'", "ssh"),
        ("docker exec web lux -v", "docker exec"),
        ("cd app && docker compose exec web lux", "docker compose exec"),
        ("kubectl exec pod -- sh -c 'lux a'", "kubectl exec"),
        ("kubectl -n prod exec pod -- lux a", "kubectl exec"),
        ("vagrant ssh -c 'lux a'", "vagrant ssh"),
        ("gcloud compute ssh vm1 --command 'lux -b'", "gcloud compute ssh"),
        ("fly ssh console -C 'lux a'", "fly ssh console"),
        ("kubectl run job --image=a -- lux a", "kubectl run"),
        ("sudo docker exec web lux && ssh host lux", "docker exec"),
    ],
)
def test_elsewhere(command: str, name: str) -> None:
    assert carrier(command, "lux") == name
