"""Review entries from the output of gh: who wrote a comment, and what it finds wrong."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal, NamedTuple

import msgspec

from lessons.errors import Refused
from lessons.project_state import Finding, Origin, ReviewEntry
from lessons.reviews.entry import cleaned, finding, is_heading, json_documents
from lessons.reviews.review_text import bold_lead, is_path, item_of, key_of, quoted_code, spoken_lines

Reviewer = Literal["person", "review bot", "other bot"]

# As `gh` prints them: apps without `[bot]`.
_REVIEW_BOTS = frozenset(
    """
    amazon-q-developer bito-code-review chatgpt-codex-connector claude codacy-production codeant-ai coderabbitai
    codium-pr-agent codiumai-pr-agent copilot copilot-pull-request-reviewer cursor deepsource-io ellipsis-dev
    gemini-code-assist graphite-app greptile-apps korbit-ai qodo-code-review qodo-merge qodo-merge-pro sonarcloud
    sonarqubecloud sourcery-ai
    """.split()
)
_OTHER_BOTS = frozenset(
    """
    azure-pipelines bors changeset-bot cla-assistant cla-bot codecov codecov-commenter coveralls dependabot
    github-actions github-advanced-security google-cla k8s-ci-robot linux-foundation-easycla mergify netlify
    pre-commit-ci renovate snyk-bot socket-security stale vercel
    """.split()
)


def name_of(login: str) -> str:
    """Returns the login without GitHub's additions for apps."""
    return login.lower().removeprefix("app/").removesuffix("[bot]")


def kind_of(login: str) -> Reviewer:
    name = name_of(login)
    if name in _REVIEW_BOTS:
        return "review bot"
    return "other bot" if name in _OTHER_BOTS or login.lower().endswith("[bot]") or not name else "person"


_TAG = re.compile(r"</?[A-Za-z][^<>]{0,300}>")
# Each has a short limit: a comment with many openings would otherwise take minutes.
_SUMMARY = re.compile(r"<summary>(.{0,500}?)</summary>", re.IGNORECASE | re.DOTALL)
_STRONG = re.compile(r"</?(?:strong|b)>", re.IGNORECASE)
_IMAGE = re.compile(r"!\[([^\]]{0,500})\]\([^)]{0,1000}\)")
_LINK = re.compile(r"\[([^\]]{0,500})\]\([^)]{0,1000}\)")
_LINE_RANGE = re.compile(r"^`?(?:L(?:ine)?s?\s*)?(\d{1,6})(?:\s*-\s*L?\d{1,6})?`?\s*:\s*", re.IGNORECASE)
_FILE = re.compile(
    r"^[`*\s]*@?((?:[\w.@-]+/)*[\w.-]+\.[A-Za-z]\w{0,5})[`*]*(?::(\d{1,6})(?:-\d+)?)?[`*\s]*(?:\(\d+\))?:?$"
)
_AT = re.compile(r"`@?((?:[\w.-]+/)+[\w.-]+\.\w{1,6})(?::(\d{1,6}))?(?:-\d+)?`")
# Bold texts and openings of review bots that are not findings.
_PARTS_OF_REPORTS = re.compile(
    r"^\W*(?:actionable comments?|comments? suppressed|walkthrough|summary|changes?|caution|note|tip|info"
    r"|review details"
    r"|pull request overview|pr overview|pr reviewer guide|estimated effort|committable suggestion|proposed fix"
    r"|suggested (?:fix|change)|prompt for ai|analysis chain|quality gate|files? (?:selected|processed|ignored|changed)"
    r"|configuration|learnings used|additional comments?|outside diff|duplicate comments?|nitpick comments?"
    r"|passed checks"
    r"|failed checks|thank|recommended focus|importance|suggestion importance|possible (?:issue|bug)s?$|code feedback"
    r"|no (?:security|relevant|major)|reviewed commit|code review$|\d+ new issues?|security hotspots?)",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"^\W*(?:lgtm|looks? (?:good|great|fine)|thanks?|thank you|ship it|nice|great|good (?:catch|point|work|idea)"
    r"|done|fixed"
    r"|ack|approved?|ok(?:ay)?|will do|sounds good|agreed?|yes|no|sure|ping|bump|rebased|awesome|perfect|👍|🎉|\+1)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\b(?:should|must|please|avoid|never|don'?t|do not|instead|rather than|missing|forgot|need(?:s|ed)?|use|prefer"
    r"|remove"
    r"|replace|rename|add|handle|check|wrong|bug|leak|race|unused|unsafe|deprecated|breaks?|fails?|why not|nit)\b",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"^\s*(?:/[a-z][\w-]*|@[\w-]+\s+(?:review|resume|pause|resolve|summary|help|full review))\b")
_LEAST_WORDS = 4


class _Block(NamedTuple):
    """A paragraph or item, with the file above it."""

    text: str
    path: str


def findings_in(body: str, reviewer: Reviewer, path: str = "", line: int | None = None) -> list[Finding]:
    """Returns the findings in order; `path` and `line` if the comment is at a place in the code."""
    found: list[Finding] = []
    has_title = False  # a bot's title just above: what follows explains it
    if reviewer == "person":
        # Quotations are counted where they were written. Bots indent their own text this way.
        body = "\n".join("" if line.lstrip().startswith(">") else line for line in body.splitlines())
    for block in _blocks(body, path):
        if own := _titled(block, line) or (_plain(block, line) if reviewer == "person" else None):
            found.append(own)
        elif has_title and not _PARTS_OF_REPORTS.match(block.text):
            # The paragraph below the title, and the place and code that it names.
            title, words = found[-1], f"{found[-1].text}. {block.text}"
            found[-1] = finding(title.pattern, words, *_place(title.path, title.line, words))
        has_title = own is not None and reviewer != "person"
    return found


