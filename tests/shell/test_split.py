"""Which invocations a shell line contains: first what must not look like one."""

from lessons.shell.command import POWERSHELL
from lessons.shell.split import invocations
from tests.shell.construct_rows import (
    BASH_QUIET,
    BASH_RUNS,
    HAND_QUIET,
    HAND_RUNS,
    NOT_FOLLOWED,
    POWERSHELL_QUIET,
    POWERSHELL_RUNS,
    WINDOWS_QUIET,
    WINDOWS_RUNS,
)
from tests.tables import table


def texts_of(command: str) -> list[str]:
    return [text for texts in invocations(command) for text in texts]


def runs(command: str, program: str = "pytest") -> bool:
    return any(text.split(" ")[0] == program for text in texts_of(command))


@table(
    "command",
    [
        "cat <<EOF\npytest\nEOF",
        "cat <<EOF\npytest",
        "cat <<'EOF'\n'pytest\nEOF\n",
        'cat <<"E F" > x\npytest\nE F',
        "cat <<\\EOF\npytest\nEOF",
        "cat <<-EOF\n\tpytest\n\tEOF",
        "cat <<EOF\n EOF\npytest\nEOF",
        "cat <<A <<-B && ls\npytest\nA\npytest\n\tB\nls",
        "cat << EOF | sort\npytest\nEOF",
        "cat <<''\npytest\n\nls",
        "cat <<EOF\r\npytest\r\nEOF\r\nls",
        "git commit -m \"$(cat <<'EOF'\nit's \"the\npytest\nEOF\n)\" && ls",
        "(cat <<EOF)\npytest\nEOF",
        "bash run.sh <<EOF\npytest\nEOF",
        "python - <<EOF\npytest\nEOF",
    ],
)
def test_the_body_of_a_heredoc_is_not_an_invocation(command: str) -> None:
    assert not runs(command)
    assert runs(command.replace("pytest", "x") + "\nEOF\npytest")


@table(
    ("command", "expected"),
    [
        ("FOO=1", []),
        ("FOO=1; ls", [["ls"]]),
        ("FOO=1 BAR+=2 a[0]=3 ls", [["FOO=1 BAR+=2 a[0]=3 ls", "ls"]]),
        ("FOO='a b' ls", [['FOO="" ls', "ls"]]),
        ("a | b", [["a"], ["b"]]),
        ("a $(b)", [["b"], ["a $(b)"]]),
        ("a `b`", [["a `b`"], ["b"]]),
        ("/bin/ls -l", [["/bin/ls -l", "ls -l"]]),
        ("./script.sh", [["./script.sh", "script.sh"]]),
        ("a/ b", [["a/ b"]]),
        (
            "/usr/bin/env FOO=1 /bin/ls",
            [["/usr/bin/env FOO=1 /bin/ls", "env FOO=1 /bin/ls", "/bin/ls", "ls"]],
        ),
        (
            'FOO=1 timeout 60 python -m pytest "--no-header"',
            [
                [
                    "FOO=1 timeout 60 python -m pytest --no-header",
                    "timeout 60 python -m pytest --no-header",
                    "python -m pytest --no-header",
                    "pytest --no-header",
                ]
            ],
        ),
        ("bash -c 'a; b'", [['bash -c ""'], ["a"], ["b"]]),
    ],
)
def test_the_texts_of_a_line(command: str, expected: list[list[str]]) -> None:
    assert invocations(command) == expected


