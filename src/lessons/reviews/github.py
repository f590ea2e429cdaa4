"""Reads `gh pr view NUMBER --json reviews,comments`: one entry per pull request.

That output lacks comments on lines of code; `gh api repos/OWNER/REPO/pulls/NUMBER/comments` prints those, and is
supported too.
"""

import re
from collections import Counter
from collections.abc import Iterator

import msgspec

from lessons.code_review import Origin, ReviewEntry
from lessons.errors import Refused
from lessons.reviews.comment import Located, findings_in
from lessons.reviews.entry import cleaned, json_documents
from lessons.reviews.reviewers import kind_of, name_of

_PULL_REQUEST = re.compile(r"/pulls?/(\d{1,9})\b")
_IN_CODE = "-code"
_FIELDS = frozenset(("reviews", "comments", "pull_request_url"))
_NOT_COUNTED = ("PENDING", "DISMISSED")


class _Author(msgspec.Struct):
    login: str = ""


class _Comment(msgspec.Struct, rename="camel"):
    """A review or a comment."""

    body: str | None = ""
    author: _Author | None = None
    state: str = ""
    created_at: str | None = ""
    submitted_at: str | None = ""
    is_minimized: bool = False
    url: str | None = ""
    path: str = ""
    line: int | None = None

    @property
    def login(self) -> str:
        return (self.author or _Author()).login

    @property
    def date(self) -> str:
        return (self.submitted_at or self.created_at or "")[:10]


class _CodeComment(msgspec.Struct):
    """A comment on a line of code, in the format of the REST API."""

    pull_request_url: str
    body: str | None = ""
    user: _Author | None = None
    created_at: str = ""
    path: str = ""
    line: int | None = None

    def comment(self) -> _Comment:
        return _Comment(
            self.body, self.user, created_at=self.created_at, url=self.pull_request_url, path=self.path, line=self.line
        )


class _PullRequest(msgspec.Struct):
    reviews: list[_Comment] = []
    comments: list[_Comment] = []
    number: int | None = None
    title: str = ""
    url: str | None = ""
    part: str = ""  # another command prints the comments on code

    def counted_comments(self) -> Iterator[_Comment]:
        return (
            each for each in (*self.reviews, *self.comments) if each.state not in _NOT_COUNTED and not each.is_minimized
        )


def entries_in(text: str, file: str = "", number: int | None = None) -> list[ReviewEntry]:
    """Reads one pull request, a list of them, or one per line; skips those without a finding."""
    entries = [_entry(each, file, number) for each in _pull_requests(text)]
    return [cleaned(entry) for entry in entries if entry.findings]


def looks_like(text: str) -> bool:
    """Decides by field names; text that is not valid JSON counts as output of `gh` if it mentions them."""
    if text.lstrip()[:1] not in ("{", "[") or not any(f'"{name}"' in text for name in _FIELDS):
        return False
    try:
        documents = json_documents(text)
    except (msgspec.MsgspecError, RecursionError):
        return True
    return any(isinstance(each, dict) and not _FIELDS.isdisjoint(each) for each in documents)


def _pull_requests(text: str) -> list[_PullRequest]:
    try:
        documents = json_documents(text)
        if any(isinstance(each, dict) and "pull_request_url" in each for each in documents):
            return _of_code_comments(msgspec.convert(documents, list[_CodeComment]))
        return msgspec.convert(documents, list[_PullRequest])
    except (msgspec.MsgspecError, RecursionError) as fault:
        command = "gh pr view NUMBER --json number,title,reviews,comments"
        raise Refused(f"This is not the output of `{command}` ({fault}).") from None


def _of_code_comments(comments: list[_CodeComment]) -> list[_PullRequest]:
    grouped: dict[str, _PullRequest] = {}
    for each in comments:
        grouped.setdefault(each.pull_request_url, _PullRequest(part=_IN_CODE)).comments.append(each.comment())
    return list(grouped.values())


def _entry(pull_request: _PullRequest, file: str, given: int | None) -> ReviewEntry:
    number = given or pull_request.number or _number_in(pull_request)
    if number is None:
        raise Refused("The output names no pull request: add `number` to the fields of --json, or give --pr.")
    found: list[tuple[str, Located]] = []
    for each in pull_request.counted_comments():
        kind = kind_of(each.login)
        if kind != "other bot":
            found += [(name_of(each.login), one) for one in findings_in(each.body or "", kind, each.path, each.line)]
    sources = Counter(source for source, _ in found)
    severities = Counter(one.severity for _, one in found if one.severity)
    return ReviewEntry(
        id=0,
        date=max((each.date for each in pull_request.counted_comments()), default=""),
        title=pull_request.title or f"Pull request #{number}",
        source="+".join(sorted(sources)),
        pr=number,
        findings=[one.finding for _, one in found],
        source_breakdown=dict(sorted(sources.items())),
        origin=Origin(type="github", file=file, key=f"github:#pr-{number}{pull_request.part}"),
        critical=severities["critical"],
        major=severities["major"],
        minor=severities["minor"],
        trivial=severities["trivial"],
    )


def _number_in(pull_request: _PullRequest) -> int | None:
    """Takes it from the URLs of its comments: `--json reviews,comments` alone does not print the number."""
    addresses = (pull_request.url, *(each.url for each in pull_request.counted_comments()))
    found = next((match for address in addresses if address and (match := _PULL_REQUEST.search(address))), None)
    return int(found[1]) if found else None
