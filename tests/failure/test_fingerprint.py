"""Which errors are the same mistake, whatever differs around them."""

import time

from hypothesis import given
from hypothesis import strategies as st

from lessons.failure.fingerprint import fingerprint, signature
from tests.tables import table


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
