"""The construct table: rows of lines, from the case modules beside this one."""

from tests.shell import argument_cases, heredoc_cases, remote_cases, windows_cases, wrapper_cases
from tests.shell.row_text import rows
from tests.shell.syntax_cases import RUNS, RUNS_BEHIND
from tests.shell.syntax_quiet_cases import QUIET

# Lines that bash judges itself, and others.
BASH_RUNS = [
    *rows(RUNS),
    *rows(RUNS_BEHIND),
    *rows(heredoc_cases.RUNS),
    *rows(argument_cases.CODE),
    *(f"{wrapper} pytest -q" for wrapper in rows(wrapper_cases.WRAPPERS)),
]
BASH_QUIET = [*rows(QUIET), *rows(heredoc_cases.QUIET)]
HAND_RUNS = [
    *rows(heredoc_cases.RUNS_BY_HAND),
    *rows(argument_cases.CODE_BY_HAND),
    *rows(remote_cases.RUNS),
    *(f"{wrapper} pytest -q" for wrapper in rows(wrapper_cases.WRAPPERS_BY_HAND)),
]
HAND_QUIET = [*rows(heredoc_cases.QUIET_BY_HAND), *rows(remote_cases.QUIET), *rows(wrapper_cases.NONE)]
POWERSHELL_RUNS = rows(windows_cases.POWERSHELL_RUNS)
POWERSHELL_QUIET = rows(windows_cases.POWERSHELL_QUIET)
WINDOWS_RUNS = rows(windows_cases.RUNS)
WINDOWS_QUIET = rows(windows_cases.QUIET)

# What the shell computes: bash runs them, and no trigger sees them.
NOT_FOLLOWED = [
    "x=_test; x=py${x#_}; $x -q",
    "x=(pytest -q); ${x[@]}",
    "set -- pytest -q; $1 $2",
    "sh -c '$1 -q' _ pytest",
    "f() { shift; $1 -q; }; f x pytest",
    "f() { echo pytest -q; }; f | bash",
    "shopt -s expand_aliases; alias x=pytest\nx -q",
    "printf '%s\\n' 'pytest -q' | bash",
    "for x in pytest; do $x -q; done",
    "read x <<EOF; $x\npytest -q\nEOF",
    "(bash) <<EOF\npytest -q\nEOF",
    "echo pytest -q | (cd x; bash)",
    "{ echo ls; echo pytest -q; } > r; bash r",
]
