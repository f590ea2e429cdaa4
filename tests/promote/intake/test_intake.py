"""Intake: every rule refuses its value with a sentence first, then what is good comes in complete."""

from datetime import UTC, datetime

import pytest

from lessons.errors import Refused
from lessons.model import Lesson, lesson_from_document
from lessons.promote.intake import check, content_hash, near_duplicate_problems, normalise, same_text_problems
from tests.tables import table

GOOD: dict[str, object] = {
    "summary": "pytest hangs where no terminal is attached",
    "problem": "A bare pytest waits for a terminal that is not there.",
    "solution": "Run it with --no-header and without the fault handler.",
    "triggers": {"toolNames": ["Bash"], "commandPatterns": ["\\bpytest\\b(?!.*--no-header)"]},
}


def lesson(**changes: object) -> Lesson:
    return lesson_from_document(normalise(GOOD | changes))


REFUSED: list[tuple[dict[str, object], str, str]] = [
    ({"summary": "too short"}, "summary", '"too short"'),
    ({"summary": "                         "}, "summary", '""'),
    ({"summary": None}, "summary", '""'),
    ({"summary": "word " * 25}, "summary", "124 characters: write at most 120"),
    ({"summary": "pytest hangs where no terminal..."}, "summary", 'terminal..."'),
    ({"summary": "pytest hangs where no terminal…"}, "summary", 'terminal…"'),
    ({"summary": "pytest hangs where\nno terminal is"}, "summary", "one line"),
    ({"summary": "It is about <what_went_wrong> again"}, "summary", "<what_went_wrong>"),
    ({"problem": "short"}, "problem", '"short"'),
    ({"problem": "It went wrong: {{what_went_wrong}}"}, "problem", "{{what_went_wrong}}"),
    ({"solution": "short"}, "solution", '"short"'),
    ({"solution": "[describe the solution in full]"}, "solution", "[describe the solution in full]"),
    ({"confidence": 1.5}, "confidence", "1.5"),
    ({"confidence": -0.1}, "confidence", "-0.1"),
    ({"priority": 0}, "priority", "0"),
    ({"priority": 11}, "priority", "11"),
    ({"occurrenceCount": -1}, "occurrenceCount", "-1"),
    ({"block": True}, "blockReason", "null"),
    ({"block": True, "blockReason": " "}, "blockReason", '" "'),
    ({"blockReason": "because it hangs"}, "block", '"because it hangs"'),
    ({"block": True, "blockReason": "because", "stopOnce": True}, "stopOnce", "true"),
    ({"triggers": {}}, "triggers", "empty"),
    ({"triggers": {"unless": ["x"], "when": {"os": ["darwin"]}}}, "triggers", "empty"),
    ({"triggers": {"toolNames": [""]}}, "triggers.toolNames", '""'),
    ({"triggers": {"commandPatterns": [" "]}}, "triggers.commandPatterns", '" "'),
    ({"triggers": {"pathPatterns": [""]}}, "triggers.pathPatterns", '""'),
    ({"triggers": {"commandPatterns": ["a("]}}, "triggers.commandPatterns", '"a("'),
    ({"triggers": {"contentPatterns": ["*a"]}}, "triggers.contentPatterns", '"*a"'),
    ({"triggers": {"errorPatterns": ["[a"]}}, "triggers.errorPatterns", '"[a"'),
    ({"triggers": {"toolNames": ["Bash"], "unless": ["a{2,1}"]}}, "triggers.unless", '"a{2,1}"'),
    ({"sourceSessionIds": list("abcdef")}, "sourceSessionIds", "6"),
    ({"scope": {"type": "project"}}, "scope.path", "null"),
    ({"scope": {"type": "project", "path": "relative/path"}}, "scope.path", '"relative/path"'),
    ({"scope": {"type": "project", "path": "~/project"}}, "scope.path", '"~/project"'),
    ({"scope": {"type": "global", "path": "/srv/project"}}, "scope.path", '"/srv/project"'),
    ({"scope": {"type": "machine", "path": "/srv/project"}}, "scope.path", '"/srv/project"'),
    ({"triggers": {"commandPatterns": ["x"], "when": {"folder": [" "]}}}, "triggers.when.folder", '" "'),
    ({"triggers": {"commandPatterns": ["x"], "when": {"folder": ["{a,b}" * 9]}}}, "triggers.when.folder", "glob"),
    ({"triggers": {"commandPatterns": ["x"], "when": {"absent": ["{1}"]}}}, "triggers.when.absent", "{1}"),
    ({"triggers": {"commandPatterns": ["(x)"], "when": {"present": ["{2}"]}}}, "triggers.when.present", "{2}"),
    ({"triggers": {"commandPatterns": ["x"], "when": {"missing": ["a b"]}}}, "triggers.when.missing", '"a b"'),
    ({"triggers": {"commandPatterns": ["x"], "when": {"later": ["a"]}}}, "triggers.when.later", "unknown"),
    ({"triggers": {"when": {"missing": ["x"]}}}, "triggers", "empty"),
    ({"triggers": {"commandPatterns": ["x"], "when": {"missing": ["x"]}}, "stopOnce": True}, "stopOnce", "missing"),
    ({"tags": ["python"]}, "tags", '"python"'),
    ({"tags": ["lang:"]}, "tags", '"lang:"'),
    ({"tags": [":python"]}, "tags", '":python"'),
    ({"tags": ["lang: python"]}, "tags", '"lang: python"'),
    ({"tags": ["Lang:python"]}, "tags", '"Lang:python"'),
    ({"slug": "../../etc"}, "slug", '"../../etc"'),
    ({"slug": "Not-Kebab"}, "slug", '"Not-Kebab"'),
    ({"id": "a/b"}, "id", '"a/b"'),
]


