"""A data home and labels in, how many repeated mistakes would have met a lesson learned earlier out."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing

from evals.corpus import Labels
from lessons import config, paths
from lessons.replay.replay import Failure, replay
from lessons.replay.report import ReplayReport
from lessons.store.history.history import History

Replays = dict[str, ReplayReport]  # by who says which failures are the same mistake

_WHERE_AND_WHEN = "SELECT tool_use_id, session_id, sources.path, time FROM calls JOIN sources ON sources.id = source_id"


def replays(home: str, labels: Labels) -> Replays:
    """Once with the mistakes as mining names them, once as the labels of a careful reader do."""
    settings = config.load(home, {})
    with History.for_reading(home) as history:
        return {
            "mined": replay(history, settings),
            "labelled": replay(history, settings, failures=_labelled(home, labels)),
        }


def _labelled(home: str, labels: Labels) -> list[Failure]:
    """Every failure worth a lesson; it is repeated where a later transcript in the same folder has it too."""
    with closing(sqlite3.connect(paths.history_file(home))) as connection:
        rows = connection.execute(_WHERE_AND_WHEN).fetchall()
    return [
        Failure(time, name, session, f"{os.path.dirname(path)} {label.key or name}")
        for name, session, path, time in rows
        if (label := labels.get(name)) and label.verdict == "lesson"
    ]


def about_replays(found: Replays) -> Iterator[str]:
    """The lines of the report: totals, and each mistake that was missed."""
    yield "Replay: repeats that would have met a lesson learned in earlier sessions"
    for name, each in found.items():
        caught = f"call {each.caught_at_call}, start {each.noted_at_start}, error {each.caught_at_error}"
        mean = f"per mistake {each.per_mistake.caught:.3f}, at the call {each.per_mistake.at_call:.3f}"
        alarms = f"{each.false_alarms} of {each.good_calls} good calls alarmed"
        yield f"  mistakes as {name}: {each.caught} of {each.repeats} ({caught}); {mean}; {alarms}"
    for name, each in found.items():
        for mistake in each.mistakes:
            if mistake.missed:
                count = f"{mistake.missed:>3} of {mistake.repeats:<3}"
                yield f"  missed {count} {mistake.why:<18} {mistake.summary or mistake.fingerprint} ({name})"
