"""The path of a call to a server, and whether it sends something."""

from lessons.shell.http_call import http_call
from tests.tables import table


@table("command", ["gh pr view 7", "curl", "gh api graphql -f query=x", "lamp list", "", "gh api --help"])
def test_what_is_no_call_or_does_not_tell(command: str) -> None:
    assert http_call(command.split()) is None


@table(
    ("command", "path", "sends"),
    [
        ("gh api repos/a/b/pulls/7/comments", "repos/a/b/pulls/7/comments", False),
        ("gh api repos/a/b?page=2 --jq .x", "repos/a/b", False),
        ("gh api -X GET repos/a -f page=2", "repos/a", False),
        ("gh api repos/a --method=head", "repos/a", False),
        ("gh api -H x repos/a", "repos/a", False),
        ("curl -s https://a.test/x", "https://a.test/x", False),
        ("curl -G https://a.test/x -d page=2", "https://a.test/x", False),
        ("curl -m 10 -A me https://a.test/x", "https://a.test/x", False),
        ("gh api --hostname h.test repos/a", "repos/a", False),
        ('curl -s -d {"a":1} https://a.test/x', "https://a.test/x", True),
        ("gh api repos/a/replies -f body=x", "repos/a/replies", True),
        ("gh api -X DELETE repos/a", "repos/a", True),
        ("glab api projects/7 --raw-field=name=x", "projects/7", True),
        ("gh api repos/a --input -", "repos/a", True),
        ("curl -XPOST https://a.test/x", "https://a.test/x", True),
        ("curl https://a.test/x --data-raw {}", "https://a.test/x", True),
    ],
)
def test_a_call(command: str, path: str, sends: bool) -> None:
    assert http_call(command.split()) == (path, sends)
