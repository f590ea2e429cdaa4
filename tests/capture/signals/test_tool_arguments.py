"""Other arguments of the same tool."""

from lessons.capture.signals.tool_arguments import change
from lessons.episode import Change, Step
from tests.builders.steps import Case, failed, ran, used
from tests.tables import table


def other(before: str, after: str) -> Change:
    return Change("wrong-arguments", before, after)


def query(text: str, error: str = "") -> Step:
    return used("mcp__data__query", outcome="failed" if error else "ok", error=error, sql=text)


QUIET = [
    Case(used("mcp__web__click", outcome="failed", ref="e1"), used("mcp__web__click", ref="e1")),
    Case(used("mcp__web__click", outcome="failed", ref="e1"), used("mcp__web__open", ref="e2")),
    Case(used("mcp__web__get", outcome="failed", number=5), used("mcp__web__get", number=6)),  # only another number
    Case(used("Read", "a/one.py", "failed"), used("Read", "a/two.py", file_path="a/two.py")),  # another file
    Case(query("select name from users", "no such table: users"), query("delete from orders where total = 0")),
    Case(failed("cat a"), ran("cat b")),  # a shell
    Case(used("Grep", outcome="failed", pattern="a"), ran("grep a")),
]
FIRES = [
    Case(
        used("mcp__web__upload", "/tmp/a.txt", "failed", "outside allowed roots", paths=["/tmp/a.txt"]),
        used("mcp__web__upload", "/srv/shop/a.txt", paths=["/srv/shop/a.txt"]),
        other("paths: /tmp/a.txt", "paths: /srv/shop/a.txt"),
    ),
    Case(
        used("mcp__data__list", outcome="failed", error="missing required field: limit", name="orders"),
        used("mcp__data__list", name="orders", limit=10),
        other("", "limit: 10"),
    ),
    Case(
        used("mcp__data__list", outcome="failed", error="unknown field: max", name="orders", max=10),
        used("mcp__data__list", name="orders", limit=10),
        other("max: 10", ""),  # the error names what was wrong
    ),
    Case(
        query("select name, price from products where active = yes order by name desc", "no such column: yes"),
        query("select name, price from products where active = true order by name desc"),
        other("sql: yes", "sql: true"),
    ),
    Case(
        used("Read", "src/pages/a.ts", "failed", "File does not exist.", file_path="src/pages/a.ts"),
        used("Read", "src/views/a.ts", file_path="src/views/a.ts"),
        other("file_path: src/pages/a.ts", "file_path: src/views/a.ts"),
    ),
]


@table("case", QUIET)
def test_stays_quiet(case: Case) -> None:
    assert change(case.pair()) is None


@table("case", FIRES)
def test_fires(case: Case) -> None:
    assert change(case.pair()) == case.expected
