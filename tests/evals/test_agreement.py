"""The back-test is compared with the hook call by call; differences are reported."""

from pathlib import Path

from evals.agreement import agreement
from lessons.promote.starter import pack
from tests.builders.past import Past, failed, home_with
from tests.evals.labelled import found


def test_every_trigger_on_every_call(tmp_path: Path) -> None:
    calls = [failed("till open 7 --now"), Past(command="till open 7"), Past(tool="Read", arguments={"path": "/a"})]
    home_with(tmp_path, *calls, failed("ls", error="no such thing"))
    proposed: list[dict[str, object] | None] = [
        {"commandPatterns": ["till open .*--now"]},
        {"errorPatterns": ["no such (flag|thing)"]},
        {"commandPatterns": ["("]},
        # Whether it fires depends on the machine that asks.
        {"commandPatterns": ["^till"], "matchOn": "invocation", "when": {"missing": ["till"]}},
        None,
    ]
    queue = [found(index=number, proposed_trigger=triggers) for number, triggers in enumerate(proposed)]
    made = agreement(str(tmp_path), queue)
    usable = 2 + sum(not _asks_for_state(document) for document in pack())
    assert (made.triggers, made.calls, made.fired, made.differences) == (usable, 4, 3, [])
    assert usable < 2 + len(pack())


def _asks_for_state(document: dict[str, object]) -> bool:
    triggers = document["triggers"]
    assert isinstance(triggers, dict)
    return not {"missing", "absent", "present", "dirty", "folder"}.isdisjoint(triggers.get("when", {}))
