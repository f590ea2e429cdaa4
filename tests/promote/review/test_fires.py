"""Whether a trigger fires on what its candidate was learned from."""

import sqlite3

from lessons import config
from lessons.model import Scope, Triggers, When
from lessons.promote.queue import whole
from lessons.promote.review_case import unfired
from lessons.store.history.history import History
from tests.builders.candidates import Seen, put
from tests.builders.past import SHOP, Past, fill
from tests.builders.past import failed as failed_call
from tests.store.history.history import history
from tests.tables import table

LINE = "gh pr diff 7 --stat"
EVERYWHERE = Scope(type="global")


def learned(connection: sqlite3.Connection) -> None:
    fill(connection, [failed_call(LINE), failed_call(f"cd x && {LINE}"), Past(command="gh pr diff 7 --name-only")])
    put(connection, seen=(Seen(failed="t0", fixed="t2"), Seen("s2", failed="t1", uuid="u2")))


@table(
    ("triggers", "scope", "hits"),
    [
        (Triggers(command_patterns=["--stat"], match_on="invocation"), EVERYWHERE, 0),
        (Triggers(command_patterns=["gh pr"], unless=["--stat"]), EVERYWHERE, 0),
        (Triggers(error_patterns=["something else"]), EVERYWHERE, 0),
        (Triggers(path_patterns=["**/a.py"]), EVERYWHERE, 0),
        (Triggers(command_patterns=["gh pr"]), Scope(type="project", path="/elsewhere"), 0),
        (Triggers(command_patterns=["^gh pr"]), EVERYWHERE, 1),
        (Triggers(command_patterns=["gh pr"], match_on="invocation"), Scope(type="project", path=SHOP), 2),
        (Triggers(error_patterns=["no such flag"]), EVERYWHERE, 2),
        # No history tells the state: it is taken for the one that is asked for.
        (Triggers(command_patterns=["gh pr"], when=When(missing=["gh"])), EVERYWHERE, 2),
    ],
)
def test_hits(triggers: Triggers, scope: Scope, hits: int) -> None:
    with history() as made:
        learned(made.connection)
        stored = History(made.connection, "")
        found = unfired(stored, whole(stored, config.load("", {})), triggers, scope)
    assert found == ("" if hits else "It does not fire on any of the 2 calls it was learned from.")


def test_where_nothing_is_known_nothing_is_said() -> None:
    with history() as made:
        put(made.connection)
        stored = History(made.connection, "")
        assert unfired(stored, whole(stored, config.load("", {})), Triggers(command_patterns=["x"]), EVERYWHERE) == ""
