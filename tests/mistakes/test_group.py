"""Which failures are one mistake, and the words about it."""

from hypothesis import example, given
from hypothesis import strategies as st

from lessons.episode import Episode
from lessons.mistakes.episodes import jaccard
from lessons.mistakes.group import (
    Texts,
    describe,
    fingerprint,
    grouped,
    is_lesson,
    mistakes_of,
    most_common,
    replacement,
    words_of,
)
from lessons.model import LONGEST_SUMMARY, SHORTEST_TEXT, Lesson, Triggers
from lessons.promote.intake import check
from lessons.store.history.episodes import EpisodeRow
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
@example("00", "00", "\x0c", "")
def test_any_text(command: str, error: str, fix: str, wrote: str) -> None:
    texts = describe([episode(failed(command, error), ran(fix))], {"call-0": wrote})
    assert all(len(text.splitlines()) <= 1 for text in (texts.problem, texts.solution, texts.summary, texts.trigger))


def test_the_order_of_the_episodes_does_not_matter() -> None:
    steps = thread(WRONG, RIGHT, failed("gh pr diff 8 --stat", "unknown flag: --stat"), ran("gh pr diff 8"))
    some = [Episode(steps[0], steps[1]), Episode(steps[2], steps[3])]
    assert describe(some, {}) == describe(some[::-1], {})


Said = tuple[str, str]


def groups(*items: Said) -> list[list[Said]]:
    return [members for _, members in grouped(items, lambda item: item)]


@table(
    ("one", "other"),
    [
        (("git", "fatal: not a git repository"), ("git", "fatal: pathspec <name> did not match any files")),
        (("git", "unknown option"), ("gh", "unknown option")),
        (("make", "<n> <path>"), ("make", "Error")),
        (("npm", "Missing script"), ("npm", "Missing key")),
    ],
)
def test_what_is_not_the_same(one: Said, other: Said) -> None:
    assert groups(one, other) == [[one], [other]]


@table(
    ("one", "other"),
    [
        (("zsh", "no matches found: <path>"), ("zsh", "no matches found: repo:*")),
        (("gh", "GraphQL: Could not resolve to a Repository with the name <name>."),
         ("gh", "gh: Could not resolve to a Repository with the name <name>.")),
        (("git", "The following paths are ignored by one of your files"),
         ("git", "FAILED: git add The following paths are ignored by one of your files")),
    ],
)  # fmt: skip
def test_what_is_the_same(one: Said, other: Said) -> None:
    assert groups(one, other) == [[one, other]]


def test_the_first_gives_the_group_its_name() -> None:
    first, second = ("git", "unknown option to add here"), ("git", "unknown option to add there")
    assert [key for key, _ in grouped([first, second, first], lambda item: item)] == [first]


SAID = st.tuples(
    st.sampled_from(["git", "npm"]), st.lists(st.sampled_from("abc def ghi jkl mno".split())).map(" ".join)
)


@given(st.lists(SAID))
def test_each_item_is_in_one_group(items: list[Said]) -> None:
    found = grouped(items, lambda item: item)
    assert sorted(item for _, members in found for item in members) == sorted(items)
    assert len({key for key, _ in found}) == len(found)
    assert all(member[0] == key[0] for key, members in found for member in members)


@given(st.text(), st.text())
def test_words(one: str, other: str) -> None:
    assert 0.0 <= jaccard(words_of(one), words_of(other)) <= 1.0
    assert jaccard(words_of(one), words_of(one)) == 1.0
    assert fingerprint("fix-", one, other) == fingerprint("fix-", one, other)


def test_placeholders_and_numbers_are_no_words() -> None:
    assert words_of("<path>:12: No such 4x file_or <name>") == {"no", "such"}


def test_of_several_as_frequent_the_first_in_the_alphabet() -> None:
    assert most_common(["b", "a", "c", "b", "a"]) == "a"


def row(signature: str, weight: float = 0.5, fix: str = "", program: str = "gh", session: str = "s1") -> EpisodeRow:
    return EpisodeRow("c1", session, "telling-error", program, signature, fix, weight, 1, 1.0)


@table(
    "rows, expected",
    [
        ([row("unknown flag", 0.1)], False),
        (
            [row("unknown flag", 0.9), row("unknown flag", 0.01), row("unknown flag", 0.01), row("unknown flag", 0.01)],
            False,
        ),
        ([row("", 0.9)], False),  # nothing could be told
        ([row("", 0.9, fix="c2")], True),
        ([row("unknown flag", 0.5)], True),
    ],
)
def test_a_group_needs_weight_and_something_to_tell(rows: list[EpisodeRow], expected: bool) -> None:
    assert is_lesson(rows) is expected


def test_each_option_is_a_mistake_of_its_own() -> None:
    rows = [row("error: unknown flag: --sinc"), row("error: unknown flag: --tal"), row("error: unknown flag: --tal")]
    assert [len(group) for _, group in mistakes_of(rows)] == [1, 2]
