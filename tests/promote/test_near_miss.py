"""Why nothing fires: the lesson that comes closest, and the condition that keeps it quiet."""

from lessons.match.call import ToolCall
from lessons.match.state import KnownState
from lessons.model import lesson_from_document
from lessons.promote.near_miss import MOST_MISSES, NearMiss, near_misses
from lessons.promote.publish.entry import entry_of
from tests.builders.lessons import blocking, lesson
from tests.tables import table

STAT = {"commandPatterns": [r"gh pr diff\b.*--stat\b"], "unless": ["--name-only"], "matchOn": "invocation"}


def misses(call: ToolCall, *records: dict[str, object]) -> list[NearMiss]:
    return near_misses(call, [entry_of(lesson_from_document(record)).entry for record in records])


def bash(command: str, **about: str) -> ToolCall:
    return ToolCall("Bash", {"command": command}, **about)


@table(
    "call",
    [
        bash("ls -la"),
        bash(""),
        bash("gh issue list"),
        bash("echo diff"),
        ToolCall("Read", {"file_path": "/a/diff"}),
        ToolCall("Bash", None),
    ],
)
def test_what_has_little_in_common_is_no_near_miss(call: ToolCall) -> None:
    assert misses(call, lesson("stat", triggers=STAT)) == []


@table(
    ("call", "changes", "condition", "words"),
    [
        (bash("gh pr diff 7 --stat --name-only"), {}, "unless", "`--name-only` under its `unless`"),
        (bash("echo gh pr diff 7 --stat"), {}, "matchOn", "not at the start of a command"),
        (bash("gh pr diff 7 --stat"), {"triggers": {**STAT, "matchOn": "script"}}, "matchOn", "not in code"),
        (
            bash("gh pr diff 7 --stat", cwd="/garden"),
            {"scope": {"type": "project", "path": "/shop"}},
            "scope",
            "for /shop only, and the call is in /garden",
        ),
        (
            bash("gh pr diff 7 --stat", operating_system="linux"),
            {"triggers": {**STAT, "when": {"os": ["darwin"]}}},
            "when",
            "only for: os darwin",
        ),
        (
            bash("gh pr diff 7 --stat"),
            {"triggers": {**STAT, "toolNames": ["Monitor"]}},
            "tool",
            "looks at Monitor only, and the tool is Bash",
        ),
    ],
)
def test_the_condition_that_fails_is_named(
    call: ToolCall, changes: dict[str, object], condition: str, words: str
) -> None:
    (miss,) = misses(call, lesson("stat", **{"triggers": STAT, **changes}))
    assert (miss.slug, miss.condition) == ("stat", condition)
    assert words in miss.detail


def test_they_are_few() -> None:
    about = {"commandPatterns": ["make all"], "unless": ["now"]}
    found = misses(bash("make all now"), *(lesson(f"lesson-{number}", triggers=about) for number in range(9)))
    assert [miss.slug for miss in found] == ["lesson-0", "lesson-1", "lesson-2"]
    assert len(found) == MOST_MISSES


def test_what_is_in_the_file_and_not_in_the_build() -> None:
    about = {"triggers": {"commandPatterns": ["git stash"]}}
    resting = [
        lesson_from_document(record)
        for record in (
            lesson("a-retired", stage="retired", **about),
            lesson("b-unsure", needsReview=True, **about),
            lesson("c-left-out", **about),
            lesson("d-other", stage="retired", triggers={"commandPatterns": ["npm"]}),
        )
    ]
    found = near_misses(bash("git stash"), [], resting)
    assert [(miss.slug, miss.condition) for miss in found] == [
        ("a-retired", "stage"),
        ("b-unsure", "needsReview"),
        ("c-left-out", "build"),
    ]


def test_an_entry_that_is_odd_is_passed_over() -> None:
    odd: dict[str, object] = {"slug": "odd", "commandRegexSources": [{"source": "(gh pr diff", "flags": ""}]}
    assert near_misses(bash("gh pr diff 7"), [odd, {}]) == []


def test_paths_and_contents_of_other_tools() -> None:
    record = lesson(
        "no-prints", triggers={"pathPatterns": ["src/**"], "contentPatterns": ["print\\("], "unless": ["debug"]}
    )
    call = ToolCall("Write", {"file_path": "/x/src/a.py", "content": "print(debug)"}, cwd="/x")
    (miss,) = misses(call, record, blocking())
    assert (miss.slug, miss.condition) == ("no-prints", "unless")


MAKE = {"commandPatterns": [r"make (\S+)"], "when": {"absent": ["{1}"]}}


@table(
    ("command", "words"),
    [("make src", "absent {1}, which is not so here"), ("(make api)", "which cannot be checked for this command")],
)
def test_state_that_is_another_one(command: str, words: str) -> None:
    call = bash(command, cwd="/p")
    call.probe = KnownState({"/p/src": True}, other_paths=False)
    [miss] = misses(call, lesson("make", triggers=MAKE))
    assert miss.condition == "when"
    assert words in miss.detail
