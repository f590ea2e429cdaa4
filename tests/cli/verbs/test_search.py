"""`lessons search`: what is found, and how it is shown."""

import json

import pytest

from lessons.cli.verbs.search import excerpt, pattern_of
from tests.builders.transcript import Session
from tests.cli.command_line import COLUMNS, CommandLine, finish, plain, widest
from tests.tables import table

SHOP = "/home/somebody/shop"
LONG = "echo " + "very long words before it " * 10 + "needle " + "and many more after it " * 10


@pytest.fixture
def read(lessons: CommandLine) -> CommandLine:
    """A home that has read one session."""
    session = Session("s1", SHOP)
    session.prompt("Please push\x1b[2J it, and never with\tforce")
    session.result(session.call("Bash", {"command": "git push --no-verify"}), "Exit code 128\nfatal: no", error=True)
    session.result(session.call("Bash", {"command": LONG}), "done")
    session.result(session.call("Write", {"file_path": f"{SHOP}/写/needle.py", "content": "x"}), "done")
    session.write(lessons.work / "projects")
    lessons.ok("scan", "--path", str(lessons.work / "projects"))
    return lessons


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--", "--", "*"], 1, "`--`, `*` has no letter or digit: give a word to search for."),
        ([""], 1, "The search has no letter or digit: give a word to search for."),
        (["--failed", "--outcome", "ok", "x"], 1, "--failed and --outcome ok cannot be used together"),
        (["--no-verify"], 2, "No such option"),
        (["--kinds", "x"], 2, "Did you mean '--kind'?"),
        (["--sinc"], 2, "Did you mean '--since'?"),
        (["x", "--outcome", "bad"], 2, "interrupted"),
        (["x", "--kind", "bad"], 2, "prompt"),
        (["x", "--limit", "0"], 2, "--limit"),
        (["x", "--since", "soon"], 2, "'soon' is not a date: write one such as 2026-09-01"),
        (["x", "--since", "7y"], 2, "'7y' is not a duration"),
    ],
)
def test_what_is_refused(arguments: list[str], code: int, sentence: str, read: CommandLine) -> None:
    assert sentence in read.refused("search", *arguments, code=code).replace("\n", " ")


def test_without_a_history(lessons: CommandLine) -> None:
    assert "run `lessons scan` first" in lessons.refused("search", "x")


@pytest.mark.parametrize(
    ("arguments", "kinds"),
    [
        (["nowhere"], []),
        (["--", "--no-verify"], ["call"]),
        (["git push"], ["call"]),
        (["push"], ["call", "prompt"]),
        (["push", "--kind", "prompt"], ["prompt"]),
        (["push", "--outcome", "failed"], ["call"]),
        (["--failed"], ["call"]),
        (["--failed", "--kind", "error"], ["error"]),
        (["push", "--project", "shop"], ["call", "prompt"]),
        (["push", "--project", "~/shop"], []),
        (["push", "--project", "."], []),
        (["push", "--project", "/home/somebody"], ["call", "prompt"]),
        (["push", "--session", Session("s1").id[:4]], ["call", "prompt"]),
        (["--tool", "write"], ["call"]),
        (["push", "--since", "2026-09-01"], ["call", "prompt"]),
        (["push", "--since", "2026-09-02T00:00+00:00"], []),
        (["push", "--since", "500w"], ["call", "prompt"]),
        (["push", "--limit", "1"], ["call"]),
        (["push", "AND", "--"], ["prompt"]),
    ],
)
def test_filters(arguments: list[str], kinds: list[str], read: CommandLine) -> None:
    results = json.loads(read("search", "--json", *arguments).out)
    assert [hit["kind"] for hit in results["results"]] == kinds
    assert results["total"] >= len(kinds)


def test_a_result_as_json(read: CommandLine) -> None:
    (hit,) = read.json("search", "--failed")["results"]
    keys = "kind time session agentId project tool program outcome exitCode text toolUseId uuid file error command"
    assert list(hit) == keys.split()
    assert (hit["error"], hit["command"]) == ("Exit code 128\nfatal: no", None)
    (hit,) = read.json("search", "--failed", "--kind", "error")["results"]
    assert (hit["error"], hit["command"]) == (None, "git push --no-verify")
    assert (hit["session"], hit["project"], hit["exitCode"]) == (Session("s1").id, SHOP, 128)


def test_in_a_pipe(read: CommandLine) -> None:
    (row,) = read.ok("search", "git push").splitlines()
    about = ["call", "Bash", "failed (128)", SHOP, Session("s1").id, "git push --no-verify", "fatal: no"]
    assert row.split("\t")[1:] == about
    (row,) = read.ok("search", "fatal", "--kind", "error").splitlines()
    assert row.split("\t")[6:] == ["Exit code 128 fatal: no", "git push --no-verify"]
    (row,) = read.ok("search", "push", "--kind", "prompt").splitlines()
    assert row.count("\t") == 7
    assert "\x1b" not in row
    ended = read("search", "nowhere")
    assert (ended.code, ended.out) == (0, "")
    assert "No match." in ended.error


def test_on_a_terminal(read: CommandLine) -> None:
    lines = read.screen("search", "needle*")
    assert widest(lines) <= COLUMNS
    assert any("…" in line and "needle" in line for line in lines)
    assert any("写/needle.py" in line for line in lines)
    first = read.screen("search", "git push")
    assert first[0].split() == ["1", "2026-09-01", "08:00", "shop", "Bash", "failed", "(128)", Session("s1").id[:8]]
    assert first[1] == "    git push --no-verify"
    more = read.screen("search", "push", "--limit", "1")
    assert more[-1] == "1 of 2: use --limit for more, or a filter for fewer."


def test_the_words_stand_out(read: CommandLine) -> None:
    terminal = read.terminal("search", "--", "--no-verify")
    terminal.expect_exact("git push --")
    terminal.expect_exact("\x1b[1;33mno-verify")
    assert finish(terminal)[0] == 0
    terminal = read.terminal("search", "force")
    terminal.expect_exact("\x1b[1;33mforce")
    _, rest = finish(terminal)
    assert plain("".join(rest)).strip() == ""


@table(
    ("words", "text", "expected"),
    [
        (["push"], "depush", []),
        (["***", ""], "*** all", []),
        (["push", "pu*"], "Push, pull", ["Push", "pu"]),
        (["no_verify"], "git --no-verify", ["no-verify"]),
    ],
)
def test_the_words_that_stand_out(words: list[str], text: str, expected: list[str]) -> None:
    pattern = pattern_of(words)
    assert (pattern.findall(text) if pattern else []) == expected


@table(
    ("text", "expected"),
    [
        ("", ""),
        ("nothing\nof it", "nothing …"),
        ("Exit code 2\nno such thing", "no such thing"),
        ("first\n\n  the  needle  here ", "the needle here"),
        ("x " * 30 + "needle", "…x x needle"),
    ],
)
def test_excerpts(text: str, expected: str) -> None:
    assert excerpt(text, pattern_of(["needle"]), 20) == expected


def test_an_option_that_is_not_alike_is_not_suggested(read: CommandLine) -> None:
    assert "Did you mean" not in read.refused("list", "--since", "7d", code=2)


def test_a_command_on_several_lines_is_shown_with_its_beginning() -> None:
    assert excerpt("cp a \\\n  --force b\nls", pattern_of(["force"]), 60) == "cp a --force b …"