@table(("changes", "field", "value"), REFUSED)
def test_a_broken_rule_is_one_sentence_with_field_value_and_remedy(
    changes: dict[str, object], field: str, value: str
) -> None:
    problems = check(lesson(**changes)).problems
    assert problems, "accepted"
    sentence = problems[0]
    assert sentence.startswith(field + " ")
    assert value in sentence
    assert ": " in sentence and sentence.endswith(".")


@table(
    ("changes", "field"),
    [
        ({"priority": 2.5}, "priority"),
        ({"priority": "8"}, "priority"),
        ({"stage": "paused"}, "stage"),
        ({"triggers": []}, "triggers"),
        ({"summary": 5}, "summary"),
        ({"confidence": "high"}, "confidence"),
    ],
)
def test_a_wrong_type_is_refused_before_it_is_completed(changes: dict[str, object], field: str) -> None:
    with pytest.raises(Refused, match=f"^{field} is "):
        normalise(GOOD | changes)


def test_every_problem_is_told_at_once() -> None:
    problems = check(lesson(summary="x", problem="y", solution="z", priority=99, triggers={})).problems
    fields = [sentence.partition(" ")[0] for sentence in problems]
    assert fields == ["summary", "problem", "solution", "priority", "triggers"]


def test_an_exact_duplicate_is_refused_by_its_slug() -> None:
    first = lesson()
    stale = lesson(slug="the-first-one-0000", contentHash="sha256:old")
    problems = check(lesson(summary="The same lesson in other words"), [lesson(priority=1, problem="p" * 20), stale])
    assert len(problems.problems) == 1
    assert problems.problems[0].startswith("contentHash is sha256:")
    assert "the-first-one-0000" in problems.problems[0]
    assert check(first, [first]).problems == []
    assert check(lesson(solution="Run it in another terminal."), [first]).problems == []


WARNED: list[tuple[dict[str, object], str]] = [
    ({"confidence": 0.5}, "needsReview is true (confidence 0.5)"),
    ({"tags": ["team:core"]}, 'tags has "team:core": team is not one of the usual lang'),
    (
        {"triggers": {"commandPatterns": ["^(a+)+$"]}},
        'triggers.commandPatterns has "^(a+)+$", which can be very',
    ),
    ({"triggers": {"commandPatterns": ["x*"]}}, 'triggers.commandPatterns has "x*", which matches any text'),
    (
        {"triggers": {"toolNames": ["Bash"]}, "stopOnce": True},
        "stopOnce is true with toolNames alone and stops any use of Bash",
    ),
    (
        {"triggers": {"errorPatterns": ["tty"]}, "block": True, "blockReason": "because"},
        "block is true, but no trigger matches before a call runs",
    ),
]


@table(("changes", "sentence"), WARNED)
def test_what_is_allowed_and_probably_not_meant_is_a_warning(changes: dict[str, object], sentence: str) -> None:
    problems, warnings = check(lesson(**changes))
    assert problems == []
    assert [warning for warning in warnings if warning.startswith(sentence)], warnings


