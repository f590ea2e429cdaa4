"""Which candidates are promoted together."""

from pathlib import Path

from lessons.promote.decide import selected
from lessons.store.history.history import History
from tests.builders.candidates import Seen, put_into


def test_near_duplicates_bring_their_evidence(tmp_path: Path) -> None:
    with History.opened(str(tmp_path)):
        put_into(tmp_path, "first")
        put_into(tmp_path, "near", seen=[Seen("elsewhere", uuid="u9")])
        put_into(tmp_path, "other", problem="`lamp` has no `--lux`", solution="Leave out `--lux`.")
    ((first, *alike),) = selected(str(tmp_path), ["first"])
    assert first.source_session_ids == ["s1", "s2"]
    assert [(each.fingerprint, each.source_session_ids) for each in alike] == [("near", ["elsewhere"])]
    assert first.proposed_trigger or first.no_trigger
