"""The identical error again, and another one."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.failure.error_text import fingerprint
from lessons.failure.repeated import repeated_form
from tests.tables import table

DIFFERENT = [
    ("error: unknown option --foo", "error: unknown option --bar"),
    ("TypeError: x is not a function", "TypeError: y is not a function"),
    ("ModuleNotFoundError: No module named 'a'", "ModuleNotFoundError: No module named 'b'"),
    ("FAILED tests/a.py::test_one - assert False", "FAILED tests/a.py::test_two - assert False"),
    ("fatal: not a git repository", "fatal: bad revision"),
    ("Exit code 1\npermission denied", "Exit code 1\nno such file"),
    ("something odd happened", "something else happened"),
    ("cat: /a/conf.yml: No such file or directory", "cat: /a/readme.md: No such file or directory"),
    ("File C:\\a\\b.py not found", "File C:\\a\\c.py not found"),
    ("Error: Cannot find module './alpha'", "Error: Cannot find module './beta'"),
    (
        "npm error 404 Not Found - GET https://host.example/foo",
        "npm error 404 Not Found - GET https://host.example/bar",
    ),
    ("curl: (22) The requested URL returned error: 404", "curl: (22) The requested URL returned error: 500"),
    ("error: status=404", "error: status=500"),
    ("5 failed, 4 passed in 0.2s", "3 failed, 6 passed in 0.2s"),
    ("3 failed", "1 failed"),
    ("FAILED tests/x.py::test_a - assert 1 == 2", "FAILED tests/y.py::test_a - assert 1 == 2"),
    ("FAILED tests/x.py::test_1 - assert False", "FAILED tests/x.py::test_2 - assert False"),
    ("a.ts(1,3): error TS2304: bad", "a.ts(1,3): error TS2345: bad"),
    ("error: expected f(3)", "error: expected f(4)"),
    ("error: no version 1.2.3 of it", "error: no version 1.2.4 of it"),
    ("connection refused: 127.0.0.1:8080", "connection refused: 127.0.0.1:3000"),
    ("connection refused: localhost:8080", "connection refused: localhost:3000"),
    ("error: port 8080 in use", "error: port 3000 in use"),
    ("cannot open /tmp/first.txt", "cannot open /tmp/second.txt"),
]
SAME = [
    ("Exit code 1\nerror: it broke", "Exit code 2\nerror: it broke"),
    ("error: it broke at 10:22:01.123", "error: it broke at 11:02:59.9"),
    ("2026-11-16T05:22:46Z error: it broke", "2026-11-17T15:00:00.120Z error: it broke"),
    ("cat: /tmp/a1/b.txt: No such file or directory", "cat: /var/b.txt: No such file or directory"),
    ("File C:\\a\\b.py not found", "File D:\\b.py not found"),
    ("error: object deadbeef1 is bad", "error: object 0123abcd is bad"),
    ("error at 0x7f59a154ed10", "error at 0x7FABCDEF0001"),
    ("error 123e4567-e89b-12d3-a456-426614174000 x", "error 00000000-e89b-12d3-a456-42661417ffff x"),
    ("a.py:12:5: error: bad thing", "a.py:140:15: error: bad thing"),
    ("1 failed, 3 passed in 0.12s", "1 failed, 3 passed in 950ms"),
    ("\x1b[31merror\x1b[0m: it broke", "error: it broke"),
    ("error: port 8080 in use by pid 77", "error: port 8080 in use by pid 1234"),
    ("collecting 10%\ncollecting 90%\nerror: it broke", "collecting 15%\nerror: it broke"),
    ("error: it broke\nerror: it broke", "error: it broke"),
    ("src/a.ts(1,3): error TS2304: bad", "src/a.ts(21,13): error TS2304: bad"),
    ("make: *** [Makefile:12: test] Error 1", "make: *** [Makefile:14: test] Error 1"),
    ('File "/a/b.py", line 12, in error', 'File "/a/b.py", line 140, in error'),
    ("error: took 3.5 seconds", "error: took 12 seconds"),
    ("error: cannot open /tmp/tmpab12cd", "error: cannot open /tmp/tmpzz9_kq"),
    ("error: cannot open /tmp/tmp.Xa8sKd9f2Q/x.o", "error: cannot open /tmp/tmp.ppQ1s8aa7B/x.o"),
    ("error: cannot open /tmp/cc8sKd9f.o", "error: cannot open /tmp/cc1pZx44.o"),
    ("sshd[77]: error: it broke", "sshd[1234]: error: it broke"),
    ("error: pid=77 is gone", "error: pid=1234 is gone"),
    ("x\r\nerror: it broke\r\n", "x\nerror: it broke\n"),
    ("noise\n" * 9000 + "error: it broke", "noise\n" * 5000 + "error: it broke"),
]


@table("error", ["", " \n\t", "Exit code 1", "Error: Exit code 127", "Exit code 1\n\n", "1 2 3", "…"])
def test_what_says_nothing_has_no_repeated_form(error: str) -> None:
    assert repeated_form(error) == ""


@table(("one", "other"), DIFFERENT)
def test_different_errors(one: str, other: str) -> None:
    assert repeated_form(one) != repeated_form(other)


@table(("one", "other"), SAME)
def test_the_same_error(one: str, other: str) -> None:
    """It is the same mistake for mining, too."""
    assert repeated_form(one) == repeated_form(other) != ""
    assert fingerprint(one) == fingerprint(other)


@given(st.text(), st.integers(0, 10**12), st.integers(0, 10**12))
def test_any_text(text: str, one: int, other: int) -> None:
    assert len(repeated_form(text)) <= 5 * 401
    assert repeated_form(f"error in line {one}: x {text}") == repeated_form(f"error in line {other}: x {text}")
