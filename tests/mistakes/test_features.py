"""Features are general, bounded, and the same for calls that share what they name."""

import json

from hypothesis import given
from hypothesis import strategies as st

from lessons.mistakes.features import features_of, key_of, keys_of, kind_of
from tests.tables import table

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


def test_keys_do_not_change() -> None:
    """They are stored: another number for the same feature would lose what was counted."""
    assert key_of("program:git") == 1 + int.from_bytes(b"program:git\1", "little") % ((1 << 61) - 1) % 0xFFFFFFFE
