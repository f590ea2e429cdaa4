"""Texts that may not be taken for a template come first, then the templates that must be found."""

from lessons.promote.trigger_rules import find_placeholder
from tests.tables import table

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
