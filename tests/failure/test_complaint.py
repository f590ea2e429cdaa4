"""What an error complains about: first what must not be read into it."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.failure.complaint import (
    complained_texts,
    complains_about,
    is_about_files,
    is_said_by_shell,
    missing_programs,
    wrong_options,
)
from tests.tables import table

USAGE = "usage: lamp glow [<options>]\n  -q, --[no-]quiet  say less\n  --warm  with warm light\n  --depth <n>"


@table(
    ("options", "error"),
    [
        ([], "unknown option --stat"),
        (["--stat"], ""),
        (["--stat"], "3 files changed, see --stat"),  # nothing is wrong with it
        (["--stat"], "unknown option --statistics"),
        (["-q"], "lamp: cannot read quilt"),
        (["--quiet", "--no-quiet", "--warm"], USAGE),  # all of them are known
        (["--one", "--two"], USAGE),  # nobody can tell which
        (["--one"], "usage: lamp glow"),  # the usage names too little
        (["--json"], 'Unknown JSON field: "mergable"'),  # they are about what the option was given
        (["--type"], "lamp: unrecognized file type: tsx"),
    ],
)
def test_no_option_is_wrong(options: list[str], error: str) -> None:
    assert wrong_options(options, error) == []


@table(
    ("options", "error", "wrong"),
    [
        (["--stat", "-q"], "error: unknown flag: --stat", ["--stat"]),
        (["--dry-run"], "error: unknown option `dry-run'", ["--dry-run"]),
        (["-C"], "error: unexpected argument '-C' found", ["-C"]),
        (["-A"], "cat: invalid option -- 'A'", ["-A"]),
        (["--no-stat", "--warm"], USAGE, ["--no-stat"]),
        (["-Xms"], "Unrecognized option: -Xms", ["-Xms"]),
    ],
)
def test_the_wrong_option(options: list[str], error: str, wrong: list[str]) -> None:
    assert wrong_options(options, error) == wrong


@table(
    ("word", "error", "expected"),
    [
        ("glow", "the lamp can glow", False),
        ("glow", "glowing is not possible", False),
        ("glow", "unknown command 'glow'", True),
        ("glow", "fine\ncannot glow\nfine", True),
    ],
)
def test_a_word_in_a_line_that_complains(word: str, error: str, expected: bool) -> None:
    assert complains_about(word, error) is expected


def test_quoted_texts_and_announced_lines() -> None:
    assert list(complained_texts("all is 'well'")) == []
    assert list(complained_texts("fatal: pathspec 'a/b.txt' did not match any files")) == ["a/b.txt"]
    ignored = "The following paths are ignored by one of your .gitignore files:\ndist\nout/\n hint: x"
    assert list(complained_texts(ignored))[:2] == ["dist", "out"]


@table(
    ("line", "files"),
    [
        ("lamp: no bulb", False),
        ("gh: Not Found (HTTP 404)", False),
        ("cat: a.txt: No such file or directory", True),
        ("fatal: pathspec 'a' did not match any files", True),
    ],
)
def test_what_a_line_is_about(line: str, files: bool) -> None:
    assert is_about_files(line) is files


@given(st.lists(st.text(max_size=12), max_size=6), st.text(max_size=300))
def test_any_text(options: list[str], error: str) -> None:
    wrong_options(options, error)
    list(complained_texts(error))
    is_about_files(error)
    assert all(len(text) <= len(error) for text in complained_texts(error))


@table(
    "line",
    [
        "zsh: command not found: rg",
        "(eval):1: command not found: rg",
        "bash: line 1: rg: command not found",
        "/bin/sh: 1: rg: not found",
        "sh: rg: not found",
        "rg: command not found",
        "fish: Unknown command: rg",
        "'rg' is not recognized as an internal or external command,",
        "The term 'rg' is not recognized as the name of a cmdlet, function, script file, or operable program.",
        'exec: "rg": executable file not found in $PATH',
        "env: ‘rg’: No such file or directory",
        "/usr/bin/env: 'rg': No such file or directory",
        "xargs: rg: No such file or directory",
        "nohup: failed to run command 'rg': No such file or directory",
        "The command 'rg' could not be found",
        "Command 'rg' not found, but can be installed with:",
        "Error: spawn rg ENOENT",
    ],
)
def test_missing_programs(line: str) -> None:
    assert missing_programs(f"Exit code 127\n{line}\nit went on") == {"rg"}


@table("keyword", ["do", "fi", "in"])
def test_a_keyword_is_no_program(keyword: str) -> None:
    assert missing_programs(f"bash: line 1: {keyword}: command not found") == set()


def test_a_program_may_begin_like_a_keyword() -> None:
    assert missing_programs("bash: line 1: do-it: command not found") == {"do-it"}


@table(("line", "by_shell"), [("rg: command not found", False), ("sh: rg: not found", True)])
def test_what_a_shell_says(line: str, by_shell: bool) -> None:
    assert is_said_by_shell(line) is by_shell


@table(
    "line",
    [
        'exec: "--rm": executable file not found in $PATH',
        "fish: Unknown command: do",
        "/bin/sh: 3: done: not found",
        "zsh: command not found: then",
        "page not found",
        "error: 404: not found here",
        "file a: no such file",
        "cat: a: No such file or directory",
    ],
)
def test_no_missing_program(line: str) -> None:
    assert missing_programs(line) == set()
