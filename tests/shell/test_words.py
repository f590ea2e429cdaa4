"""How the words of a command are shown: unquoted, joined by one space, quoted texts with white space blanked."""

from lessons.shell.split import invocations
from tests.tables import table


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
        ("git log $'a\\tb' $'a\\'b\\\\' $'\\x41'", 'git log "" a\'b\\ A'),
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
