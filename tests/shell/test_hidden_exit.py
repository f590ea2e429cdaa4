"""Where a reported success may hide a failure, and which outputs look like one."""

import time

from hypothesis import given
from hypothesis import strategies as st

from lessons.failure.complaint import error_like
from lessons.shell.describe import hides_errors, hides_exit
from tests.tables import table


@table(
    "command",
    [
        "",
        "make",
        "make;",
        "make\n",
        "cd a && make && echo done",
        "cd a; export B=1; make",
        "echo 'a | tail' && make",
        'git commit -m "a | tail; true || b &"',
        "git commit -m \"$(cat <<'EOF'\na | b\nEOF\n)\"",
        "make 2>&1",
        "make &> log",
        "make > log 2>&1 && ls",
        "make # | tail",
        "[ -f a ] || make",
        "[[ -f a || -f b ]] && make",
        "echo '{}' | python hook.py",
        "cat a.json | python hook.py",
        "set -o pipefail; make | tail",
        "set -euo pipefail\nmake | tail\nmake install",
        "set -e\nmake\nmake install",
        "make; rc=$?; echo $rc; exit $rc",
        "make; exit",
        "make | tail; exit ${PIPESTATUS[0]}",
        "for x in a b; do make $x; done",
        "bash -c 'cd a && make'",
        "timeout 60 make",
    ],
)
def test_the_exit_status_is_that_of_the_work(command: str) -> None:
    assert not hides_exit(command)


@table(
    "command",
    [
        "make | tail -5",
        "make 2>&1 | tee log",
        "make |& grep error",
        "cd a && make 2>&1 | head",
        "(cd a && make) | less",
        "{ make; } 2>&1 | tail",
        "for x in a b; do make $x; done | tail",
        "cat a | jq .",
        "make || true",
        "make || echo failed",
        "make || :",
        "make; true",
        'make; echo "exit $?"',
        "make\necho done",
        "make; make install",
        "make; exit 0",
        "make | tail; exit $?",
        "make &",
        "make & sleep 5",
        "set -o pipefail; make | tail || true",
        "set -e; make | tail",
        "bash -c 'make | tail'",
        "sudo bash -c 'make || true'",
        "timeout 60 make | tail",
    ],
)
def test_the_exit_status_may_be_another(command: str) -> None:
    assert hides_exit(command)


@table(
    "output",
    [
        "",
        "ok",
        "0 errors",
        "Found 0 errors.",
        "no errors found",
        "Errors: 0",
        "error: 0",
        "tests/a.py::test_error_handling PASSED",
        "test_failed_login ... ok",
        "===== 12 passed, 1 warning in 0.5s =====",
        "===== 12 passed, 0 failed =====",
        "Tests: 12 passed, 12 total",
        "src/a.py:12: raise ValueError('error: no')",
        "src/a.py:12:error: no",
        "12:    error: string;",
        "    raise ValueError('x')",
        "  error: foo",
        "+Error: foo",
        "throw new Error('Error: foo');",
        'console.error("fatal: x")',
        "def error_like(output: str) -> bool:",
        "class NotFoundError(Exception): pass",
        "// Error handling: see below",
        "# error codes",
        "a1b2c3d fix: no such file error",
        "Compiling error v1.0\nFinished dev in 3s",
        "The command not found message is shown when it is missing",
        "exit 0",
        "Exit code 0",
        "src=1",
        "FAIL: 0",
        "Failed: 0",
        "error: item 3 failed\n 12 pass\n 0 fail\nRan 12 tests",
        "ValueError: expected by the test\n===== 3 passed in 1s =====",
        "Error: shown by a test\nTests:       3 skipped, 12 passed, 15 total",
        "x" * 3000 + "\nerror: in the middle of it\n" + "y" * 3000,
    ],
)
def test_no_failure(output: str) -> None:
    assert not error_like(output)


