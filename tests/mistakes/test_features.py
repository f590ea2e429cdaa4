"""Features are general, bounded, and shared by calls that name the same; lines are split and errors normalised."""

import json

from hypothesis import given
from hypothesis import strategies as st

from lessons.mistakes.features import commands_of, error_words, features_of, key_of, keys_of, kind_of
from lessons.mistakes.recall import call_text
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


_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


def of_line(line: str, cwd: str = "/home/somebody/shop") -> set[str]:
    return features_of("Bash", {"command": line}, line, cwd)


@table(
    "line, absent",
    [
        ("echo 'git push --force'", "option:git push --force"),  # quoted text is no command
        ("cat --help", "kind:cat word"),
        ("git log -20", "option:git log -20"),  # a number is no option
        ("grep foo 'a*b'", "kind:grep glob"),  # quoted: no glob
        ("git commit -m 'use the option --stat'", "option:git commit --stat"),
    ],
)
def test_what_is_no_feature(line: str, absent: str) -> None:
    assert absent not in of_line(line)


@table(
    "line, expected",
    [
        ("git log --stat", {"program:git", "words:git log", "option:git --stat", "option:git log --stat"}),
        ("/usr/bin/Git log", {"program:git", "place:git absolute"}),
        ("rtk bun test", {"words:rtk bun", "words:rtk bun test"}),
        ("cat -A *.md", {"option:cat -A", "kind:cat glob", "option-kind:cat -A glob"}),
        ("gh api repos/a/b/pulls/7/replies", {"path-shape:gh a/b/pulls/#/replies".replace("a/b", "b")}),
        ("git add docs/plans/x.md", {"path:git add docs/", "path:git add docs/plans/"}),
        ("python3 -c 'import yaml, os'", {"module:python3 yaml"}),
        ("GIT_EDITOR=true git rebase -i", {"assigned:GIT_EDITOR", "option:git rebase -i"}),
        ("jq '.[] | select(.a \\!= 1)'", {"escape:jq !"}),
        ("gh api graphql -f query='body(truncate: 80)'", {"name:gh api truncate"}),
        ("make all", {"folder:make shop"}),
    ],
)
def test_features_of_a_line(line: str, expected: set[str]) -> None:
    assert expected <= of_line(line), of_line(line)


def test_features_of_another_tool_are_names_shapes_and_short_values() -> None:
    found = features_of("mcp__pages__open", {"owner": "shop", "page": {"number": 3}, "text": "x" * 99}, None, "/")
    assert "value:mcp__pages__open owner=shop" in found
    assert "argument-shape:mcp__pages__open page {number:number}" in found
    assert not any("xxx" in each for each in found)


@table(
    "word, kind",
    [
        ("/tmp/a", "temporary"),
        ("~/a", "home"),
        ("C:\\a", "drive"),
        ("/d/a/b", "drive-mount"),
        ("/etc", "absolute"),
        ("../a", "above"),
        ("a/b", "relative"),
        ("a.py", "file"),
        ("https://a", "url"),
        ("12", "number"),
        ("-3", "number"),
        ("a b", "text"),
        ("a\nb", "lines"),
        ("$HOME/a", "variable"),
        ("a=b", "pair"),
        ("*.py", "glob"),
        ("a[1]", "bracket"),
        ("word", "word"),
        ("", "empty"),
    ],
)
def test_kinds_of_arguments(word: str, kind: str) -> None:
    assert kind_of(word, False) == kind


@given(_ANY, st.text(max_size=60))
def test_any_call_has_features(arguments: object, line: str) -> None:
    for found in (features_of("tool", arguments, None, line), of_line(line, line)):
        assert all(0 < key < 2**32 for key in keys_of(found))


def test_a_hostile_call_is_bounded() -> None:
    line = " ".join(f"--option-{number} 'name{number}'" for number in range(9_000))
    assert len(of_line(line)) <= 160
    assert len(features_of("tool", json.loads('{"a":' * 200 + "1" + "}" * 200), None, "/")) <= 160


def test_deep_and_large_arguments() -> None:
    deep: dict[str, object] = {"a": 1}
    for _ in range(5000):
        deep = {"a": deep}
    arguments = {"deep": deep, "list": [deep] * 3, "text": "x" * 1_000_000}
    assert "shape:T {deep:{a:{a:{}}},list:[{a:{}}],text:string}" in features_of("T", arguments, None, "")
    assert call_text("T", None, arguments).startswith("T deep: {a: {a: …}}, list: [{a: …}, {a: …}, {a: …}], text: xxx")


def test_keys_do_not_change() -> None:
    """They are stored: another number for the same feature would lose what was counted."""
    assert key_of("program:git") == 1 + int.from_bytes(b"program:git\1", "little") % ((1 << 61) - 1) % 0xFFFFFFFE


def test_numbers_and_signs_are_left_out() -> None:
    one = error_words("Exit code 2\nline 12: unexpected token `)' near 0x1f", 2, "bash")
    other = error_words("Exit code 2\nline 99: unexpected token `)' near 0xff", 2, "bash")
    assert one - {"x", "f", "near x"} <= other | {"xf", "near xf"}
    assert {"unexpected", "unexpected token", "=exit 2", "=program bash"} <= one


def test_a_silent_failure_is_known_by_its_exit_code_and_program() -> None:
    for error in ("", "Exit code 49", "Error: Exit code 49\n"):
        assert error_words(error, 49, "python") == {"=exit 49", "=program python", "=silent"}


def test_the_line_of_the_exit_code_makes_no_difference() -> None:
    assert error_words("Exit code 2\nno such option", 2, "x") == error_words("no such option", 2, "x")


def test_the_ends_of_a_long_error_count() -> None:
    found = error_words("begin " + "middle " * 9_000 + "finish", None, "")
    assert {"begin", "finish"} <= found


@given(st.text(max_size=300))
def test_any_error_has_words(error: str) -> None:
    assert error_words(error, None, "") and len(error_words(error, 1, "x")) <= 405
