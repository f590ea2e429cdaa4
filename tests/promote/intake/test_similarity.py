"""How alike two texts are, in any script: what differs must not look the same."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from lessons.promote.similarity import ALIKE, is_repetition, jaccard, likeness, tokens
from tests.tables import table

LATIN = "Run the generator before the build, or the types are stale."
CYRILLIC = "Запускайте генератор перед сборкой, иначе типы устареют."
CHINESE = "构建之前先运行生成器,否则类型会过期。"
JAPANESE = "ビルドの前に生成器を実行しないと型が古くなります。"
KOREAN = "빌드하기 전에 생성기를 실행하지 않으면 타입이 낡습니다."

DIFFERENT = [
    (LATIN, "The port is taken by a server that was never ended."),
    (CYRILLIC, "Порт занят сервером, который никто не остановил."),
    (CHINESE, "端口被没有停止的服务器占用了。"),
    (JAPANESE, "止めていないサーバーがポートを使っています。"),
    (KOREAN, "끝나지 않은 서버가 포트를 쓰고 있습니다."),
    (LATIN, CYRILLIC),
    (CHINESE, "!!!"),
    ("", ""),
    ("...", "..."),
    ("`lux` is missing (command not found)", "`lumen` is missing (command not found)"),
    ("A person said: “do not commit the notes”", "A person said: “never run it by night”"),
]
NEARLY_THE_SAME = [
    (LATIN, "Run the generator before each build, or the types are stale!"),
    (CYRILLIC, "Запускайте генератор перед каждой сборкой, иначе типы устареют"),
    (CHINESE, "构建之前要先运行生成器,否则类型会过期"),
    (JAPANESE, "ビルドの前に生成器を実行しないと型が古くなる。"),
    (KOREAN, "빌드 전에 생성기를 실행하지 않으면 타입이 낡습니다"),
    ("`lux` is missing (command not found)", "`lux` is not here (command not found)"),
]
SCRIPTS = [
    st.characters(min_codepoint=0x61, max_codepoint=0x7A),
    st.characters(min_codepoint=0x430, max_codepoint=0x44F),
    st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF),
    st.characters(min_codepoint=0x3042, max_codepoint=0x3090),
    st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3),
]
WORDS = st.one_of([st.lists(st.text(letters, min_size=1, max_size=8), min_size=1, max_size=12) for letters in SCRIPTS])


@table(("one", "other"), DIFFERENT)
def test_what_differs(one: str, other: str) -> None:
    assert likeness(one, other) < ALIKE


@table(("one", "other"), NEARLY_THE_SAME)
def test_what_says_nearly_the_same(one: str, other: str) -> None:
    assert likeness(one, other) >= ALIKE


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_texts(one: str, other: str) -> None:
    assert 0 <= jaccard(one, other) <= 1
    assert jaccard(one, other) == jaccard(other, one)
    assert likeness(one, other) <= jaccard(one, other)
    assert is_repetition(one, other) == is_repetition(other, one)
    assert jaccard(one, one) == (1 if tokens(one) else 0)


@given(WORDS)
def test_case_signs_and_the_way_it_is_encoded_do_not_count(words: list[str]) -> None:
    text = " ".join(words)
    assert jaccard(text, "  «" + ", ".join(words).upper() + "»!") == 1
    assert jaccard(text, unicodedata.normalize("NFD", text)) == 1


@given(WORDS, WORDS)
def test_words_of_their_own_bring_texts_apart(words: list[str], others: list[str]) -> None:
    text, more = " ".join(words), " ".join(others)
    assert jaccard(text, f"{text} {more}") >= len(tokens(text)) / (len(tokens(text)) + len(tokens(more)))
    assert (jaccard(text, more) == 0) == (not tokens(text) & tokens(more))


@table(
    ("problem", "solution", "same"),
    [
        ("Run the build before the tests.", "Run the tests before the build.", False),
        ("The flag --stat is not known.", "Use --name-only.", False),
        ("", "", False),
        ("Use tabs here, not spaces.", "use tabs here not spaces", True),
        (CHINESE, CHINESE, True),
    ],
)
def test_a_solution_that_repeats_the_problem(problem: str, solution: str, same: bool) -> None:
    assert is_repetition(problem, solution) == same


@given(st.text(st.characters(max_codepoint=127), max_size=100))
def test_the_quick_way_is_the_same(text: str) -> None:
    assert tokens(text) == tokens(text + "…")