@table(
    ("command", "shown"),
    [
        ('git commit -m "run pytest"', 'git commit -m ""'),
        ('git log --format="a b"', 'git log --format=""'),
        ("git log 'a\nb' 'a\tb' 'a\u00a0b'", 'git log "" "" ""'),
        ("git log '' \"\"", 'git log "" ""'),
        ("git log --a='' b", "git log --a= b"),
        ("git log my\\ file", 'git log my""file'),
        ("git log a'b c'd\"e\"", 'git log a""de'),
        ("git log 'it'\\''s'", "git log it's"),
        ("git log $'a\\tb' $'a\\'b\\\\'", 'git log "" a\'b\\'),
        ('git log "a\\"b" "a\\b" "a\\\nb" "a\\$b"', 'git log a"b a\\b ab a$b'),
        ('git log "--author=$USER" ${x} "$(date)"', "git log --author=$USER ${x} $(date)"),
        ('git log a$(date +%s)b "$(date +%s)"', 'git log a""b ""'),
        ("git log $((1+2)) $(( 1 + 2 ))", 'git log $((1+2)) ""'),
        ("git   log\t-1  ", "git log -1"),
        ("git log \\\n  -1", "git log -1"),
        ("git log a=(b) @(a|b) x=(b c)", 'git log a=(b) @(a|b) x=""'),
        ("git log a#b", "git log a#b"),
        ("git log 'unterminated", "git log unterminated"),
        ("git log \\", 'git log ""'),
        ("[[ -f a && ! -f b || a < b ]]", "[[ -f a && ! -f b || a < b ]]"),
        ("[[ a > b ]]", "[[ a > b ]]"),
        ("git log '>' '2>&1' \\> a=\">b\"", "git log > 2>&1 > a=>b"),
        ("git log <(a) >(b)", "git log <(a) >(b)"),
    ],
)
def test_a_command_is_shown_as(command: str, shown: str) -> None:
    assert shown in [texts[0] for texts in invocations(command)]


@table(
    ("command", "shown"),
    [
        ("git log > out.txt 2>&1", "git log"),
        ("git log >out.txt 2>>'a b' -1", "git log -1"),
        ("git log &> out >&2 <&- >| x <> y", "git log"),
        ("git log 2>&1 -1 &>>out", "git log -1"),
        ("git log <<< word <<<'a b'", "git log"),
        ("git log << 'EOF' <<-END\nEOF\nEND", "git log"),
        ("git log 2 > x a2>y", "git log 2 a2"),
        ("git log {log}> x {a b}> y", "git log {a b}"),
        ("git log a=1 > x", "git log a=1"),
        ("> x git 2>&1 log", "git log"),
        ("FOO=1 2>/dev/null git log", "FOO=1 git log"),
        ("git log > $(date)", "git log"),
    ],
)
def test_a_redirection_is_not_shown(command: str, shown: str) -> None:
    assert shown in [texts[0] for texts in invocations(command)]


def programs(line: str, dialect: str = "") -> set[str]:
    return {text.split(" ")[0] for texts in invocations(line, dialect) for text in texts}


def pushes(line: str, dialect: str = "") -> bool:
    return any(text.startswith("git push") for texts in invocations(line, dialect) for text in texts)


@table("line", BASH_QUIET + HAND_QUIET)
def test_starts_no_pytest(line: str) -> None:
    assert "pytest" not in programs(line)


@table("line", BASH_RUNS + HAND_RUNS)
def test_starts_pytest(line: str) -> None:
    assert "pytest" in programs(line)


@table("line", POWERSHELL_QUIET)
def test_powershell_pushes_nothing(line: str) -> None:
    assert not pushes(line, POWERSHELL)


@table("line", POWERSHELL_RUNS)
def test_powershell_pushes(line: str) -> None:
    assert pushes(line, POWERSHELL)


@table("line", WINDOWS_QUIET)
def test_other_shells_push_nothing(line: str) -> None:
    assert not pushes(line)


@table("line", WINDOWS_RUNS)
def test_other_shells_push(line: str) -> None:
    assert pushes(line)


@table("line", NOT_FOLLOWED)
def test_is_not_followed(line: str) -> None:
    assert "pytest" not in programs(line)


def test_no_row_is_there_twice() -> None:
    lines = BASH_RUNS + BASH_QUIET + HAND_RUNS + HAND_QUIET
    assert sorted(line for line in set(lines) if lines.count(line) > 1) == []


# Each took seconds to years of processor time, or gigabytes.
