"""A new lesson is compared with few others, and told the same as if it were compared with all."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.errors import Refused
from lessons.model import lesson_from_document
from lessons.promote import catalog
from lessons.promote.intake import intake
from lessons.promote.intake.facts import facts_of
from lessons.promote.intake.rivals import Rivals
from lessons.promote.intake.signature import can_be_alike, signature_of
from lessons.promote.intake.similarity import ALIKE, jaccard
from lessons.promote.publish.publish import publish
from lessons.store import compiled_lessons, lesson_file
from lessons.store.compiled_rows import Row, Rows
from tests.builders.home import DataHome
from tests.builders.lessons import Document, in_own_words, lesson
from tests.sizes import examples

WORDS = ("stash", "leaves", "files", "untracked", "`git stash`", "übrig", "文字列を", "never", "run", "pytest", "twice")
TEXTS = st.lists(st.sampled_from(WORDS), min_size=4, max_size=12).map(lambda words: " ".join(words) + " " * 20)
TRIGGERS = st.sampled_from(
    [{"commandPatterns": ["git stash"]}, {"commandPatterns": ["pytest", "git stash"]}, {"toolNames": ["Bash"]},
     {"sessionStart": True}, {"errorPatterns": ["no such file"]}]
)  # fmt: skip


@settings(max_examples=examples(2_000), deadline=None)
@given(one=TEXTS, other=TEXTS)
def test_texts_that_are_alike_are_never_told_apart(one: str, other: str) -> None:
    words, bits = signature_of(one)
    if jaccard(one, other) >= ALIKE:
        assert can_be_alike(words, int.from_bytes(bits, "little"), *signature_of(other))


@st.composite
def lessons(draw: st.DrawFn) -> list[Document]:
    made = [
        lesson(f"lesson-{number}", problem=draw(TEXTS), solution=draw(TEXTS), triggers=draw(TRIGGERS))
        for number in range(draw(st.integers(2, 8)))
    ]
    return [*made, dict(made[0], id="copy", slug="copy")] if draw(st.booleans()) else made


@settings(max_examples=examples(200), deadline=None)
@given(made=lessons(), share=st.floats(0, 1))
def test_the_same_is_told_as_by_comparing_with_all(
    tmp_path_factory: pytest.TempPathFactory, made: list[Document], share: float
) -> None:
    home = DataHome(tmp_path_factory.mktemp("rivals"))
    home.write(*made[:-1])
    file = lesson_file.read(home.path)
    everything = file.lessons()
    noted = Rows()
    for digest, each in list(zip(file.digests(), everything, strict=True))[: round(share * len(made))]:
        noted.append(Row(digest, facts_of(each), "", 1.0, 5, "", (), True))
    new = intake.normalise(made[-1], file.names())
    told = catalog.check_new(new, Rivals(file, noted))
    assert sorted(told.problems) == sorted(catalog.check_new(new, everything).problems)


def test_few_are_read(tmp_path: Path) -> None:
    home = DataHome(tmp_path)
    others = [
        in_own_words(lesson(f"other-{number}", triggers={"commandPatterns": [f"tool{number}"]})) for number in range(30)
    ]
    like = in_own_words(lesson("like", triggers={"commandPatterns": ["tool3 "]}))
    home.publish(*others, in_own_words(lesson("any", triggers={"toolNames": ["Bash"]})), like)
    noted = compiled_lessons.rows(home.path)
    assert len(noted) == 32
    rivals = Rivals(lesson_file.read(home.path), noted)
    new = lesson_from_document({**like, "id": "new", "slug": "new"})
    assert [each.slug for each in rivals.of(new)] == ["like"]
    with pytest.raises(Refused, match="the same problem, solution and triggers as like"):
        catalog.add(home.path, {**like, "id": "new", "slug": "new"})


def test_lessons_of_one_import_are_compared_with_each_other(tmp_path: Path) -> None:
    publish(str(tmp_path))
    one = in_own_words(lesson("one"))
    with pytest.raises(Refused, match="as one"):
        catalog.add_all(str(tmp_path), [one, {**one, "id": "two", "slug": "two"}])
    assert lesson_file.read(str(tmp_path)).names() == frozenset()
