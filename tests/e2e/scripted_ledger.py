"""Stories of a lesson and an agent in, the turns that play them and the expected ledger out.

Each story has its own lesson and program, so that no story is about the calls of another.
"""

import itertools
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tests.builders.lessons import blocking, in_own_words, lesson, stopping
from tests.e2e.rig.script import Turn, bash
from tests.e2e.rig.world import World

Row = tuple[str, str]  # what the hook did, what came of it
BAD, GOOD = "--bad", "--good"
_PROGRAM = """#!/bin/sh
case "$*" in
*--bad*) echo "error: unknown option --bad" >&2; exit 2 ;;
*--slow*) touch "begun-$(basename "$0")"; sleep 60 ;;
esac
echo done
"""
# What comes within a second of a stop was issued in parallel.
_READS = 1.2


@dataclass
class Story:
    """A lesson about one program, the calls of the agent, and one row for each call that is a chance."""

    name: str
    record: dict[str, object]
    turns: list[Turn] = field(default_factory=list)
    expected: dict[str, Row] = field(default_factory=dict)  # by the id of the call

    def run(self, option: str, decision: str = "", outcome: str = "", slowly: bool = False) -> "Story":
        """One call of the program; with a decision it is a chance."""
        identifier = f"{self.name}-{len(self.turns)}"
        turn = bash(f"./{self.name} {option}", identifier)
        self.turns.append(turn.thinking(_READS) if slowly else turn)
        if decision:
            self.expected[identifier] = (decision, outcome)
        return self


def hinting(name: str, **changes: object) -> Story:
    return Story(name, in_own_words(lesson(name, triggers=_about(name), **changes)))


def stopping_at(name: str, **changes: object) -> Story:
    return Story(name, in_own_words(stopping(name, triggers=_about(name), **changes)))


def blocking_at(name: str) -> Story:
    return Story(name, in_own_words(blocking(name, triggers=_about(name))))


def _about(name: str) -> dict[str, object]:
    return {"commandPatterns": [rf"(\./)?{name} "], "matchOn": "command"}


def heeded(name: str) -> Story:
    return hinting(name).run(BAD, "hint", "heeded").run(GOOD)


def ignored(name: str) -> Story:
    return hinting(name).run(BAD, "hint", "ignoredFailed").run(BAD)


def false_alarm(name: str) -> Story:
    return hinting(name).run(GOOD, "hint", "falseAlarm")


def stopped_for_nothing(name: str) -> Story:
    return stopping_at(name).run(GOOD, "stop", "falseAlarm").run(GOOD, slowly=True)


def corrected(name: str) -> Story:
    return stopping_at(name).run(BAD, "stop", "stoppedCorrected").run(GOOD, slowly=True)


def repeated(name: str) -> Story:
    return stopping_at(name).run(BAD, "stop", "stoppedRepeated").run(BAD, slowly=True)


def blocked_twice(name: str) -> Story:
    return blocking_at(name).run(BAD, "block", "stoppedRepeated").run(BAD, "block", "stoppedCorrected")


def overridden(name: str, world: World) -> Story:
    """The person lets the call pass: that counts once, at the call that ran."""
    story = blocking_at(name).run(GOOD, "block", "unknown").run(GOOD, "allowed", "overridden")
    story.turns[-1] = story.turns[-1].after(lambda: world.by_person("allow", name))
    return story


def left_at_that(name: str) -> Story:
    """Nothing tells what the agent made of the hint."""
    return hinting(name).run(BAD, "hint", "unknown")


def in_shadow(name: str, option: str) -> Story:
    return hinting(name, stage="shadow").run(option, "shadow", "notShown")


def muted(name: str) -> Story:
    return hinting(name).run(BAD, "muted", "notDelivered")


def named(kind: str, count: int) -> list[str]:
    return [f"{kind}{number}" for number in range(count)]


def prepare(world: World, stories: Sequence[Story], more: Sequence[dict[str, object]] = ()) -> None:
    """The lessons as a person has them, and the programs."""
    records = [*(story.record for story in stories), *more]
    records = [{**record, "createdAt": "2026-01-01T00:00:00Z"} for record in records]
    known = json.loads((world.data / "lessons.json").read_text("utf-8"))["lessons"] if _has_lessons(world) else []
    (world.data / "lessons.json").write_text(json.dumps({"lessons": [*known, *records]}), encoding="utf-8")
    world.lessons("build")
    programs(world, (story.name for story in stories))


def programs(world: World, names: Iterable[str]) -> None:
    for name in names:
        (world.project / name).write_text(_PROGRAM, encoding="utf-8")
        (world.project / name).chmod(0o755)


def _has_lessons(world: World) -> bool:
    return (world.data / "lessons.json").exists()


def played(stories: Iterable[Story]) -> list[Turn]:
    return list(itertools.chain.from_iterable(story.turns for story in stories))
