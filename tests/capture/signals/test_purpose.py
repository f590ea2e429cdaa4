"""A call for something else: first what has the same purpose."""

from lessons.capture.signals.purpose import is_another_purpose
from tests.builders.steps import Case, failed, ran
from tests.tables import table

SAME = [
    Case(failed("gh api repos/a/b/pulls/7/coments"), ran("gh api repos/a/b/pulls/7/comments")),
    Case(failed("gh api repos/a/replies -f body=x"), ran("gh api repos/a/7/replies -f body=x")),
    Case(failed("gh api repos/a -f page=2"), ran("gh api repos/a?page=2")),  # a field made it a POST by accident
    Case(failed("gh api repos/a -f page=2"), ran("gh api -X GET repos/a -f page=2")),
    Case(failed("git stash lst"), ran("git stash list"), kind="wrong-command"),
    Case(failed("git log --no-stat"), ran("git log")),
    Case(failed("git stash pop 3"), ran("git stash pop stash@{3}")),
    Case(failed("lamp on"), ran("lux list")),  # another program: other signals compare these
    Case(failed("npm test"), ran("npm test")),
]
OTHER = [
    Case(failed("gh api repos/a/pulls/comments/7/replies -f body=x"), ran("gh api repos/a/pulls/7/comments")),
    Case(failed("curl -X POST https://a.test/orders/new -d {}"), ran("curl https://a.test/orders")),
    Case(failed("gh api repos/a/b/labels/x"), ran("gh api repos/a/b/labels -f name=x")),
    Case(failed("git stash pop"), ran("git stash list")),
    Case(failed("lamp sync a"), ran("lamp sync a --dry-run")),
]


@table("case", SAME)
def test_the_same_purpose(case: Case) -> None:
    assert not is_another_purpose(case.pair())


@table("case", OTHER)
def test_another_purpose(case: Case) -> None:
    assert is_another_purpose(case.pair())
