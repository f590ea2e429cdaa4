"""The budget: every byte counts, the first lesson is complete, and what does not fit is not claimed."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.inject.decide import fill
from lessons.store.manifest import PublishedLesson, compile_source
from tests.sizes import examples
from tests.tables import table

Match = tuple[PublishedLesson, str]


def match(slug: str, injection: str, summary: str = "short") -> Match:
    entry: dict[str, object] = {"slug": slug, "injection": injection, "summary": summary}
    return PublishedLesson(slug, entry, compile_source), "toolNames"


class Claims:
    """Says yes to all but the taken, and remembers who asked."""

    def __init__(self, *taken: str) -> None:
        self.taken = taken
        self.asked: list[str] = []

    def __call__(self, lesson: PublishedLesson) -> bool:
        self.asked.append(lesson.slug)
        return lesson.slug not in self.taken


def slugs(matches: list[Match]) -> list[str]:
    return [lesson.slug for lesson, _ in matches]


def test_nothing_to_show_is_no_text_at_all() -> None:
    assert fill("heading", [], 4096, 3, Claims()) == ("", [], [])
    assert fill("heading", [match("a", "A")], 4096, 3, Claims("a")) == ("", [], [])
    assert fill("heading", [match("a", "A")], 4096, 0, Claims())[:2] == ("", [])


def test_what_does_not_fit_is_not_claimed() -> None:
    claims = Claims()
    matches = [match("a", "A" * 50), match("b", "B" * 100, "s" * 100), match("c", "C")]
    text, shown, dropped = fill("h", matches, 60, 3, claims)
    assert (slugs(shown), slugs(dropped)) == (["a", "c"], ["b"])
    assert claims.asked == ["a", "c"]
    assert "B" not in text


def test_no_more_than_the_most_are_claimed() -> None:
    claims = Claims()
    _, shown, dropped = fill("h", [match(slug, slug) for slug in "abcde"], 4096, 2, claims)
    assert (slugs(shown), slugs(dropped)) == (["a", "b"], ["c", "d", "e"])
    assert claims.asked == ["a", "b"]


def test_what_another_call_claimed_takes_no_room() -> None:
    claims = Claims("a", "c")
    matches = [match("a", "A" * 500), match("b", "B" * 300), match("c", "C"), match("d", "D")]
    text, shown, dropped = fill("h", matches, 400, 2, claims)
    assert (slugs(shown), slugs(dropped)) == (["b", "d"], [])
    assert text == "h\n\n" + "B" * 300 + "\n\nD"


def test_the_first_comes_whole_whatever_the_budget() -> None:
    text, shown, _ = fill("heading", [match("a", "A" * 5000), match("b", "B")], 0, 3, Claims())
    assert text == "heading\n\n" + "A" * 5000
    assert slugs(shown) == ["a"]


def test_a_summary_comes_where_the_whole_does_not_fit_and_counts_as_one() -> None:
    matches = [match("a", "A" * 10), match("b", "B" * 500, "about b"), match("c", "C")]
    text, shown, _ = fill("h", matches, 200, 2, Claims())
    assert text == "h\n\n" + "A" * 10 + "\n\n**Lesson**: about b"
    assert slugs(shown) == ["a", "b"]


@table(("budget", "fits"), [(len("h") + 2 + 1 + 2 + 6 - 1, False), (len("h") + 2 + 1 + 2 + 6, True)])
def test_bytes_are_counted_and_not_characters(budget: int, fits: bool) -> None:
    text, *_ = fill("h", [match("a", "A"), match("b", "日本", "a summary that is longer")], budget, 3, Claims())
    assert ("日本" in text) is fits


pieces = st.text(st.characters(), max_size=60)


@given(pieces.map(lambda text: text.encode("utf-8", "replace").decode()), st.lists(st.tuples(pieces, pieces)),
       st.integers(0, 400), st.integers(0, 5))  # fmt: skip
@settings(max_examples=examples(150), deadline=None)
def test_nothing_after_the_first_goes_over_the_budget(
    heading: str, texts: list[tuple[str, str]], budget: int, most: int
) -> None:
    matches = [match(str(number), *text) for number, text in enumerate(texts)]
    claims = Claims()
    text, shown, dropped = fill(heading, matches, budget, most, claims)
    assert len(shown) <= most
    assert claims.asked == slugs(shown)
    assert sorted(slugs(shown) + slugs(dropped)) == sorted(slugs(matches))
    alone, *_ = fill(heading, matches[:1], budget, most, Claims())
    assert len(text.encode()) <= max(budget, len(alone.encode()))
    assert text.startswith(alone)
