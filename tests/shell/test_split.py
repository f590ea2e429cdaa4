"""Which invocations a shell line holds: first what must not look like one."""

from lessons.shell.split import invocations
from tests.tables import table


def texts_of(command: str) -> list[str]:
    return [text for texts in invocations(command) for text in texts]


def runs(command: str, program: str = "pytest") -> bool:
    return any(text.split(" ")[0] == program for text in texts_of(command))


@table(
    "command",
    [
        "",
        "   \t\n ;; & | ( ) ",
        "cat pytest.ini",
        "pip install pytest",
        "rg pytest",
        "rg -n pytest src",
        'git commit -m "run pytest"',
        "git commit -m 'first\npytest -q\nlast'",
        'echo "pytest"',
        'echo "; pytest"',
        "echo '$(pytest)' '`pytest`' \\$\\(pytest\\)",
        'echo "\\$(pytest) \\`pytest\\`"',
        "grep -r 'pytest -q' .",
        "# pytest",
        "ls # && pytest",
        "ls\n# it's a comment\n# pytest",
        "echo a#; echo b #; pytest",
        "ls pytest \\\n pytest",
        "command -v pytest",
        "which pytest && type pytest",
        "pytest=1",
        "pytest='a b' pytest+=2",
        "pytest=(a b)",
        "pytest=$(ls)",
        "coproc pytest { ls; }",
        "coproc pytest (ls)",
        "bash -n -c pytest",
        "bash -nc pytest",
        "bash -o noexec -c pytest",
        "bash -n <<< pytest",
        "for pytest do ls; done",
        "export pytest=1",
        "for pytest in pytest a; do ls; done",
        "select pytest in pytest; do ls; done",
        "case pytest in pytest) ls;; (pytest|pytest) ls ;& pytest) ls;; esac",
        "case x in\n  # pytest\n  'pytest' | pytest) ;;\nesac",
        "pytest() { ls; }",
        "pytest () { ls; }",
        "function pytest { ls; }",
        "function pytest() { ls; }",
        "[[ -f x && pytest == y || ( pytest ) ]]",
        "[[ $x =~ ^(pytest|pytest)$ ]]",
        "(( pytest < 3 )) && (( pytest << 2 ))",
        "for ((pytest = 0; pytest < 3; pytest++)); do ls; done",
        "echo $(( pytest + (pytest * 2) ))",
        'echo "$((pytest))"',
        "tools=(pytest pytest # pytest\n pytest)",
        "ls @(pytest|pytest) !(pytest)",
        "ls > pytest",
        "> pytest ls",
        "ls <<< pytest",
        "ls <<< 'a; pytest'",
        "ls ${x:-pytest} ${pytest} ${x/pytest/pytest}",
        "${x/pytest}",
        "bash pytest",
        "bash script.sh -c pytest",
        "python -c 'import pytest'",
        "python run.py -m pytest",
        "ssh pytest",
        "xargs -I pytest echo",
        "find . -name pytest",
        "find . -exec echo pytest ; -name pytest",
    ],
)
def test_is_not_an_invocation_of_pytest(command: str) -> None:
    assert not runs(command)


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
    "command",
    [
        "pytest",
        "  pytest",
        "cd x && pytest",
        "cd x&&pytest",
        "cd x || pytest",
        "ls|pytest",
        "ls |& pytest",
        "ls & pytest",
        "ls &>/dev/null & pytest",
        "ls;pytest;ls",
        "ls\npytest",
        "ls \\\n && \\\n pytest",
        "py\\\ntest",
        "'pytest' -q",
        '"py"test',
        "$'pytest'",
        '$"pytest"',
        "\\pytest",
        "(pytest)",
        "( (pytest) )",
        "((pytest) | sort)",
        "{ pytest; }",
        "$(pytest)",
        "`pytest`",
        'echo "a $(pytest) b"',
        'echo "`pytest`"',
        "echo `echo \\`pytest\\``",
        "echo $(( $(pytest) + 1 ))",
        "echo ${x:-$(pytest)}",
        'echo "${x:-"$(pytest)"}"',
        "x=$(pytest)",
        "x=($(pytest))",
        "diff <(pytest a) <(ls)",
        "ls > >(pytest)",
        "diff --from=<(pytest)",
        "for f in *; do pytest $f; done",
        "for f in $(pytest); do ls; done",
        "for ((i = 0; i < 3; i++)); do pytest; done",
        "while pytest; do ls; done",
        "until ! pytest; do ls; done",
        "while read x; do ls; done < <(pytest)",
        "if ! pytest; then echo no; fi",
        "if ls; then pytest; fi",
        "if ls; then ls; elif pytest; then ls; else ls; fi",
        "if ls; then ls; else pytest; fi",
        "if (ls) then pytest; fi",
        "case $x in a) ls;; b) pytest;; esac",
        "case $x in (a|b) pytest ;; esac",
        "case $x in a) ls;; esac; pytest",
        "case $(pytest) in a) ls;; esac",
        "echo $(case x in a) pytest;; esac)",
        "echo $(case x in a) ls;; esac); pytest",
        "run() { pytest; }",
        "run(){ pytest;}",
        "function run { pytest; }",
        "[[ -f x ]] && pytest",
        "((i++)); pytest",
        "x=$((1 << 2))\npytest",
        "time pytest",
        "time -p pytest",
        "time (pytest)",
        "time { pytest; }",
        "! pytest",
        "! time pytest",
        "coproc pytest",
        "coproc { pytest; }",
        "coproc x { pytest; }",
        "coproc while pytest; do ls; done",
        "for x do pytest; done",
        "bash -eu -c pytest",
        "2>/dev/null pytest",
        "<<< x pytest",
        "> out FOO=1 < in pytest",
        "ls 2>&1; pytest",
        "cat <<EOF && pytest\nbody\nEOF",
        "cat <<EOF\nbody\nEOF\npytest",
        "tool=(a b) && pytest",
        "/usr/bin/pytest",
        "./pytest",
        "$HOME/bin/pytest",
        '"/a folder/bin/pytest"',
        '"$(git rev-parse --show-toplevel)/bin/pytest"',
    ],
)
def test_is_an_invocation_of_pytest(command: str) -> None:
    assert runs(command)


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
