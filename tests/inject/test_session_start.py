"""What a starting session is told: one row for each way to start, under one limit."""

import pytest

from lessons.inject import session_start
from lessons.inject.session_start import FULL_PROTOCOL as FULL
from lessons.inject.session_start import (
    MOST_BYTES,
    decide_start,
    dropped_at_start,
    dropped_of,
    line_for_person,
    no_room,
    start_of,
)
from lessons.inject.session_start import SHORT_PROTOCOL as SHORT
from lessons.match.call import ToolCall
from lessons.match.state import KnownState
from lessons.store.manifest import PublishedLesson, compile_source
from lessons.store.session_start_files import PersonLine
from tests.tables import table

CALL = ToolCall("SessionStart", {}, cwd="/home/somebody/shop", operating_system="linux")
BUDGET = 4096


def lesson(slug: str, **fields: object) -> PublishedLesson:
    entry = {"slug": slug, "summary": f"about {slug}", "injection": f"All about {slug}.", "priority": 5, **fields}
    return PublishedLesson(slug, entry, compile_source)


def never_muted(slug: str) -> bool:
    return False


@table(
    ("source", "forgets", "rearms", "scans", "begins", "tells", "protocol"),
    [
        ("startup", True, False, True, True, True, FULL),
        ("resume", False, False, True, True, False, ""),
        ("fork", False, False, True, True, False, ""),
        ("clear", True, False, False, True, False, FULL),
        ("compact", False, True, False, False, False, SHORT),
        ("unknown", False, False, False, True, False, ""),
    ],
)
def test_each_way_to_start(
    source: str, forgets: bool, rearms: bool, scans: bool, begins: bool, tells: bool, protocol: str
) -> None:
    start = start_of(source)
    assert (start.forgets, start.rearms, start.scans, start.begins) == (forgets, rearms, scans, begins)
    assert start.tells == tells
    assert start.protocol == protocol


def test_protocol_lessons_and_earlier_work_in_their_order() -> None:
    lessons = [lesson("b"), lesson("a"), lesson("first", priority=9)]
    at_startup = decide_start(start_of("startup"), CALL, lessons, never_muted, BUDGET, "Offer.", protocol=True)
    told = "\n\n".join([FULL, "All about first.", "All about a.", "All about b.", "Offer."])
    assert at_startup.text == told
    assert [(each.slug, what, why) for each, what, why in at_startup.events] == [
        ("first", "hint", "sessionStart"), ("a", "hint", "sessionStart"), ("b", "hint", "sessionStart"),
    ]  # fmt: skip
    compacted = decide_start(start_of("compact"), CALL, [lesson("a")], never_muted, BUDGET, "Before.", protocol=True)
    assert compacted.text == f"Before.\n\n{SHORT}\n\nAll about a."


def test_without_the_protocol() -> None:
    quiet = decide_start(start_of("startup"), CALL, [], never_muted, BUDGET, "")
    assert (quiet.text, quiet.answer()) == ("", None)
    lessons = decide_start(start_of("startup"), CALL, [lesson("a")], never_muted, BUDGET, "Offer.")
    assert lessons.text == "All about a.\n\nOffer."


def test_all_lessons_of_a_person_are_shown_within_the_budget_in_order_of_priority() -> None:
    lessons = [lesson(f"own-{number}", priority=number) for number in range(1, 10)]
    lessons += [lesson(f"found-{number}", priority=10, origin="transcripts") for number in range(8)]
    decision = decide_start(start_of("startup"), CALL, lessons, never_muted, BUDGET, "")
    shown = [each.slug for each, what, _ in decision.events if what == "hint"]
    assert shown == [f"found-{number}" for number in range(5)] + [f"own-{number}" for number in range(9, 0, -1)]
    assert dropped_of(decision) == ["found-5", "found-6", "found-7"]
    small = decide_start(start_of("startup"), CALL, lessons[:9], never_muted, 60, "")
    shown = [each.slug for each, what, _ in small.events if what == "hint"]
    assert shown and shown + dropped_of(small) == [f"own-{number}" for number in range(9, 0, -1)]
    assert len(small.text.encode()) <= 60


