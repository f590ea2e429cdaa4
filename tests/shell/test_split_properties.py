"""Properties of every shell line, whatever it contains and however long it is."""

import shlex

from hypothesis import given
from hypothesis import strategies as st

from lessons.shell.split import invocations
from tests.tables import table

PIECES = [
    *"a b é EOF ; ;; & && | || #".split(),
    *("\ud800", "\0", " ", " ", " ", "\t", "\r", "\n", "\n"),
    *("'", '"', "\\", "$", "`", "$'", "$(", "${", "$((", "((", "))", "(", ")", "{", "}", "[[ ", " ]]", "<(", ">("),
    *("<", ">", "<<", "<<-", "<<<", ">>", "2>", "&>", "=", "A=", "A=(", "!", "--", "-", "+", "{}", "/", " -c ", " -m "),
    *("if ", "then ", "fi ", "for ", " in ", "do ", "done ", "case ", "esac ", "function ", "time ", "sudo ", "env "),
    *("eval ", "xargs ", "find ", " -exec ", "bash ", "ssh ", "python", "mise x ", "hatch run ", "watch ", "su "),
]
plain_word = st.text("abcdefgz019-_./,:@%+", min_size=1, max_size=8)
plain_command = st.lists(plain_word, min_size=1, max_size=5).map(lambda words: " ".join(["git", *words]))
has_white_space = st.text().filter(lambda text: text.split() != [text] and "'" not in text and text != "")
has_none = st.text(min_size=1).filter(lambda text: text.split() == [text])


@given(st.text() | st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_no_line_raises_and_every_text_is_one_line(command: str) -> None:
    found = invocations(command)
    assert found == invocations(command)
    for texts in found:
        assert texts
        for text in texts:
            assert text.strip(" ") and "\n" not in text and "\t" not in text


@given(has_none)
def test_a_quoted_argument_without_white_space_is_kept(argument: str) -> None:
    assert invocations("git " + shlex.quote(argument)) == [["git " + argument]]


@given(has_white_space)
def test_a_quoted_argument_with_white_space_is_blanked(argument: str) -> None:
    assert invocations(f"git --format='{argument}' -q") == [['git --format="" -q']]


@given(plain_command)
def test_quotes_around_plain_words_change_nothing(command: str) -> None:
    program, *words = command.split(" ")
    for quote in ("'", '"'):
        quoted = " ".join([program, *(quote + word + quote for word in words)])
        assert invocations(quoted) == invocations(command)


@given(plain_command, st.text().map(lambda text: text.replace("\n", "")))
def test_a_comment_changes_nothing(command: str, comment: str) -> None:
    assert invocations(f"{command} # {comment}") == invocations(command)


@given(plain_command)
def test_a_command_before_it_adds_exactly_that(command: str) -> None:
    assert invocations("true && " + command) == [["true"], *invocations(command)]


TEMPLATES = [
    "( SCRIPT )",
    "{ SCRIPT; } 2>&1",
    "ls; SCRIPT",
    "ls && SCRIPT | sort &",
    'echo "decoy $( SCRIPT ) decoy"',
    "x=${y:-$( SCRIPT )}",
    "diff <( SCRIPT ) decoy",
    "if ! SCRIPT; then :; fi",
    "for x in decoy; do SCRIPT; done > decoy",
    "case decoy in decoy) SCRIPT;; (decoy) ;; esac",
    "decoy() { SCRIPT; }",
    "echo 'decoy' # decoy; decoy it's\nSCRIPT",
    "cat <<'END' > decoy\ndecoy\nit's (decoy\nEND\nSCRIPT",
    "sudo -u decoy bash -lc QUOTED",
    "ssh -p 22 host QUOTED",
    "eval QUOTED",
    "find . -exec sh -c QUOTED ';'",
]


def _fill(parts: tuple[str, str]) -> str:
    template, script = parts
    return template.replace("QUOTED", shlex.quote(script)).replace("SCRIPT", script)


def _around(scripts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    inside = st.tuples(st.sampled_from(TEMPLATES), scripts).map(_fill)
    return inside | st.tuples(scripts, st.sampled_from([";", " && ", "||", " | ", "\n"]), scripts).map("".join)


@given(st.recursive(st.sampled_from(["mark1 a", "mark2 a", "mark3 a"]), _around, max_leaves=6))
def test_every_command_is_found_however_it_is_nested_and_nothing_else(script: str) -> None:
    texts = [text for texts in invocations(script) for text in texts]
    for mark in ("mark1 a", "mark2 a", "mark3 a"):
        assert (mark in script) == any(text.startswith(mark) for text in texts)
    assert not any(text.startswith(("decoy", "END", "it's")) for text in texts)


MEGABYTE = 1_000_000
UNITS = [
    *("a", "ab ", "a;", '"a b" ', "$a", '"$a', "$(", '"$(', "`", "\\`", "(", "((", "((a)", "((a));", "$((", "$((1)) "),
    *("${", "a=(", "<(", "'", "\\", "\n", ">", "a > b ", "A=1 ", "# ", "<<A ", "<<A\nA\n", "case x in ", "a) b;; "),
    *("[[ && ", "f() { ", "sudo ", "env A=1 ", "python -m ", "mise x -- ", "eval ", "xargs ", "find -exec ", "ssh h "),
    *("bash -c ", 'eval "$(', "\0", "\ud800 ", "time "),
]


@table("unit", UNITS)
def test_a_huge_line_gives_a_bounded_answer(unit: str) -> None:
    found = invocations(unit * (MEGABYTE // len(unit)))
    assert sum(len(text) for texts in found for text in texts) < 3 * MEGABYTE


def test_many_assignments_before_many_redirections_are_no_more_than_long() -> None:
    assert len(invocations("A=1 " * 8_000 + ">b " * 8_000 + "ls")) == 1


def test_a_command_behind_a_huge_heredoc_is_found() -> None:
    line = "cat <<EOF\n" + "some text\n" * 100_000 + "EOF\npytest"
    assert invocations(line) == [["cat"], ["pytest"]]


def test_scripts_inside_scripts_are_followed_eight_deep() -> None:
    command = "pytest"
    for _ in range(8):
        command = "eval " + shlex.quote(command)
    assert ["pytest"] in invocations(command)
    assert ["pytest"] not in invocations("eval " + shlex.quote(command))


def test_substitutions_inside_each_other_are_followed_and_then_given_up() -> None:
    assert ["pytest"] in invocations("$(" * 20 + "pytest" + ")" * 20)
    assert ["pytest"] not in invocations("$(" * 10_000 + "pytest" + ")" * 10_000)
