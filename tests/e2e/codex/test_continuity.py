"""The state of a session survives its compaction."""

from tests.e2e.codex.world import CodexWorld, shell
from tests.e2e.rig.script import say
from tests.e2e.rig.seen import seen
from tests.e2e.test_continuity import COMMAND, FAILING, RECORD, record_in

_EARLY = "model_auto_compact_token_limit = 20000"


def test_automatic_compaction_restores_the_handoff(installed: CodexWorld) -> None:
    turns = [shell(COMMAND), shell(FAILING), shell("true").using(100_000), shell("true"), say("Done.")]

    talk = installed.talk("Do the accounts.", turns, more=_EARLY)

    assert [request.route for request in talk.recorded].count("compaction") == 1
    text = talk.requests[3].text
    assert text.count(RECORD) == 1
    record = record_in(text)
    assert f"exit 0: {COMMAND}" in record and f"exit 2: {FAILING}" in record
    assert "Do the accounts." in record
    assert installed.faults() == ""
    seen("codex", "PreCompact", "the handoff is saved before and restored after a compaction", True)
