"""How often an alert is shown, and what an acknowledgement covers."""

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.project_state import Alert, AlertRecord, AlertsBaseline, time_of
from lessons.reviews.alert_state import (
    MOST_BYTES,
    MOST_SHOWN,
    acknowledged,
    briefing,
    delta,
    raised,
    shown,
    to_show,
)
from tests.sizes import examples

START = datetime(2026, 5, 1, tzinfo=UTC)


def alert(
    name: str = "faults", mark: str = "1", severity: str = "warning", message: str = "Something is wrong."
) -> Alert:
    return Alert(id=name, severity=severity, message=message, action="lessons doctor", mark=mark)  # type: ignore[arg-type]


def starts(alerts: list[Alert], hours: list[float]) -> list[list[str]]:
    """What each of these session starts names, in hours from the first."""
    baseline, told = AlertsBaseline(), []
    for hour in hours:
        moment = START + timedelta(hours=hour)
        baseline = raised(baseline, alerts, time_of(moment))
        said = briefing(to_show(baseline, alerts, moment.timestamp()))
        baseline = shown(baseline, said.names, time_of(moment))
        told.append(said.names)
    return told


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.floats(0, 24 * 200), max_size=60), st.integers(1, 12))
def test_nobody_is_told_more_than_three_times_whenever_sessions_start(hours: list[float], count: int) -> None:
    alerts = [alert(f"alert-{number}", message="Something is wrong here. " * number) for number in range(count)]
    told = [name for names in starts(alerts, sorted(hours)) for name in names]
    assert all(told.count(each.id) <= MOST_SHOWN for each in alerts)


def test_it_grows_quieter_and_then_silent() -> None:
    days = [24.0 * day for day in range(60)]
    assert [place for place, names in enumerate(starts([alert()], days)) if names] == [0, 1, 8]
    minutes = [minute / 60 for minute in range(600)]
    assert [place for place, names in enumerate(starts([alert()], minutes)) if names] == [0]


def test_the_words_become_fewer() -> None:
    baseline, texts = raised(AlertsBaseline(), [alert()], time_of(START)), []
    for day in (0, 1, 8):
        moment = START + timedelta(days=day)
        said = briefing(to_show(baseline, [alert()], moment.timestamp()))
        baseline = shown(baseline, said.names, time_of(moment))
        texts.append(said.text)
    assert texts == [
        "Something is wrong. Run `lessons doctor`.",
        "Something is wrong.",
        "still open: faults (`lessons alerts`)",
    ]


def test_an_acknowledged_alert_is_silent_until_it_is_another_one() -> None:
    baseline = acknowledged(raised(AlertsBaseline(), [alert()], time_of(START)), {"faults"})
    assert to_show(baseline, [alert()], START.timestamp()) == []
    later = time_of(START + timedelta(days=3))
    assert to_show(raised(baseline, [alert()], later), [alert()], START.timestamp()) == []
    grown = raised(baseline, [alert(mark="2")], later)
    assert [turn.shown for turn in to_show(grown, [alert(mark="2")], START.timestamp() + 3 * 86400)] == [0]


def test_one_that_shrinks_or_grows_back_is_no_news() -> None:
    baseline = acknowledged(raised(AlertsBaseline(), [alert(mark="some-slug 4")], time_of(START)), {"faults"})
    for size, times in ((3, 0), (4, 0), (3, 0), (4, 0), (1, 0), (2, 0), (3, 1)):
        now = [alert(mark=f"some-slug {size}")]
        baseline = raised(baseline, now, time_of(START))
        assert len(to_show(baseline, now, START.timestamp())) == times
    assert to_show(raised(baseline, [alert(mark="other 3")], time_of(START)), [alert()], START.timestamp())


def test_odd_memories_break_nothing() -> None:
    for record in (AlertRecord(mark="1", shown=-7), AlertRecord(mark="1", shown=1, last_shown="2999-01-01T00:00:00Z")):
        assert to_show(AlertsBaseline(alerts={"faults": record}), [alert()], START.timestamp())


def test_one_that_comes_and_goes_counts_on() -> None:
    baseline = raised(AlertsBaseline(), [alert()], time_of(START))
    for day in range(3):
        baseline = shown(baseline, ["faults"], time_of(START + timedelta(days=day)))
    gone = raised(baseline, [], time_of(START + timedelta(days=20)))
    again = raised(gone, [alert()], time_of(START + timedelta(days=25)))
    assert to_show(again, [alert()], (START + timedelta(days=25)).timestamp()) == []
    forgotten = raised(gone, [], time_of(START + timedelta(days=60)))
    assert forgotten.alerts == {}


def test_the_briefing_stays_within_its_size_and_what_does_not_fit_waits() -> None:
    many = [alert(f"alert-{number}", message="Größeres ist kaputt. " * 4) for number in range(20)]
    said = briefing(to_show(AlertsBaseline(), many, START.timestamp()))
    assert 0 < len(said.text.encode()) <= MOST_BYTES and len(said.names) < 20 and "\n" not in said.text


def test_the_delta_is_against_what_a_person_last_saw() -> None:
    one, other = alert("one"), alert("other", severity="info")
    assert delta(AlertsBaseline(), [one]) is None
    before = AlertsBaseline(timestamp="2026-05-01T00:00:00.000Z", seen={"one": "warning", "other": "info"})
    nothing = delta(before, [one, other])
    assert nothing is not None and (nothing.new, nothing.worse, nothing.resolved) == ([], [], [])
    found = delta(before, [alert("other", severity="error"), alert("third")])
    assert found is not None and (found.new, found.worse, found.resolved) == (["third"], ["other"], ["one"])
