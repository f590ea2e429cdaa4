"""Patterns and texts that are templates, descriptions or bare words: first what is none of these."""

from lessons.promote.intake import normalise
from lessons.promote.trigger_rules import anchored, bare_word_warnings, find_placeholder, is_prose
from tests.tables import table


def record(pattern: object) -> dict[str, object]:
    return {"summary": "x", "triggers": {"toolNames": ["Bash"], "commandPatterns": [pattern]}}


@table(
    "pattern",
    [
        "",
        "git stash",
        r"\btsc\b",
        "^tsc",
        "--force",
        "-x",
        "x-",
        "tsc.*",
        "a|b",
        "é",
        "tsc ",
        "/tsc",
        7,
        None,
        [],
        "a.b",
    ],
)
def test_what_is_no_bare_word_stays(pattern: object) -> None:
    assert anchored(record(pattern)) == record(pattern)
    assert list(bare_word_warnings(record(pattern))) == []


@table("document", [{}, {"triggers": None}, {"triggers": "tsc"}, {"triggers": {"commandPatterns": "tsc"}}])
def test_anything_may_stand_in_a_record(document: dict[str, object]) -> None:
    assert anchored(document) == document
    assert list(bare_word_warnings(document)) == []


@table("pattern", ["tsc", "a", "docker-compose", "py3", "x_y"])
def test_a_bare_word_becomes_a_word_of_its_own(pattern: str) -> None:
    stored = rf"\b{pattern}\b"
    assert anchored(record(pattern)) == record(stored)
    assert normalise(record(pattern))["triggers"] == normalise(record(stored))["triggers"]
    [warning] = bare_word_warnings(record(pattern))
    assert warning == (
        f"The command pattern '{pattern}' is a bare word and is stored as '{stored}'."
        f" To match the program alone, use '^{pattern}\\b' with --match-on invocation."
    )


def test_at_the_start_of_a_command_it_is_the_program_already() -> None:
    triggers = {"commandPatterns": ["rtk"], "matchOn": "invocation"}
    assert list(bare_word_warnings({"triggers": triggers})) == [
        r"The command pattern 'rtk' is a bare word and is stored as '\brtk\b'."
    ]


REAL_TEXTS = [
    "Run `git switch <branch>` before the rebase",
    "use `git switch <branch_name>`",
    "Name the file <name>.py and put it beside the others",
    "Vec<string> and Map<string, list> are not the same type",
    "`<div>` must be closed before `<span>` in this template",
    "In a workflow ${{ secrets.TOKEN }} is empty for forks",
    "docker ps --format {{.Names}} prints the names only",
    "Quote `{{ item }}` in YAML, or the parser sees a mapping",
    "A bare list [a, b] is copied, see [the guide](https://example.org) for more",
    "See [describe the error](https://example.org/x) in the handbook",
    "Leave no `[TODO]` in the code that is shipped",
    "if a < b and c > d then the comparison is chained",
    "Use array[index] and not array(index) in this language",
    "{command} is replaced by the command that was run",
]

TEMPLATES = [
    ("<what_went_wrong>", "<what_went_wrong>"),
    ("The tool failed because of <what went wrong> in the middle of the run", "<what went wrong>"),
    ("Use `<the_correction>` and go on with the rest of the work", "<the_correction>"),
    ("Apply <The Correction> and go on with the rest of the work", "<The Correction>"),
    ("{{ what_went_wrong }} and some more words after it", "{{ what_went_wrong }}"),
    ("Running {{tool name}} fails when the path has spaces", "{{tool name}}"),
    ("It fails because [describe the reason here]", "[describe the reason here]"),
    ("[TODO: write what the fix is] before the release", "[TODO: write what the fix is]"),
    ("[Insert the solution] and run the tests again", "[Insert the solution]"),
    ("<a short text about the error>", "<a short text about the error>"),
    ("Fix: <one_line_about_the_fix>", "<one_line_about_the_fix>"),
]


@table("text", REAL_TEXTS)
def test_a_real_text_is_no_template(text: str) -> None:
    assert find_placeholder(text) is None


@table(("text", "placeholder"), TEMPLATES)
def test_a_template_is_found(text: str, placeholder: str) -> None:
    assert find_placeholder(text) == placeholder


NO_PROSE = [
    *("", "pytest", "git commit", "npm run testing", "make building", r"git stash\b", "processing.py run"),
    *("ping example.com", "fping -a", "arping 10.0.0.1", "string x", "spring boot run", "king", "ring -x"),
    *(
        "building --all",
        "running -v",
        r"testing\s*--fast",
        "^(?:using|running) x",
        "**/testing/*.py",
        "src/testing/a.py",
    ),
]
PROSE = [
    *("running tests", "using pip install", "debugging", "Editing files in src/app", r"\brunning\b tests"),
    *("Running the tests, twice", "running `make`", "writing to /etc/hosts", r"^checking\s+out a branch$"),
]


@table("pattern", NO_PROSE)
def test_what_can_be_met(pattern: str) -> None:
    assert not is_prose(pattern)


@table("pattern", PROSE)
def test_what_describes(pattern: str) -> None:
    assert is_prose(pattern)
