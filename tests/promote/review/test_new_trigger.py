"""A trigger that a person has changed: it can fire."""

from lessons.lesson_fields import FIRING
from lessons.model import Triggers
from lessons.promote.backtest import backtest
from lessons.promote.review_case import alone, with_patterns
from tests.builders.past import Past, failed, history_of
from tests.tables import table

KINDS = {field.looks_at: field for field in FIRING}
NOTE = Triggers(session_start=True)
IN_SHELLS = Triggers(tool_names=["Bash"], command_patterns=["gh"])
CALLS = (
    failed("gh pr diff --stat"),
    Past(tool="Write", arguments={"file_path": "/shop/till.py", "content": "print(1)"}),
)


@table(
    ("present", "kind", "pattern"),
    [
        # Each of these was a dead lesson: a note fires at no call, and shells write no files.
        (NOTE, "command", "gh pr"),
        (NOTE, "error", "no such flag"),
        (NOTE, "path", "**/till.py"),
        (IN_SHELLS, "path", "**/till.py"),
        (IN_SHELLS, "content", "print"),
        (Triggers(), "command", "gh pr"),
        (Triggers(error_patterns=["never"]), "command", "gh pr"),
        (Triggers(tool_names=["Write"], path_patterns=["**/till.py"]), "content", "print"),
    ],
)
def test_what_was_changed_fires(present: Triggers, kind: str, pattern: str) -> None:
    field = KINDS[kind]  # type: ignore[index]
    for triggers in (with_patterns(present, field, [pattern]), alone(present, field, pattern)):
        with history_of(*CALLS) as history:
            assert backtest(history, triggers).hits > 0


def test_a_command_is_looked_at_from_its_start_unless_the_trigger_says_otherwise() -> None:
    field = KINDS["command"]
    assert with_patterns(Triggers(), field, ["gh"]).match_on == "invocation"
    assert with_patterns(Triggers(command_patterns=["x"]), field, ["gh"]).match_on is None
    assert with_patterns(Triggers(match_on="script"), field, ["gh"]).match_on == "script"
