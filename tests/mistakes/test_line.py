"""A shell line is split into commands roughly, and never fails."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.mistakes.line import commands_of
from tests.tables import table


def words(line: str) -> list[list[str]]:
    return [[text for text, _ in command.words] for command in commands_of(line)]


@table(
    "line, expected",
    [
        ("", []),
        ("# only a comment", []),
        ("if true; then echo a; fi", [["true"], ["echo", "a"]]),
        ("echo 'a; b' \"c && d\"", [["echo", "a; b", "c && d"]]),
        ("echo a > out.txt 2>&1", [["echo", "a"]]),
        ("cat <<'EOF'\nrm -rf /\nEOF\nls", [["cat"], ["ls"]]),
        ("git log --stat", [["git", "log", "--stat"]]),
        ("cd src && go test ./... | tail -3; ls", [["cd", "src"], ["go", "test", "./..."], ["tail", "-3"], ["ls"]]),
        ("A=1 B=2 make all", [["make", "all"]]),
        ("echo $(git rev-parse HEAD) done", [["echo", "$()", "done"]]),
        ("docker run \\\n  -p 80:80 \\\n  nginx", [["docker", "run", "-p", "80:80", "nginx"]]),
        ("a &> log; b", [["a"], ["b"]]),
    ],
)
def test_words_of_commands(line: str, expected: list[list[str]]) -> None:
    assert words(line) == expected


def test_names_what_a_command_assigns_and_reads() -> None:
    (command,) = commands_of("GIT_EDITOR=true python3 - <<EOF\nimport os\nEOF\n")
    assert command.assigned == ["GIT_EDITOR"]
    assert command.heredoc == "import os\n"


@given(st.text(alphabet="ab ;&|<>()'\"\\$\n#={}!EOF-", max_size=80))
def test_any_line_is_split(line: str) -> None:
    for command in commands_of(line):
        assert command.words or command.assigned


def test_a_long_line_takes_no_time() -> None:
    assert len(commands_of("$(" * 100_000)) <= 1
    assert len(commands_of("<<A " * 100_000)) <= 1
