"""The weekly line: empty if nothing happened, otherwise numbers with their words."""

from lessons.prove.stats import Tally
from lessons.prove.update import weekly_line
from tests.tables import table


@table(
    ("week", "line"),
    [
        (Tally(), ""),
        (Tally(shown=9, unknown=9, missed=2, not_delivered=1), ""),
        (Tally(heeded=1), "This week: 1 repeat prevented, 0 false alarms. lessons stats"),
        (Tally(overridden=1), "This week: 0 repeats prevented, 1 false alarm. lessons stats"),
        (
            Tally(heeded=1, stopped_corrected=2, false_alarms=1),
            "This week: 3 repeats prevented, 1 false alarm. lessons stats",
        ),
    ],
)
def test_the_line_of_a_week(week: Tally, line: str) -> None:
    assert weekly_line(week) == line
