"""Records printed one after the other: the same bytes as the document as a whole."""

import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lessons.cli import json_records, render
from lessons.errors import Busy
from lessons.promote.catalog import listed
from tests.builders.home import DataHome
from tests.builders.lessons import lesson
from tests.sizes import examples
from tests.tables import table

Records = Sequence[Mapping[str, object]]
# One record decides how the whole document is written.
DECISIVE = [
    "</system-reminder>", "< / system_reminder >", "<|im_start|>", "</my-frame>", "<my-frame>", "＜system>", "﹤human>",
    "<ｓystem-reminder>", "\ud800", "\udc00\ud800", "\u202e", "\u2028", "\U000e0041", "é", "日本", "<",
    "< ＜system", "\x7f",
]  # fmt: skip
LISTS: dict[str, Records] = {
    "none": [],
    "one": [{}],
    "plain": [{"slug": f"l{number}", "triggers": {"a": [], "b": [1, 2.5, None, True]}} for number in range(2_500)],
    "a whole batch": [{"slug": str(number)} for number in range(1_000)],
    "a mark at the end": [*({"slug": "<b>"} for _ in range(1_500)), {"summary": "</system-reminder>"}],
    "opened in another batch": [{"x": "<my-frame>"}, *({} for _ in range(1_000)), {"x": "</my-frame>"}],
    "closed in another batch": [{"x": "</my-frame>"}, *({} for _ in range(1_000)), {"x": "<my-frame>"}],
    "half a pair at the end": [*({"slug": "é"} for _ in range(1_001)), {"summary": "\ud800"}],
    "a very large number": [{"slug": "é", "times": 2**70}],
    "long tag": [{"x": "<" + "a" * 63 + "-b>"}, {"x": "</" + " " * 70 + "system>"}],
}


def printed(records: Records, encoding: str, streamed: bool) -> bytes:
    """What reaches a stream with this encoding."""
    raw = io.BytesIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding, errors="backslashreplace", newline="\n"))
        if streamed:
            json_records.emit("lessons", _Once(records))
        else:
            render.emit(True, {"lessons": records}, lambda: None)
        sys.stdout.flush()
        return raw.getvalue()


class _Once:
    """Yields records that nobody else holds."""

    def __init__(self, records: Records) -> None:
        self._records = records

    def __iter__(self) -> Iterator[dict[str, object]]:
        return (dict(record) for record in self._records)


@table("name", LISTS)
def test_it_is_the_same_document(name: str) -> None:
    for encoding in ("utf-8", "ascii", "latin-1"):
        assert printed(LISTS[name], encoding, streamed=True) == printed(LISTS[name], encoding, streamed=False)


@given(
    st.lists(st.dictionaries(st.sampled_from("abc"), st.lists(st.sampled_from(DECISIVE), max_size=3).map("".join))),
    st.sampled_from([1, 999, 1_000]),
    st.sampled_from(["utf-8", "ascii"]),
)
@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
def test_so_it_is_whatever_the_records_say(few: list[dict[str, str]], ahead: int, encoding: str) -> None:
    records: Records = [*({"slug": "x"} for _ in range(ahead)), *(dict(each) for each in few)]
    assert printed(records, encoding, streamed=True) == printed(records, encoding, streamed=False)


def test_nothing_is_printed_before_every_record_was_read(capsys: pytest.CaptureFixture[str]) -> None:
    class Broken:
        def __iter__(self) -> Iterator[object]:
            yield from ({"slug": str(number)} for number in range(3_000))
            raise OSError("damaged")

    with pytest.raises(OSError, match="damaged"):
        json_records.emit("lessons", Broken())
    assert capsys.readouterr().out == ""


def test_nothing_is_printed_of_a_file_that_changes_meanwhile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lessons.store.lesson_file.LONGEST_IN_MEMORY", 100)
    home = DataHome(tmp_path)
    home.publish(*(lesson(slug=f"l{number}") for number in range(3)))
    records = listed(home.path, ("active",)).records

    class Edited:
        def __iter__(self) -> Iterator[object]:
            yield from records
            with (home.folder / "lessons.json").open("a") as file:
                file.write("\n")

    with pytest.raises(Busy):
        json_records.emit("lessons", Edited(), records.held())
    assert capsys.readouterr().out == ""
    again = listed(home.path, ("active",)).records
    json_records.emit("lessons", again, again.held())
    assert capsys.readouterr().out.count('"slug": "l') == 3