@table(
    "line",
    [
        "error: unknown option",
        "Error: cannot find module",
        "ERROR: Could not find a version",
        "fatal: not a git repository",
        "gcc: error: no input files",
        "gcc: fatal error: no input files",
        "error[E0425]: cannot find value",
        "a.c:12:3: error: expected ';'",
        "a.c:12:3: fatal error: x.h not there",
        "a.py:12: error: Incompatible types  [assignment]",
        "Traceback (most recent call last):",
        "ValueError: bad",
        "json.decoder.JSONDecodeError: Extra data",
        "java.lang.IllegalStateException: no",
        'Exception in thread "main" x',
        "npm ERR! code 1",
        "npm error code 1",
        " ERR_PNPM_NO_SCRIPT  Missing script",
        "zsh: command not found: foo",
        "bash: line 3: foo: command not found",
        "/bin/sh: 1: foo: not found",
        "(eval):1: no matches found: *.x",
        "cat: a b: No such file or directory",
        "ls: cannot access 'x': No such file or directory",
        "./run.sh: Permission denied",
        "cat: illegal option -- A",
        "gh: Not Found (HTTP 404)",
        "jq: error (at <stdin>:1): null",
        "panic: runtime error",
        "thread 'main' panicked at src/main.rs:2:5:",
        "src/a.ts(1,2): error TS2304: Cannot find name 'x'.",
        "src/a.ts:1:2 - error TS2304: Cannot find name 'x'.",
        "error TS5058: The path does not exist",
        "FAILED tests/a.py::test_b - assert 1 == 2",
        "ERROR tests/a.py::test_b",
        "FAIL src/a.test.ts",
        "--- FAIL: TestA (0.01s)",
        "FAIL\texample.com/a\t0.1s",
        "===== 1 failed, 2 passed in 1s =====",
        "Tests:       1 failed, 2 passed, 3 total",
        "test result: FAILED. 1 passed; 1 failed",
        "make: *** [all] Error 1",
        "Segmentation fault (core dumped)",
        "BUILD FAILED in 3s",
        "✖ 3 problems (3 errors, 0 warnings)",
        "exit: 1",
        "EXIT:127",
        "rc=2",
    ],
)
@table("around", ["{}", "Building\n{}\nDone", "{}\n" + "x\n" * 5000, "x\n" * 5000 + "{}"])
def test_reads_like_a_failure(line: str, around: str) -> None:
    assert error_like(around.format(line))


def test_a_failure_counts_though_other_tests_went_well() -> None:
    assert error_like("FAILED tests/a.py::test_b\ntest result: ok. 3 passed")


@given(
    st.text()
    | st.lists(st.sampled_from([*"a: \n/()'-=", "error", "FAIL", "exit", "No such file or directory"])).map("".join)
)
def test_no_text_raises(text: str) -> None:
    assert error_like(text) == error_like(text)
    assert hides_exit(text) == hides_exit(text)


@table("piece", ["a", "a: ", "a.", "/", "-", "=", "error", "Error", "\n", "1:", "(1,"])
def test_hostile_text_is_quick(piece: str) -> None:
    start = time.process_time()
    error_like("error" + piece * 1_000_000)
    hides_exit(piece * 1_000_000)
    assert time.process_time() - start < 1


@table(
    ("command", "hidden"),
    [
        ("docker ps | head", False),
        ("docker ps 2>/dev/null", False),
        ("docker ps 2>/dev/null && echo up", False),
        ("docker ps > /dev/null | head", False),
        ("docker ps 2>/dev/null | head", True),
        ("docker ps 2> /dev/null || echo down", True),
        ("docker ps &>/dev/null; echo done", True),
        ("docker ps >/dev/null 2>&1 || true", True),
        ("docker ps 2>&- | cat", True),
    ],
)
def test_where_neither_exit_code_nor_output_tells_of_a_failure(command: str, hidden: bool) -> None:
    assert hides_errors(command) is hidden
