"""Another tool of the agent did it."""

from lessons.capture.signals.tool import change
from lessons.episode import Change
from tests.builders.steps import Case, failed, ran, used
from tests.tables import table

GLOB = used("Glob", pattern="docs/**/*.md")
UPLOAD = used("mcp__web__upload", outcome="failed", paths=["/srv/shop/a.txt"])
QUIET = [
    Case(failed("ls docs/*.md"), ran("ls docs")),  # the same tool
    Case(failed("git add docs/plan.md"), used("Read", "docs/plan.md")),  # who reads wants to know why
    Case(failed("npm test docs"), GLOB),
    Case(failed("ls docs/*.md"), used("Glob", pattern="src/*.py")),  # about another thing
    Case(failed("ls docs/*.md"), GLOB, between=[ran("pwd")]),  # not right behind
    Case(failed("ls docs/*.md"), used("Edit", "docs/plan.md")),
    Case(UPLOAD, used("mcp__web__get_page", path="/srv/shop/a.txt")),  # looks, and cannot stand for an upload
    Case(UPLOAD, used("mcp__mail__send", path="/srv/shop/a.txt")),  # another server
    Case(UPLOAD, ran("cat /srv/shop/a.txt")),
]
FIRES = [
    Case(failed("ls docs/*.md"), GLOB, Change("other-tool", "Bash", "Glob")),
    Case(failed("cat docs/plan.md"), used("Read", "/srv/shop/docs/plan.md"), Change("other-tool", "Bash", "Read")),
    Case(
        UPLOAD,
        used("mcp__web__run_code", code="choose('/srv/shop/a.txt')"),
        Change("other-tool", "mcp__web__upload", "mcp__web__run_code"),
    ),
]


@table("case", QUIET)
def test_stays_quiet(case: Case) -> None:
    assert change(case.pair()) is None


@table("case", FIRES)
def test_fires(case: Case) -> None:
    assert change(case.pair()) == case.expected
