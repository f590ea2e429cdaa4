"""How an error is quoted, and what counts as its advice."""

from lessons.capture.wording.error import proposal, spoken
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
        "npm error could not determine executable to run",
        'npm error Missing script: "lux"\nnpm error To see a list of scripts, run:\nnpm error   npm run',
        "lamp: there is nothing to add",
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
        (
            "To add a lamp, use 'lamp install',\n\tlike 'lamp install lux@1'",
            ("advice", "To add a lamp, use 'lamp install', like 'lamp install lux@1'"),
        ),
        ("several found; rerun or pass --id", ("advice", "several found; rerun or pass --id")),
        ("npm error Please run npm init", ("advice", "Please run npm init")),
        (
            "no newline allowed\nConsider enabling it with --multiline",
            ("advice", "Consider enabling it with --multiline"),
        ),
        (
            "Instead change the require of /srv/shop/src/lux/a.mjs to import()",
            ("advice", "Instead change the require of …/lux/a.mjs to import()"),
        ),
        ('Unknown JSON field: "lux"\nAvailable fields:\n  dim\n  glow\n  name', ("choices", "dim, glow, name")),
        ("error: invalid value 'lux'\n  [possible values: dim, glow]", ("choices", "dim, glow")),
        ("lamp: invalid choice: 'lux' (choose from 'dim', 'glow')", ("choices", "'dim', 'glow'")),
    ],
)
def test_what_the_error_proposes(error: str, found: tuple[str, str]) -> None:
    assert proposal(lines_of(error), 100) == found


@table(
    ("line", "quoted"),
    [
        ("error: the bulb is broken.", "the bulb is broken"),
        ("one sentence that is too long to be quoted as a whole here", "one sentence that is too long to be …"),
        ("cannot light it: cannot start it: cannot open it: the bulb is broken", "cannot open it: the bulb is broken"),
    ],
)
def test_the_quoted_error(line: str, quoted: str) -> None:
    assert spoken(line, 40) == quoted
