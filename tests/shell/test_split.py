"""Which invocations a shell line contains: first what must not look like one."""

from lessons.shell.split import invocations
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
