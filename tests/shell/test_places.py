"""Lines of words and operators only are parsed in a shorter way, with the same result."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.shell.command import Command
from lessons.shell.places import _parsed, is_plain, joined, places, stays, steps
from tests.tables import table

WORDS = (
    "cat", "cd", "src/a.py", "X=1", "timeout", "5", "-n", "2>&1", "env", "command", "[", "]", "~/x", "*.py", "=",
    "time", "for", "in", "do", "then", "PATH=x", "a;", ";", "&&", "||", "|", "&", "",
)  # fmt: skip


def described(found: list[Command]) -> list[tuple[object, ...]]:
    return [
        (step.words, step.contents, step.operator, step.is_odd, step.alters, step.hides_errors, step.begin)
        for step in found
    ]


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_both_ways_give_the_same(command: str) -> None:
    assert described(steps(command)) == described(_parsed(command))


HERE = "/p/web"


def found(command: str, folder: str = HERE) -> list[tuple[str, str]]:
    """Each certain command as written, and its folder."""
    return [(place.texts[0], place.folder) for place in places(command, folder)]


@table(
    "command",
    [
        "(cat a)",
        "{ cat a; }",
        "! cat a",
        "if cat a; then true; fi",
        "for x in 1 2; do cat a; done",
        "while true; do cat a; done",
        "read_it() { cat a; }",
        "echo $(cat a)",
        "echo `cat a`",
        "bash -c 'cat a'",
        "ssh host cat a",
        "ssh host 'cd x && cat a'",
        "docker exec box cat a",
        "xargs cat a",
        "eval cat a",
        "sudo cat a",
        "env -C other cat a",
        "PATH=/opt/bin cat a",
        "cat a || true",
        "cat a || cat b",
        "cat a 2>/dev/null",
        "cat a 2> /dev/null | head",
        "cat a > /dev/null 2>&1",
        "cat a &>/dev/null",
        "[ -f a ] && cat a",
        "test -f a && cat a",
        "[[ -f a ]] && cat a",
        "ls a && cat a",
        "which cat && cat a",
        "ls a || cat a",
        "mkdir x && cat a",
        "touch a; cat a",
        "echo text > a; cat a",
        "printf x | tee a; cat a",
        "git checkout topic && cat a",
        "git clone url && cat a",
        "sed -i s/a/b/ b; cat a",
        "find . -name b -delete; cat a",
        "npm run build & cat a",
        "source env.sh && cat a",
        ". ./env.sh; cat a",
        "export PATH=$PATH:bin; cat a",
        "echo $(mkdir x); cat a",
        "make; cat a",
        "python3 - <<'EOF'\nopen('a')\nEOF\ncat a",
        "cd $HOME/x && cat a",
        'cd "$DIR"; cat a',
        "cd $(git rev-parse --show-toplevel) && cat a",
        "cd src* && cat a",
        "cd {x,y} && cat a",
        "cd ~other && cat a",
        "cd - && cat a",
        "cd x y; cat a",
        "popd; cat a",
        "cd x || cd y; cat a",
        "[ -d x ] && cd x; cat a",
        "ls x && cd x && true; cat a",
        "(cd x); cat a",
    ],
)
def test_command_with_unknown_surroundings_is_left_out(command: str) -> None:
    assert "cat a" not in [text for place in places(command, HERE) for text in place.texts]


@table(
    ("command", "wanted"),
    [
        ("", []),
        ("# cat a", []),
        ("cat a", [("cat a", HERE)]),
        ("cat 'a' \"b\"", [("cat a b", HERE)]),
        ("cat a; cat b", [("cat a", HERE), ("cat b", HERE)]),
        ("cat a | head -5", [("cat a", HERE), ("head -5", HERE)]),
        ("cat a 2>&1 | tail -3", [("cat a", HERE), ("tail -3", HERE)]),
        ("cat a > out; true", [("cat a", HERE)]),
        ("cat a &", [("cat a", HERE)]),
        ("cd src && cat a", [("cd src", HERE), ("cat a", "/p/web/src")]),
        ("cd src; cat a", [("cd src", HERE), ("cat a", "/p/web/src")]),
        ("cd src\ncat a", [("cd src", HERE), ("cat a", "/p/web/src")]),
        ("cd -P -- src && cat a", [("cd -P -- src", HERE), ("cat a", "/p/web/src")]),
        ("cd ../api/./v1 && cat a", [("cd ../api/./v1", HERE), ("cat a", "/p/api/v1")]),
        ("cd /etc && cat a", [("cd /etc", HERE), ("cat a", "/etc")]),
        ("cd && cat a", [("cd", HERE), ("cat a", "~")]),
        ("cd ~/x && cat a", [("cd ~/x", HERE), ("cat a", "~/x")]),
        ("cd 'my files' && cat a", [('cd ""', HERE), ("cat a", "/p/web/my files")]),
        ("cd src && cd .. && cat a", [("cd src", HERE), ("cd ..", "/p/web/src"), ("cat a", HERE)]),
        ("cd src || exit 1; cat a", [("cd src", HERE), ("cat a", "/p/web/src")]),
        ("pushd src && cat a", [("pushd src", HERE), ("cat a", "/p/web/src")]),
        ("echo now && cd src && cat a", [("echo now", HERE), ("cd src", HERE), ("cat a", "/p/web/src")]),
        ("pwd && cat a", [("pwd", HERE), ("cat a", HERE)]),
        ("git status && cat a", [("git status", HERE), ("cat a", HERE)]),
        ("X=1; cat a", [("X=1", HERE), ("cat a", HERE)]),
        ("cd src | cat; cat a", [("cd src", HERE), ("cat", HERE), ("cat a", HERE)]),
        ("cd src & cat a", [("cd src", HERE), ("cat a", HERE)]),
        ("cd src\r\ncat a", [("cd src", HERE), ("cat a", "/p/web/src")]),
    ],
)
def test_folder_of_each_command(command: str, wanted: list[tuple[str, str]]) -> None:
    assert found(command) == wanted


@table(
    ("command", "texts"),
    [
        ("FOO=1 cat a", ["FOO=1 cat a", "cat a"]),
        ("timeout 5 cat a", ["timeout 5 cat a", "cat a"]),
        ("time nice -n 5 cat a", ["time nice -n 5 cat a", "nice -n 5 cat a", "cat a"]),
        ("/bin/cat a", ["/bin/cat a"]),  # the program of that path, not the one on PATH
        ("python -m pytest", ["python -m pytest"]),
        ("npx tsc", ["npx tsc"]),
    ],
)
def test_texts_behind_what_changes_nothing(command: str, texts: list[str]) -> None:
    assert [place.texts for place in places(command, HERE)] == [texts]


def test_without_a_folder_nothing_is_certain() -> None:
    assert places("cat a", "") == []


def test_place_in_the_line() -> None:
    line = "cd src  &&  cat a 2>&1 | head"
    assert [line[place.begin : place.end].strip() for place in places(line, HERE)] == ["cd src", "cat a 2>&1", "head"]


@table(
    ("path", "wanted"),
    [
        ("", False), ("$X/a", False), ("*.py", False), ("a[1]", False), ("{a,b}", False), ('""', False),
        ("~me/a", False), ("`x`", False), ("a\nb", False),
        ("a", True), ("src/a.py", True), ("../a", True), ("/etc/hosts", True), ("~", True), ("~/a", True),
        ("a b", True),
    ],
)  # fmt: skip
def test_plain_path(path: str, wanted: bool) -> None:
    assert is_plain(path) is wanted


@table(
    ("folder", "path", "wanted"),
    [
        ("/p", "a/../b", "/p/b"), ("/p", "../../..", "/"), ("/", "a", "/a"), ("/p", ".", "/p"), ("~", "..", None),
        ("~/x", "..", "~"), ("/p", "/", "/"), ("C:/p", "a", "C:/p/a"), ("C:/p", "D:/q", "D:/q"),
    ],
)  # fmt: skip
def test_joined_path(folder: str, path: str, wanted: str | None) -> None:
    assert joined(folder, path) == wanted


@table(
    ("command", "wanted"),
    [("cd a", False), ("x && pushd a", False), ("(x)", False), ("popd", False), ("cat a; ls", True), ("", True)],
)
def test_line_that_stays(command: str, wanted: bool) -> None:
    assert stays(command) is wanted


@given(st.text(alphabet="ab cd;&|()<>{}[]$`'\"\\\n/.~=-#!", max_size=60))
def test_any_line_can_be_read(line: str) -> None:
    for place in places(line, HERE):
        assert place.folder and place.texts