def test_those_without_room_are_named_for_every_project() -> None:
    shop = [lesson(f"shop-{number}", projectPath="/home/somebody/shop", priority=4) for number in range(3)]
    lessons = [lesson("everywhere"), *shop, lesson("muted"), lesson("other", projectPath="/home/somebody/other")]
    assert dropped_at_start(lessons, lambda slug: slug == "muted", 2000) == []
    assert dropped_at_start(lessons, lambda slug: slug == "muted", 55) == ["shop-1", "shop-2"]
    assert no_room([]) == ""
    assert no_room(["a"]).startswith("1 lesson for session starts had no room and did not reach the agent (a): ")
    assert "(a, b, c, d, e and 2 more)" in no_room(list("abcdefg"))


def test_those_of_elsewhere_are_left_out_and_muted_ones_and_shadows_noted() -> None:
    lessons = [
        lesson("muted"),
        lesson("shadow", stage="shadow"),
        lesson("mac", when={"os": ["macos"]}),
        lesson("other", projectPath="/home/somebody/other"),
    ]
    decision = decide_start(start_of("startup"), CALL, lessons, lambda slug: slug == "muted", BUDGET, "")
    assert decision.text == ""
    assert [(each.slug, what) for each, what, _ in decision.events] == [("muted", "muted"), ("shadow", "shadow")]


def test_earlier_work_takes_room_from_lessons_where_the_budget_is_large() -> None:
    lessons = [lesson(slug, injection=slug * 2500) for slug in "abc"]
    alone = decide_start(start_of("startup"), CALL, lessons, never_muted, 50_000, "")
    assert "c" * 2500 in alone.text
    beside = decide_start(start_of("startup"), CALL, lessons, never_muted, 50_000, "é" * 1000)
    assert "b" * 2500 in beside.text and "c" * 2500 not in beside.text
    for decision in (alone, beside):
        assert len(decision.text.encode()) <= MOST_BYTES


def test_lesson_that_asks_for_a_state() -> None:
    call = ToolCall("SessionStart", {}, cwd="/p/web")
    pnpm = {"when": {"present": ["{root}/pnpm-lock.yaml"]}, "injection": "In {root} use pnpm.", "sessionStart": True}
    told = {}
    for name, paths in {"there": {"/p/pnpm-lock.yaml": True, "/p/web": True}, "not": {"/p/web": True}}.items():
        call.probe = KnownState(paths, {}, "/p", other_paths=False)
        told[name] = decide_start(start_of("startup"), call, [lesson("pnpm", **pnpm)], never_muted, BUDGET, "").text
    call.probe = None
    told["unknown"] = decide_start(start_of("startup"), call, [lesson("p", **pnpm)], never_muted, BUDGET, "").text
    assert told == {"there": "In /p use pnpm.", "not": "", "unknown": ""}


NOW, DAY = 1_000_000_000.0, 86_400.0


@table(
    ("until", "is_on", "shown", "told"),
    [
        (NOW - 1, True, None, ""),  # it no longer holds
        (NOW + 1, False, None, ""),
        (NOW + 1, True, NOW, ""),
        (NOW + 1, True, NOW - 6.9 * DAY, ""),
        (NOW + 1, True, NOW - 7 * DAY, "weekly"),
        (NOW + 1, True, NOW + 1, "weekly"),  # the clock was set back
        (NOW + 1, True, None, "weekly"),
    ],
)
def test_a_line_for_the_person(until: float, is_on: bool, shown: float | None, told: str) -> None:
    lines = {"weekly": PersonLine("This week.", until), "unknown": PersonLine("Never shown.", NOW + 1)}
    assert line_for_person(lines, lambda setting: is_on, lambda name: shown, NOW) == told


def test_the_most_important_line_that_is_due_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = (("first", "one", 1), ("second", "two", 7))
    monkeypatch.setattr(session_start, "PERSON_LINES", kinds)
    lines = {"second": PersonLine("Second.", NOW), "first": PersonLine("First.", NOW)}
    shown: dict[str, float | None] = {"first": NOW - DAY}
    just_now: dict[str, float | None] = {"first": NOW}
    assert line_for_person(lines, lambda setting: True, shown.get, NOW) == "first"
    assert line_for_person(lines, lambda setting: setting == "two", shown.get, NOW) == "second"
    assert line_for_person(lines, lambda setting: True, just_now.get, NOW) == "second"
    assert line_for_person({}, lambda setting: True, shown.get, NOW) == ""
