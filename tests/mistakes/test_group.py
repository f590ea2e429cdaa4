"""Groups of the same mistake: similar but different texts stay apart, and the order of arrival does not matter."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.mistakes.group import fingerprint, grouped, is_lesson, mistakes_of, most_common, words_of
from lessons.mistakes.steps import jaccard
from lessons.store.history.episodes import EpisodeRow
from tests.tables import table

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
