"""Words from a transcript: nothing invisible, nothing endless, and what people write stays."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.promote.draft import one_line, plain


def test_what_goes_and_what_stays() -> None:
    assert plain("a\x1b[31mb\x07\x00c\x9b\u202e\ufeffd\ud800") == "a[31mbcd"
    assert plain("one\r\ntwo\u2028three\tfour") == "one\ntwo\nthree\tfour"
    assert plain("क्षि 家族 👨\u200d👩\u200d👧 می\u200cخواهم") == "क्षि 家族 👨\u200d👩\u200d👧 می\u200cخواهم"
    assert plain("word " * 100, 23) == "word word word word"
    assert plain("x" * 100, 10) == "x" * 10
    assert one_line("what was\n cut off …", 100) == "what was cut off"
    assert one_line("what was cut off...", 100) == "what was cut off"


@given(st.text(st.characters()), st.integers(min_value=1, max_value=50))
def test_any_text(text: str, longest: int) -> None:
    for made in (plain(text, longest), one_line(text, longest)):
        assert len(made) <= longest
        assert made.isprintable() or set(made) & set("\n\t\u200c\u200d \u00a0\u3000") or made == ""
        made.encode()
    assert plain(plain(text, longest), longest) == plain(text, longest)
    assert "\n" not in one_line(text, longest)