@table(
    "changes",
    [
        {},
        {"triggers": {"sessionStart": True}},
        {"triggers": {"toolNames": ["WebFetch"]}},
        {"triggers": {"pathPatterns": ["**/*.{ts,tsx}"]}},
        {"triggers": {"errorPatterns": ["no matches found"], "when": {"shell": ["zsh"]}}},
        {"triggers": {"commandPatterns": ["(?<tool>pytest)\\/x"]}},
        {"block": True, "blockReason": "Rerun as: {command} --no-header"},
        {"stopOnce": True, "stage": "shadow", "priority": 10, "confidence": 1},
        {"scope": {"type": "project", "path": "/srv/project"}},
        {"scope": {"type": "project", "path": "C:\\project"}},
        {"scope": {"type": "machine"}},
        {"triggers": {"commandPatterns": ["cd (?P<to>.+)"], "when": {"absent": ["{to}"], "present": ["{root}/{1}"]}}},
        {"triggers": {"commandPatterns": ["x"], "when": {"missing": ["x"], "folder": [".", "web/**"]}}},
        {"triggers": {"sessionStart": True, "when": {"present": ["{root}/Cargo.toml"]}}},
        {"tags": ["lang:c++", "tool:pytest", "severity:data-loss", "topic:types", "candidate:node-skill"]},
        {"sourceSessionIds": list("abcde"), "confidence": 0},
        {"confidence": 0.5, "needsReview": False},
        {"summary": "x" * 120},
        {"id": "01JQSEED00000000000000001", "slug": "pytest-tty-hanging-k9m2"},
    ],
)
def test_a_good_lesson_has_no_problem(changes: dict[str, object]) -> None:
    assert check(lesson(**changes)).problems == []


def test_a_plain_good_lesson_has_no_warning() -> None:
    assert check(lesson()).warnings == []


def test_a_new_lesson_is_completed() -> None:
    now = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
    document = normalise(GOOD, now=now)
    assert (document["createdAt"], document["updatedAt"]) == ("2026-05-04T03:02:01Z", "2026-05-04T03:02:01Z")
    assert (document["priority"], document["confidence"], document["needsReview"]) == (5, 0.8, False)
    assert document["scope"] == {"type": "global"}
    assert len(str(document["id"])) == 26
    assert str(document["slug"]).startswith("pytest-hangs-where-no-terminal-is-")
    triggers = GOOD["triggers"]
    assert isinstance(triggers, dict)
    assert document["contentHash"] == content_hash(str(GOOD["problem"]), str(GOOD["solution"]), triggers)
    assert list(document)[:5] == ["id", "slug", "summary", "problem", "solution"]


@table(
    ("given", "needs_review"),
    [
        ({"confidence": 0.69}, True),
        ({"confidence": 0.7}, False),
        ({"confidence": 0.5, "needsReview": False}, True),
        ({"confidence": 0.9, "needsReview": True}, True),
    ],
)
def test_low_confidence_always_asks_for_review(given: dict[str, object], needs_review: bool) -> None:
    assert normalise(GOOD | given)["needsReview"] is needs_review


def test_what_is_given_is_kept_and_the_hash_is_made_anew() -> None:
    given: dict[str, object] = {
        **GOOD,
        "mine": None,
        "slug": "my-slug",
        "createdAt": "2020-01-01T00:00:00Z",
        "contentHash": "sha256:old",
        "triggers": {"toolNames": ["Bash"], "later": {"a": 1}},
        "examples": {"fires": [{"tool": "Write", "path": "a", "note": "kept"}, "pytest"]},
    }
    document = normalise(given)
    assert document["mine"] is None and "mine" in document
    assert document["slug"] == "my-slug"
    assert document["createdAt"] == "2020-01-01T00:00:00Z"
    assert document["contentHash"] != "sha256:old"
    assert document["triggers"]["later"] == {"a": 1}  # type: ignore[index]
    assert document["examples"]["fires"][0]["note"] == "kept"  # type: ignore[index]
    assert "contentHash" in given and given["contentHash"] == "sha256:old"


def test_completing_twice_changes_nothing() -> None:
    once = normalise(GOOD)
    assert normalise(once) == once


TEXTS = {"problem": str(GOOD["problem"]).upper(), "solution": f"  {GOOD['solution']}\n"}
SHOP, GARDEN = ({"type": "project", "path": f"/home/me/{name}"} for name in ("shop", "garden"))


@table(
    ("changes", "other"),
    [
        ({"problem": "Another problem that nobody has met before."}, {}),
        ({"solution": "Another solution that nobody has tried before."}, {}),
        ({"scope": SHOP}, {"scope": GARDEN}),
        ({"triggers": {"sessionStart": True}}, {}),
        ({"stopOnce": True}, {}),
        ({"block": True, "blockReason": "It hangs."}, {"stopOnce": True}),
    ],
)
def test_other_words_or_what_cannot_be_one_lesson_are_no_duplicate(
    changes: dict[str, object], other: dict[str, object]
) -> None:
    assert list(same_text_problems(lesson(**changes), [lesson(**other)])) == []


