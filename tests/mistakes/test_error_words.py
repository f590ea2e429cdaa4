"""The words of an error are the same when the same mistake is made another time."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.mistakes.error_words import error_words


def test_numbers_and_signs_are_left_out() -> None:
    one = error_words("Exit code 2\nline 12: unexpected token `)' near 0x1f", 2, "bash")
    other = error_words("Exit code 2\nline 99: unexpected token `)' near 0xff", 2, "bash")
    assert one - {"x", "f", "near x"} <= other | {"xf", "near xf"}
    assert {"unexpected", "unexpected token", "=exit 2", "=program bash"} <= one


def test_a_silent_failure_is_known_by_its_exit_code_and_program() -> None:
    assert error_words("", 49, "python") == {"=exit 49", "=program python", "=silent"}


def test_the_ends_of_a_long_error_count() -> None:
    found = error_words("begin " + "middle " * 9_000 + "finish", None, "")
    assert {"begin", "finish"} <= found


@given(st.text(max_size=300))
def test_any_error_has_words(error: str) -> None:
    assert error_words(error, None, "") and len(error_words(error, 1, "x")) <= 405
