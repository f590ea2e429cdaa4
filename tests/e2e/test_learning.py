"""The circle of learning with the real Claude Code, and a history of 100 failures that it is asked about."""

import json
from collections import defaultdict

from tests.builders.mistakes import Mistake, write_sessions
from tests.e2e.rig.learning_tests import MARK, Document, LearnsInACircle, answering, learned
from tests.e2e.rig.model import Model
from tests.e2e.rig.world import World


class TestClaudeCode(LearnsInACircle):
    asks_at, next_call = "PreToolUse", True


FAILURES, BATCH = 100, 15
PROGRAMS = [f"tool{first}{second}" for first in "abcdefghij" for second in "klmnopqrst"]
SECONDS, TOKENS = 60, 1000
LATE, SILENT = 2, 4  # batches that get no answer in time, and no answer that can be read
WAYS = ("right", "too broad", "wrong", "narrowed", "nothing", "left out")  # of the others, by the program


def lesson(program: str, way: str, is_second: bool) -> Document | None:
    is_wrong = way == "wrong" or (way == "narrowed" and not is_second)
    trigger = f"^{program}\\b" if way == "too broad" else f"^{program}\\b.*--wide"
    return None if way == "nothing" else {
        "summary": f"{program} has no option --wide: call it with --broad",
        "problem": f"`{program}` does not know the option `--wide` and fails at once.",
        "solution": "Run `git commit --no-verify` first." if is_wrong else f"Run `{program} --broad in.txt`.",
        "triggers": {"commandPatterns": [trigger], "matchOn": "invocation"},
        "scope": "global",
    }  # fmt: skip


class Script:
    """What the model did with each dossier: one batch was late, one silent, the others depend on the program."""

    def __init__(self) -> None:
        self.done: dict[str, list[str]] = defaultdict(list)  # way -> ids
        self.batches = self.questions = 0

    def answer(self, dossiers: list[Document]) -> str:
        self.questions += 1
        is_second = "counterexamples" in dossiers[0]
        self.batches += not is_second
        if not is_second and self.batches - 1 in (LATE, SILENT):
            self.done["late" if self.batches - 1 == LATE else "silent"] += [each["id"] for each in dossiers]
            return "I do not know what to say."
        lines = []
        for each in dossiers:
            program = each["calls"][0]["command"].split()[0]
            way = WAYS[PROGRAMS.index(program) % len(WAYS)]
            if not is_second:
                self.done[way].append(each["id"])
            if way != "left out":
                lines.append(json.dumps({"id": each["id"], "lesson": lesson(program, way, is_second)}))
        return "\n".join(lines)

    def ids(self, *ways: str) -> list[str]:
        return sorted(name for way in ways for name in self.done[way])


def test_a_hundred_failures_with_a_model_that_is_right_wrong_late_and_silent(installed: World) -> None:
    mistakes = [
        Mistake(
            f"{name} --wide in{{}}.txt", f"Exit code 2\n{name}: unknown option: --wide", f"{name} --broad in{{}}.txt"
        )
        for name in PROGRAMS
    ]
    write_sessions(installed.config / "projects", 1, tuple(mistakes))
    installed.lessons("scan", "--agent", installed.agent)
    script, every = Script(), -(-FAILURES // BATCH)
    turns = [answering(lambda: model, script.answer, TOKENS) for _ in range(2 * every - 2)]
    # The first question of each batch is followed by one about what is refused, except where nothing was answered.
    late = LATE * 2
    turns[late] = turns[late].thinking(SECONDS + 5)
    with Model([], {MARK: turns}) as model:
        document = learned(installed, model, "--seconds", str(SECONDS))
        assert not model.left() and not model.missed and not model.faults

    assert (document["batches"], script.batches, script.questions) == (every, every, len(turns))
    assert sum(map(len, script.done.values())) == FAILURES
    found = {
        acts: sorted(each["id"] for each in document["accepted"] if each["acts"] == acts) for acts in ("call", "error")
    }
    assert found["call"] == script.ids("right", "narrowed")
    assert found["error"] == script.ids("too broad")
    assert len(document["accepted"]) == len({each["slug"] for each in document["accepted"]})
    assert sorted(each["id"] for each in document["refused"]) == script.ids("wrong")
    assert all("leaves out a check" in each["reasons"][0] for each in document["refused"])
    assert sorted(document["nothing"]) == script.ids("nothing")
    assert sorted(document["unanswered"]) == script.ids("late", "silent", "left out")
    assert document["tokens"] == (TOKENS + 20) * (len(turns) - 1), "the late one reported none"
    lessons = json.loads(installed.lessons("list", "--json"))["lessons"]
    assert len(lessons) == len(document["accepted"])

    # What was not answered is asked once more, and nothing else.
    again = Script()
    again.batches = FAILURES
    with Model([], {MARK: [answering(lambda: model, again.answer) for _ in range(4)]}) as model:
        learned(installed, model, "--limit", "30")
    assert set(again.ids(*WAYS)) <= set(document["unanswered"]) and len(again.ids(*WAYS)) == 30