def _place(path: str, line: int | None, text: str) -> tuple[str, int | None]:
    """Returns file and line, else those that the text names in backticks."""
    at = None if path else _AT.search(text)
    if at is None:
        return path, line
    return at[1], int(at[2]) if at[2] and line is None else line


def _blocks(body: str, path: str) -> Iterator[_Block]:
    """Yields paragraphs and items; a summary or a line that names a file applies to what follows."""
    body = _SUMMARY.sub(lambda summary: f"\n\n{' '.join(summary[1].split())}\n\n", _STRONG.sub("**", body))
    here, lines = path, list[str]()
    for raw in [*spoken_lines(body), ""]:
        line = _LINK.sub(r"\1", _IMAGE.sub(r"\1 ", _TAG.sub("", raw))).lstrip("> ").rstrip()
        item = item_of(line)
        if (not line or (item and item.indent < 2) or line.startswith("#")) and lines:
            yield _Block(" ".join(lines), here)
            lines = []
        if found := _FILE.match(item.text if item else line):
            here = found[1]
        elif line and not line.startswith("#"):
            lines.append(item.text if item else line.strip())


def _titled(block: _Block, line: int | None) -> Finding | None:
    text = block.text
    if place := _LINE_RANGE.match(text):
        line, text = int(place[1]), text[place.end() :]
    title, rest = bold_lead(re.sub(r"^(?:_[^_]{1,40}_[\s|]*)+", "", text))  # without marks of severity
    named = _FILE.match(title)
    if not title or named or is_heading(title) or _PARTS_OF_REPORTS.match(title) or len(title.split()) < 2:
        return None
    words = f"{title}. {rest}".strip() if rest else title
    plain = re.sub(r"`([^`]*)`", lambda code: "" if is_path(code[1]) else code[1], title).strip()
    # A title of nothing but code keeps it.
    return finding(plain or title, words, *_place(block.path, line, words))


def _plain(block: _Block, line: int | None) -> Finding | None:
    """For a person: names a finding after the code it calls wrong, else after its first sentence."""
    text = block.text
    if _COURTESY.match(text) or _COMMAND.match(text) or len(text.split()) < _LEAST_WORDS:
        return None
    quoted = quoted_code(text)
    if not quoted.wrong and not quoted.recommended and not _ASKS.search(text):
        return None
    if text.rstrip().endswith("?") and not quoted.wrong and not quoted.recommended:
        return None
    sentence = re.split(r"(?<=[a-z)`])[.!?](?:\s|$)", text)[0]
    name = key_of(quoted.wrong[0]) if quoted.wrong else sentence
    return finding(name, text, *_place(block.path, line, text))


_PULL_REQUEST_URL = re.compile(r"/pulls?/(\d{1,9})\b")
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


def github_entries(text: str, file: str = "", number: int | None = None) -> list[ReviewEntry]:
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
            documents = _of_code_comments(msgspec.convert(documents, list[dict[str, object]]))
        return msgspec.convert(documents, list[_PullRequest])
    except (msgspec.MsgspecError, RecursionError) as fault:
        command = "gh pr view NUMBER --json number,title,reviews,comments"
        raise Refused(f"This is not the output of `{command}` ({fault}).") from None


def _of_code_comments(comments: list[dict[str, object]]) -> list[object]:
    """Groups comments on lines of code, in the format of the REST API, by their pull request."""
    grouped: dict[object, list[object]] = {}
    for each in comments:
        address = each.get("pull_request_url")
        own = {"author": each.get("user"), "createdAt": each.get("created_at"), "url": address}
        grouped.setdefault(address, []).append(
            own | {key: each[key] for key in ("body", "path", "line") if key in each}
        )
    return [{"part": _IN_CODE, "comments": comments} for comments in grouped.values()]


def _entry(pull_request: _PullRequest, file: str, given: int | None) -> ReviewEntry:
    number = given or pull_request.number or _number_in(pull_request)
    if number is None:
        raise Refused("The output names no pull request: add `number` to the fields of --json, or give --pr.")
    found: list[tuple[str, Finding]] = []
    for each in pull_request.counted_comments():
        kind = kind_of(each.login)
        if kind != "other bot":
            found += [(name_of(each.login), one) for one in findings_in(each.body or "", kind, each.path, each.line)]
    sources = Counter(source for source, _ in found)
    return ReviewEntry(
        id=0,
        date=max((each.date for each in pull_request.counted_comments()), default=""),
        title=pull_request.title or f"Pull request #{number}",
        source="+".join(sorted(sources)),
        pr=number,
        findings=[one for _, one in found],
        source_breakdown=dict(sorted(sources.items())),
        origin=Origin(type="github", file=file, key=f"github:#pr-{number}{pull_request.part}"),
    )


def _number_in(pull_request: _PullRequest) -> int | None:
    """Takes it from the URLs of its comments: `--json reviews,comments` alone does not print the number."""
    addresses = (pull_request.url, *(each.url for each in pull_request.counted_comments()))
    found = next((match for address in addresses if address and (match := _PULL_REQUEST_URL.search(address))), None)
    return int(found[1]) if found else None
