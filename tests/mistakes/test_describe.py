"""The texts of a candidate quote what was seen, and pass the rules for a lesson as they stand."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.episode import Episode
from lessons.mistakes.describe import Texts, describe, replacement
from lessons.model import LONGEST_SUMMARY, SHORTEST_TEXT, Lesson, Triggers
from lessons.promote.intake.intake import check
from tests.builders.steps import failed, ran, thread, used
from tests.tables import table

WRONG = failed("gh pr diff 7 --stat", "unknown flag: --stat\n\nUsage: gh pr diff [<number>] [flags]")
RIGHT = ran("gh pr diff 7 --name-only")
ABOUT = "The flag does not exist. I list the names instead."


def episode(*steps: object) -> Episode:
    failure, *rest = thread(*steps)  # type: ignore[arg-type]
    return Episode(failure, rest[0] if rest else None)


def assert_sound(texts: Texts) -> None:
    lesson = Lesson(
        id="a",
        slug="a",
        summary=texts.summary,
        problem=texts.problem,
        solution=texts.solution,
        triggers=Triggers(command_patterns=["x y z"]),
    )
    assert check(lesson).problems == []
    assert all(len(text.splitlines()) == 1 for text in (texts.problem, texts.solution, texts.summary))
    assert len(texts.problem) < 400 and len(texts.solution) < 800


def test_what_worked_is_quoted_with_the_agents_own_words() -> None:
    texts = describe([episode(WRONG, RIGHT)], {"call-0": ABOUT})
    assert texts.problem == "`gh pr diff 7 --stat` fails: unknown flag: --stat."
    assert texts.solution == (
        f"Use `--name-only` instead of `--stat`. This worked: `gh pr diff 7 --name-only`. The agent wrote: “{ABOUT}”"
    )
    assert texts.trigger == "gh pr diff 7 --stat"
    assert [(quote.failed, quote.worked) for quote in texts.quotes] == [
        ("gh pr diff 7 --stat", "gh pr diff 7 --name-only")
    ]
    assert_sound(texts)


@table(
    "one",
    [
        episode(WRONG),
        episode(failed("python a.py", "", code=49), ran("python3 a.py")),
        episode(failed("x", "")),
        episode(failed("x", "<none>")),
        episode(failed("x", "write [TODO fill in] {{name}}"), ran("y")),
        episode(failed("cat <<E > a\nline\nE", "a: no"), ran("cat <<E > b\nline\nE")),
        episode(failed("echo `date` " + "y" * 900, "too long " * 90), ran("echo " + "z" * 900)),
        episode(
            used("Edit", outcome="failed", error="No match", file_path="/home/ann/a.py"), used("Edit", file_path="/b")
        ),
    ],
)
def test_every_text_passes_the_rules_of_a_lesson(one: Episode) -> None:
    for wrote in ({}, {"call-0": ABOUT}):
        texts = describe([one], wrote)
        assert_sound(texts)
        assert SHORTEST_TEXT <= len(texts.summary) <= LONGEST_SUMMARY
        assert "not known" not in texts.solution
        assert "/home/ann" not in texts.problem


def test_words_about_a_bypass_are_left_out() -> None:
    for text in ("I commit with --no-verify then.", "I merge it with `--admin`.", "I run `rm -rf build` first."):
        assert text not in describe([episode(WRONG, RIGHT)], {"call-0": text}).solution


@table(
    "one, expected",
    [
        (episode(WRONG), ""),
        (episode(failed("a --b c", "unknown"), ran("a --d c")), ""),  # the error does not name it
        (episode(failed("a --bb c", "unknown --bb"), ran("a --dd e")), ""),  # something else differs too
        (episode(failed("a --bb c", "unknown --bb"), ran("a c")), ""),
        (episode(failed("a --bb c", "unknown --bb"), ran("a --dd c")), "Use `--dd` instead of `--bb`."),
    ],
)
def test_a_word_is_replaced_only_where_the_error_names_it(one: Episode, expected: str) -> None:
    assert replacement(one) == expected


@given(st.text(), st.text(), st.text(), st.text())
def test_any_text(command: str, error: str, fix: str, wrote: str) -> None:
    texts = describe([episode(failed(command, error), ran(fix))], {"call-0": wrote})
    assert all(len(text.splitlines()) <= 1 for text in (texts.problem, texts.solution, texts.summary, texts.trigger))


def test_the_order_of_the_episodes_does_not_matter() -> None:
    steps = thread(WRONG, RIGHT, failed("gh pr diff 8 --stat", "unknown flag: --stat"), ran("gh pr diff 8"))
    some = [Episode(steps[0], steps[1]), Episode(steps[2], steps[3])]
    assert describe(some, {}) == describe(some[::-1], {})
