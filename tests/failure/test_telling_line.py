"""Which line of an error says what was wrong."""

from lessons.failure.telling_line import telling_line
from tests.tables import table

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