@table(
    ("changes", "other"),
    [
        ({}, {}),
        (TEXTS, {}),
        ({"triggers": {"commandPatterns": ["git stash"]}}, {"triggers": {"commandPatterns": [r"git stash\b"]}}),
        ({"triggers": {"errorPatterns": ["no terminal"]}}, {"triggers": {"pathPatterns": ["*.py"]}}),
        ({"stopOnce": True}, {"stopOnce": True, "priority": 9}),
        ({"scope": SHOP}, {"scope": SHOP}),
        ({"scope": SHOP}, {}),
        ({}, {"stage": "retired"}),
    ],
)
def test_the_same_words_are_a_duplicate_whatever_the_pattern(
    changes: dict[str, object], other: dict[str, object]
) -> None:
    [problem] = same_text_problems(lesson(**changes), [lesson(**other)])
    assert "add the trigger to that lesson with `lessons edit pytest-hangs" in problem


def test_a_lesson_is_no_duplicate_of_itself() -> None:
    one = lesson()
    assert list(same_text_problems(one, [one])) == []


NEARLY = {"solution": "Run it with --no-header and always without the fault handler."}
# Patterns of lessons with nearly the same words: at different calls, and at the same ones however they are spelled.
AT_DIFFERENT_CALLS: list[tuple[dict[str, object], dict[str, object]]] = [
    ({"commandPatterns": ["git stash"]}, {"commandPatterns": ["git commit"]}),
    ({"commandPatterns": ["foo --bar"]}, {"commandPatterns": ["foo --baz"]}),
    ({"commandPatterns": ["git stash"]}, {"pathPatterns": ["git/stash"]}),
    ({"pathPatterns": ["src/*.py"]}, {"pathPatterns": ["*.ts"]}),
    ({"errorPatterns": ["command not found: jq"]}, {"errorPatterns": ["command not found: yq"]}),
    ({"commandPatterns": ["git stash"]}, {"sessionStart": True}),
    ({"commandPatterns": ["git stash"]}, {"errorPatterns": ["git stash"]}),
    ({"toolNames": ["Write"], "contentPatterns": ["TODO"]}, {"commandPatterns": ["TODO"]}),
]
AT_THE_SAME_CALLS: list[tuple[dict[str, object], dict[str, object]]] = [
    ({"commandPatterns": ["git stash"]}, {"commandPatterns": [r"git stash\b"]}),
    ({"commandPatterns": [r"\bgit\s+stash\b"]}, {"commandPatterns": ["git stash$"]}),
    ({"commandPatterns": ["foo bar"]}, {"commandPatterns": [r"foo bar\b"], "matchOn": "invocation"}),
    ({"commandPatterns": ["npm install"]}, {"commandPatterns": ["npm (?:install|i)( |$)"]}),
    ({"commandPatterns": [r"\bpytest\b(?!.*--no-header)"]}, {"commandPatterns": ["^pytest(?!.* --no-header)"]}),
    ({"commandPatterns": ["push.*--force"]}, {"commandPatterns": [r"git push.*\s--force"]}),
    ({"commandPatterns": [r"git stash drop\b"]}, {"commandPatterns": [r"git stash\b"]}),
    ({"pathPatterns": ["*.tf"]}, {"pathPatterns": ["**/*.tf"]}),
    ({"contentPatterns": ["utcnow"]}, {"contentPatterns": [r"\butcnow\b"]}),
    ({"errorPatterns": ["not found: jq"]}, {"errorPatterns": ["command not found: jq$"]}),
    ({"toolNames": ["Bash"]}, {"commandPatterns": ["git stash"]}),
]


@table(("here", "there"), AT_DIFFERENT_CALLS)
def test_nearly_the_same_words_about_other_calls_are_no_duplicate(
    here: dict[str, object], there: dict[str, object]
) -> None:
    for one, other in ((here, there), (there, here)):
        assert list(near_duplicate_problems(lesson(triggers=one), [lesson(triggers=other, **NEARLY)])) == []


@table(("here", "there"), AT_THE_SAME_CALLS)
def test_nearly_the_same_words_about_the_same_calls_are_a_duplicate(
    here: dict[str, object], there: dict[str, object]
) -> None:
    for one, other in ((here, there), (there, here)):
        [problem] = near_duplicate_problems(lesson(triggers=one), [lesson(triggers=other, **NEARLY)])
        assert "nearly the same as pytest-hangs" in problem


def test_an_example_shows_what_no_pattern_tells() -> None:
    """A call that a lookahead asks for cannot be made of the pattern."""
    fires = {"fires": ["deploy --now prod"], "quiet": []}
    one = lesson(triggers={"commandPatterns": [r"deploy(?=.* prod$)(?=.*--now)"]}, examples=fires)
    other = lesson(triggers={"commandPatterns": [r"deploy.*prod\b"]}, examples=fires, **NEARLY)
    assert list(near_duplicate_problems(one, [other]))
