"""The output of programs, without what was added around it."""

import time

from hypothesis import given
from hypothesis import strategies as st

from lessons.failure.error_text import LONGEST_ERROR, clean, fingerprint, innermost, one_line, signature, telling_line
from tests.tables import table


@table(
    "text",
    ["Errors were found", "Exit codes are listed below", "[2 files] changed", "a\x00b", "Error handling failed"],
)
def test_words_stay(text: str) -> None:
    assert clean(text) == text


@table(
    ("error", "text"),
    [
        ("", ""),
        ("Error", ""),
        ("Exit code 1", ""),
        ("Exit code 128\nfatal: no", "fatal: no"),
        ("Exit code -1\n\n", ""),
        ("Error: Exit code 2\nusage: x", "usage: x"),
        ("<tool_use_error>Blocked</tool_use_error>", "Blocked"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("[2mdim[22m", "dim"),
        ("\x1b]8;;https://example.com\x07link\x1b]8;;\x07", "link"),
        ("Exit code 1\r\nfirst\r\nsecond", "first\nsecond"),
        ("Rebasing (1/2)\rRebasing (2/2)\rdone", "Rebasing (1/2)\nRebasing (2/2)\ndone"),
    ],
)
def test_what_was_put_around_it_goes(error: str, text: str) -> None:
    assert clean(error) == text


@given(st.text(max_size=9000))
def test_any_text(error: str) -> None:
    assert len(clean(error)) <= LONGEST_ERROR
    assert clean(error) == clean(error).strip()
    assert "\n" not in one_line(error) and one_line(error).isprintable()


LAYERED_LINES = "lampd: cannot light the room: cannot start the bulb: cannot open the socket: "


@table(
    "line",
    [
        "",
        "lamp: a short error: of a: few layers",
        "a very long sentence without any layer that says at length what is wrong with this lamp",
        "lamp: one layer, and then a very long sentence that says at length what is wrong with it",
        f'"{LAYERED_LINES}" was said by somebody else, and quoted texts are no layers of an error',
        "x" * 5000,
    ],
)
def test_unchanged(line: str) -> None:
    assert innermost(line, 60) == line


@table(
    ("line", "longest", "kept"),
    [
        (
            f"{LAYERED_LINES}exec of lux: no such program here",
            60,
            "cannot open the socket: exec of lux: no such program here",
        ),
        (f"{LAYERED_LINES}exec of lux: no such program here", 40, "exec of lux: no such program here"),
        # A few words alone say too little, and what is too long is not cut here.
        (f"{LAYERED_LINES}the exec of lux: unknown", 10, "the exec of lux: unknown"),
        (f"{LAYERED_LINES}" + "word " * 40, 60, ("word " * 40)),
        (LAYERED_LINES * 100 + "exec of lux: no such program here", 40, "exec of lux: no such program here"),
    ],
)
def test_outer_layers_are_left_out(line: str, longest: int, kept: str) -> None:
    assert innermost(line, longest) == kept


LAYERS = "".join(f"cannot light the room number {number}: " for number in range(30))


@table(
    ("error", "line"),
    [
        ("", ""),
        ("Exit code 1", ""),
        ("error: cannot dim it " + "and " * 200, ("error: cannot dim it " + "and " * 200)[:500]),
        ("Exit code 1\n\n$ tsc\nwarning: old\nerror: real one here\nerror: another", "error: real one here"),
        ("npm warn Unknown setting x\nTypeError: it is not a function", "TypeError: it is not a function"),
        ('Traceback:\n  File "a.py", line 1\nKeyError: no such key', "KeyError: no such key"),
        ("tool: Invalid request.\n\nFor 'a', \"true\" is not a boolean.", "For 'a', \"true\" is not a boolean."),
        ("srw-rw-rw- 1 a staff 0 Jan 1 10:00 error.sock\nNo identities here.", "No identities here."),
        ("total 8\ndrwxr-xr-x@ 3 a staff 96 Jan 1 10:00 missing", ""),
        (
            "** WARNING: connection is not using a post-quantum key exchange.\nPermission denied here (publickey).",
            "Permission denied here (publickey).",
        ),
        ("│ No such lamp is in here │\n╰───╯", "No such lamp is in here"),
        (
            "It would have printed the following content:\n ···· │ x\n  161   162 │ - );\n  163       │ + };",
            "It would have printed the following content:",
        ),
        ('{"errors":[{"message":"Field \\"a\\" is unknown here"}]}', 'Field "a" is unknown here'),
        ("error: would be overwritten:\n\ta.json\nAborting", "error: would be overwritten: a.json"),
        (
            "npm error code EUSAGE\nnpm error\nnpm error `npm ci` can only install with a lock file.",
            "npm error `npm ci` can only install with a lock file.",
        ),
        ("npm error code ENOENT\nnpm error path /a/b\nnpm error Could not read it", "npm error Could not read it"),
        (
            "FAILURE: Build failed with an exception.\n\n* What went wrong:\nTask 'bild' not found in project.",
            "Task 'bild' not found in project.",
        ),
        (
            "At line:1 char:9\n+ lamp on && lamp dim\n+         ~~\n"
            "The token '&&' is not a valid statement separator in this version.\n"
            "    + CategoryInfo          : ParserError: (:) [], ParentContainsErrorRecordException",
            "The token '&&' is not a valid statement separator in this version.",
        ),
        ("╷\n│ Error: No value for the variable\n│ \n│   on a.tf line 3:\n╵", "Error: No value for the variable"),
    ],
)
def test_the_telling_line(error: str, line: str) -> None:
    assert telling_line(error) == line


def test_a_long_line_ends_with_its_innermost_layer() -> None:
    line = telling_line(f"error: {LAYERS}the bulb of it is broken")
    assert line.startswith("cannot light the room number 1") and len(line) <= 500
    assert line.endswith(": the bulb of it is broken")


@table(
    ("first", "second"),
    [
        ("fatal: not a git repository", "fatal: refusing to merge unrelated histories"),
        ("a.ts(1,2): error TS2304: Cannot find name 'x'.", "a.ts(1,2): error TS2345: Cannot find name 'x'."),
        ("npm ERR! code E404\nnpm ERR! 404 Not Found", "npm ERR! code ERESOLVE\nnpm ERR! unable to resolve"),
        ("error: unknown option '--foo'", "error: unknown option '--bar'"),
        ("bash: line 1: rg: command not found", "bash: line 1: fd: command not found"),
        ("gh: Not Found (HTTP 404)", "gh: Not Found (HTTP 500)"),
        ("KeyError: 'a'", "ValueError: 'a'"),
        ('{"code":"NOT_FOUND"} error', '{"code":"FORBIDDEN"} error'),
        ("Exit code 1\nwrong file", "Exit code 1\nwrong folder"),
    ],
)
def test_different_mistakes_differ(first: str, second: str) -> None:
    assert fingerprint(first) != fingerprint(second)


@table("text", ["", " \n\t", "Exit code 1", "Error: Exit code 127\n\n", "\x1b[0m"])
def test_no_text_has_no_fingerprint(text: str) -> None:
    assert fingerprint(text) == ""


@table(
    ("error", "wanted"),
    [
        ("Exit code 128\nfatal: pathspec 'a/b.py' did not match", "fatal: pathspec <name> did not match"),
        ("\x1b[31merror\x1b[0m: no such column", "error: no such column"),
        ("ls: /home/a/x y: No such file or directory", "ls: <path> y: No such file or directory"),
        ("rm: notes.txt: No such file or directory", "rm: <path>: No such file or directory"),
        (r"cannot open C:\Users\a\b.txt now", "cannot open <path> now"),
        ("error: could not apply 1a2b3c4... a change", "error: could not apply <hex>... a change"),
        ("no task 0x7ffe12 in 550e8400-e29b-41d4-a716-446655440000", "no task <hex> in <hex>"),
        ("error: cannot fetch https://a.b/c?d=1", "error: cannot fetch <url>"),
        ("zsh: no matches found: .[dev,docs]", "zsh: no matches found: <glob>"),
        ("(eval):1: no matches found: a/b?c=1", "(eval):<n>: no matches found: <glob>"),
        ("error: 1Password agent is not there", "error: 1Password agent is not there"),
        ("invalid version v1.2.3-rc.1, wanted 2.0", "invalid version <n>, wanted <n>"),
        ("timed out after 1m58s at 12:03:04", "timed out after <n> at <n>"),
        ("cannot use “a” and ‘b’ and `c` here", "cannot use <name> and <name> and <name> here"),
        ("can't open it, don't ask for 'x'", "can't open it, don't ask for <name>"),
        ("unexpected arguments: a.py, b.py c.py here", "unexpected arguments: <path> here"),
        ("mkdir failed at tmp.x91Zk in the end", "mkdir failed at <name> in the end"),
        ("<tool_use_error>File does not exist.</tool_use_error>", "File does not exist."),
        ("Compiling one\nCompiling two\nerror[E0425]: cannot find value `x`", "error[E0425]: cannot find value <name>"),
        ("> app@1.0.0 build\n> tsc\n\nerror: no inputs were found here", "error: no inputs were found here"),
        ("error: broken:\n  in two", "error: broken: in two"),
        ("1 | raise ValueError('error: x')\nunable to read all of it", "unable to read all of it"),
        ("first line\nsecond line of many words", "second line of many words"),
        (
            'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    error: 1\n'
            "pkg.OddError: no value for 'x'\nlast words",
            "pkg.OddError: no value for <name>",
        ),
    ],
)
def test_the_signature_is(error: str, wanted: str) -> None:
    assert signature(error) == wanted


number = st.integers(0, 10**9).map(str)
name = st.from_regex(r"[a-z][a-z_]{0,15}", fullmatch=True)
path = st.lists(name, min_size=1, max_size=5).map(lambda names: "/" + "/".join(names))


@given(number, number, name, name, path, path)
def test_numbers_names_and_paths_change_nothing(n: str, m: str, a: str, b: str, p: str, q: str) -> None:
    def error(number: str, name: str, path: str) -> str:
        return f"Exit code {number}\n{path}:{number}: cannot import '{name}' from {path}.py after {number} ms"

    assert fingerprint(error(n, a, p)) == fingerprint(error(m, b, q))


@given(st.text() | st.lists(st.sampled_from([*"'\"`/.:\n -1aE<>\x1b[", "error", "tmp", "://", "  File "])).map("".join))
def test_no_text_raises_and_the_result_is_short(text: str) -> None:
    for error in (text, "Traceback (most recent call last)\n" + text, "error:" + text):
        found = signature(error)
        assert len(found) <= 200 and "\n" not in found
        assert fingerprint(error) == fingerprint(error)
        assert len(fingerprint(error)) == (16 if found else 0)


@table("piece", ["a", "/", "'", "a/", "1.", "<", "-", "f", "x:", " ", "1 |", "\x1b[", "tmp", "\n", "İ"])
def test_hostile_text_is_quick(piece: str) -> None:
    start = time.process_time()
    for _ in range(20):
        fingerprint("error: " + piece * 1_000_000)
    assert time.process_time() - start < 1
