"""A line is parsed only if it is exactly what was written; the parts survive a round trip."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.agents.claude_code.settings import REGISTRATIONS
from lessons.agents.hook_lines import FALLBACK_LINE, LINES, QUIET_LINE, fill, line_of, parts_of
from tests.tables import table

PARTS = {"event": "Stop", "python": "/p", "entry": "/e", "home": "/h", "environment_python": "/v"}
texts = st.text(st.sampled_from("'\\; <home>a"), max_size=12)


@table(
    "changed",
    [
        "",
        " ",
        "exit 0",
        fill(QUIET_LINE, PARTS) + " ",
        " " + fill(QUIET_LINE, PARTS),
        fill(QUIET_LINE, PARTS)[:-1],
        fill(QUIET_LINE, PARTS).replace("'/h'", ""),
        fill(QUIET_LINE, PARTS).replace("'/h'", "'"),
        fill(QUIET_LINE, PARTS).replace("'/h'", "/h"),
        fill(QUIET_LINE, PARTS).replace("'/h'", '"/h"'),
        fill(QUIET_LINE, PARTS).replace("'/h'", "'/h'$(exit 2)"),
        fill(QUIET_LINE, PARTS).replace("'/h'", "'/h''/i'"),
        fill(QUIET_LINE, {**PARTS, "event": ""}),
        fill(QUIET_LINE, {**PARTS, "event": "Stop --more"}),
        QUIET_LINE,
    ],
)
def test_another_line_has_no_parts(changed: str) -> None:
    assert parts_of(QUIET_LINE, changed) is None


def test_no_line_is_another_one() -> None:
    for line in (*LINES, FALLBACK_LINE):
        found = [other for other in (*LINES, FALLBACK_LINE) if parts_of(other, fill(line, PARTS))]
        assert found == [line]


@given(st.sampled_from([*LINES, FALLBACK_LINE]), texts, texts, texts, texts)
def test_parts_come_out_as_they_went_in(line: str, python: str, entry: str, home: str, worker: str) -> None:
    parts = {"event": "Stop", "python": python, "entry": entry, "home": home, "environment_python": worker}
    assert parts_of(line, fill(line, parts)) == {name: text for name, text in parts.items() if f"<{name}>" in line}


def test_every_event_has_its_line() -> None:
    assert {line_of(event) for event in REGISTRATIONS} == set(LINES)
