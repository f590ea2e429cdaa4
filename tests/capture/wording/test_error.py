"""What counts as the advice of an error."""

<<<<<<< HEAD
import pytest

from lessons.capture.wording.error import proposal
from lessons.failure.telling_line import lines_of
=======
from lessons.capture.wording.error import lines_of, missing_program, proposal, telling_line
from tests.tables import table


@table(
    ("error", "line"),
    [
        ("", ""),
        ("Exit code 1", ""),
        ("Exit code 1\n\n$ tsc\nwarning: old\nerror: real one here\nerror: another", "error: real one here"),
        ("npm warn Unknown setting x\nTypeError: it is not a function", "TypeError: it is not a function"),
        ('Traceback:\n  File "a.py", line 1\nKeyError: no such key', "KeyError: no such key"),
        ("tool: Invalid request.\n\nFor 'a', \"true\" is not a boolean.", "For 'a', \"true\" is not a boolean."),
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
        ("╷\n│ Error: No value for the variable\n│ \n│   on a.tf line 3:\n╵", "Error: No value for the variable"),
    ],
)
def test_the_telling_line(error: str, line: str) -> None:
    assert telling_line(lines_of(error), 200) == line
>>>>>>> 9c68a22 (Group the cases of tests/capture into tables)


@table(
    "error",
    [
        "For more information, try '--help'.",
        "To skip this check (not recommended), use: commit --no-verify",
        "error: could not apply 123... docs: add a page",
        "fatal: the user list is used elsewhere",
        '(use "git add" to track)',
        "hint: Use -f if you really want to add them.",
        "You can pass --force to push anyway",
        "or install it at the risk of breaking it, use --break-system-packages",
    ],
)
def test_no_advice(error: str) -> None:
    assert proposal(lines_of(error), 100) == ("", "")


@table(
    ("error", "found"),
    [
        ("unknown command. Did you mean 'status'?", ("meant", "status")),
        ("unknown option --nme. Did you mean --name?", ("meant", "--name")),
        ("Too long (31 KB). Please use offset and limit.", ("advice", "Please use offset and limit.")),
        ("To fix this, run:\n\n    make gen", ("advice", "To fix this, run: make gen")),
        ("several found; rerun or pass --id", ("advice", "several found; rerun or pass --id")),
    ],
)
def test_what_the_error_proposes(error: str, found: tuple[str, str]) -> None:
    assert proposal(lines_of(error), 100) == found
<<<<<<< HEAD
=======


@table("line", ["page not found", "error: 404: not found here", "file a: no such file"])
def test_no_missing_program(line: str) -> None:
    assert missing_program(line) == ""
>>>>>>> 9c68a22 (Group the cases of tests/capture into tables)
