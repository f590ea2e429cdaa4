"""All lessons in one pass: each fires on the same calls as in a back-test of its own."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.model import Lesson, Scope, Triggers, When, lesson_from_document
from lessons.promote import starter
from lessons.promote.matching import Matcher, good_hits, hits, rule_of
from tests.builders.past import SHOP, Past, failed, history_of
from tests.tables import table

WORDS = {"summary": "", "problem": "", "solution": ""}


def lesson(slug: str = "one", scope: Scope | None = None, **triggers: object) -> Lesson:
    about = {"triggers": Triggers(**triggers), **({"scope": scope} if scope else {})}  # type: ignore[arg-type]
    return Lesson(id=slug, slug=slug, **WORDS, **about)  # type: ignore[arg-type]


def numbers(lessons: list[Lesson], *calls: Past) -> Counter[str]:
    with history_of(*calls) as history:
        matcher, found = Matcher(history, lessons), history.calls.matching("tool", lambda tool: True)
        judged = [past for past in found if past.outcome in ("failed", "ok")]
        return Counter(f"{lesson.slug} {past.tool_use_id}" for past in judged for lesson in matcher.fired(past))


def one_by_one(lessons: list[Lesson], *calls: Past) -> Counter[str]:
    with history_of(*calls) as history:
        found = [(each.slug, past) for each in lessons for past in hits(history, rule_of(each))]
    return Counter(f"{slug} {past.tool_use_id}" for slug, past in found if past.outcome in ("failed", "ok"))


@table(
    ("made", "call"),
    [
        (lesson(command_patterns=["gh pr"]), Past(command="gh issue list")),
        (lesson(command_patterns=["gh pr"]), Past(command="gh pr list", outcome="refused")),
        (lesson(command_patterns=["gh pr"]), Past(tool="Write", arguments={"file_path": "/a", "content": "gh pr"})),
        (lesson(command_patterns=["gh pr"], match_on="invocation"), Past(command="echo 'gh pr'")),
        (lesson(command_patterns=["gh pr"], unless=["list"]), Past(command="gh pr list")),
        (lesson(command_patterns=["gh"], session_start=True), Past(command="gh pr list")),
        (lesson(error_patterns=["no such flag"]), Past(command="gh", error="no such flag", suspicious=True)),
        (lesson(error_patterns=["no such flag"], tool_names=["Write"]), failed("gh")),
        (lesson(path_patterns=["**/a.py"]), Past(command="cat /x/a.py")),
        (lesson(scope=Scope(type="project", path="/elsewhere"), command_patterns=["gh"]), Past(command="gh pr")),
        (lesson(command_patterns=["gh"], when=When(absent=["x"])), Past(command="gh pr")),  # nobody knows
    ],
)
def test_what_is_no_hit(made: Lesson, call: Past) -> None:
    assert numbers([made], call) == Counter()


@table(
    ("made", "call"),
    [
        (lesson(command_patterns=["gh pr"], match_on="invocation"), Past(command='cd x && "gh"  p\\r diff')),
        (lesson(command_patterns=["(?i)GIT PUSH"]), Past(command="git push")),
        (lesson(command_patterns=["(?i)git"], match_on="invocation"), Past(command="G\u0131T push")),
        (lesson(command_patterns=["[a-z]+ --stat"]), Past(command="x --stat")),
        (lesson(command_patterns=["."]), Past(command="x")),
        (lesson(command_patterns=["café"], tool_names=["Ask"]), Past(tool="Ask", arguments={"question": "café"})),
        (lesson(tool_names=["Bash"]), Past(command="ls")),
        (lesson(path_patterns=["**/a.py"]), Past(tool="Edit", arguments={"file_path": "/x/a.py"})),
        (lesson(content_patterns=["print"]), Past(tool="Write", arguments={"file_path": "/a", "content": "print"})),
        (lesson(error_patterns=["no such flag"]), failed("gh")),
        (lesson(error_patterns=["no such flag"], command_patterns=["never"]), failed("gh")),
        (lesson(command_patterns=["gh"], error_patterns=["no such flag"]), failed("gh")),  # once, not twice
        (lesson(command_patterns=["make"], when=When(folder=["web"])), Past(command="make", cwd=f"{SHOP}/web")),
    ],
)
def test_what_is_a_hit(made: Lesson, call: Past) -> None:
    assert numbers([made], Past(command="ls -la"), call)[f"one {'t1'}"] == 1
    assert numbers([made], call) == one_by_one([made], call)


ELSEWHERE = "/srv/elsewhere"
SURROUNDED = [
    lesson("anywhere", command_patterns=["gh pr"]),
    lesson("here", Scope(type="project", path=SHOP), command_patterns=["gh pr"], error_patterns=["no such"]),
    lesson("error-here", Scope(type="project", path=SHOP), error_patterns=["no such flag"]),
    lesson("error", error_patterns=["no such flag"], command_patterns=["never"]),
    lesson("veto", error_patterns=["no such flag"], unless=["Exit code 1"]),
    lesson("agent", command_patterns=["gh"], when=When(agents=["claude-code"])),
    lesson("other-agent", command_patterns=["gh"], error_patterns=["such"], when=When(agents=["codex"])),
    lesson("folder", command_patterns=["gh"], when=When(folder=["web"])),
    lesson("tool", tool_names=["Bash"]),
]


def test_the_same_line_and_error_in_other_surroundings() -> None:
    """What was found out about a line or an error holds for the next call only as far as these decide."""
    places = [SHOP, ELSEWHERE, f"{SHOP}/web", f"{ELSEWHERE}/web"]
    calls = [
        made
        for cwd in [*places, *reversed(places)]
        for made in (
            Past(command="gh pr list", cwd=cwd),
            failed("gh pr list", cwd=cwd),
            failed("make", cwd=cwd),
            Past(command="gh pr list", error="no such flag", suspicious=True, cwd=cwd),
            Past(tool="Read", arguments={"file_path": "/a"}, cwd=cwd),
            failed("", tool="Read", arguments={"file_path": "/a"}, cwd=cwd),
        )
    ]
    found = numbers(SURROUNDED, *calls)
    assert found == one_by_one(SURROUNDED, *calls)
    slugs = Counter(name.split(" ")[0] for name in found.elements())
    assert {slug for slug, times in slugs.items() if times} == {
        "anywhere", "here", "error-here", "error", "agent", "folder", "tool",
    }  # fmt: skip
    assert slugs["error-here"] * 2 == slugs["error"]


def test_what_fires_on_errors_alone_disturbs_no_good_call(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = rule_of(lesson(error_patterns=["no such flag"]))
    both = rule_of(lesson(error_patterns=["no such flag"], command_patterns=["gh"]))
    calls = [failed("gh pr"), Past(command="gh pr", error="no such flag", suspicious=True), Past(command="gh pr")]
    with history_of(*calls) as history:
        assert [past.tool_use_id for past in good_hits(history, both)] == ["t2"]
        assert [past.tool_use_id for past in hits(history, rule, outcome="failed")] == ["t0"]
        monkeypatch.setattr(history.calls, "matching", lambda *_: pytest.fail("calls were looked at"))
        assert list(good_hits(history, rule)) == []


@pytest.fixture(scope="module")
def pack() -> list[Lesson]:
    return [lesson_from_document({"id": record["slug"], **record}) for record in starter.pack()]


EXAMPLES = sorted(
    {
        example
        for record in starter.pack()
        for side in ("fires", "quiet")
        for example in record["examples"][side]  # type: ignore[index]
        if isinstance(example, str)
    }
)
ERRORS = ["", "fatal: pathspec 'x' did not match any files", "(eval):1: no matches found: *.md", "unknown flag: --stat"]


@given(st.lists(st.tuples(st.sampled_from(EXAMPLES), st.sampled_from(ERRORS)), min_size=1, max_size=8))
def test_the_whole_pack_is_the_same_in_one_pass(pack: list[Lesson], lines: list[tuple[str, str]]) -> None:
    calls = [failed(line, error=error) if error else Past(command=line) for line, error in lines]
    assert numbers(pack, *calls) == one_by_one(pack, *calls)
