"""What counts as the advice of an error."""

from lessons.capture.wording.error import proposal
from lessons.failure.telling_line import lines_of
from tests.tables import table


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
