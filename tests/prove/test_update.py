"""The ledger depends only on calls, log and lessons: in any order and however often they arrive."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lessons.opportunity import Opportunity
from lessons.prove.stats import stats_of
from lessons.prove.update import update_ledger
from lessons.scan.run import Options, run
from lessons.store import logs
from lessons.store.history.history import History
from lessons.store.logs import read_faults as faults_of
from tests.builders.lessons import lesson, stopping
from tests.builders.transcript import Session
from tests.sizes import examples
from tests.store.history.test_hook_log import line
from tests.tables import table

WRONG = "Exit code 2\nerror: unknown option --bad"


class Worked:
    """Sessions of an agent and the log of a hook, stored in pieces as a test wants them."""

    def __init__(self, root: Path) -> None:
        self.home, self.projects = root / "home", root / "projects"
        self.home.mkdir(parents=True)
        self.projects.mkdir()
        self.sessions: dict[str, Session] = {}
        self.lines: list[str] = []

    def lessons(self, *records: dict[str, object]) -> None:
        (self.home / "lessons.json").write_text(json.dumps({"lessons": records}), encoding="utf-8")

    def run(self, session: str, command: str, wrong: bool = False, decision: str = "", slug: str = "") -> str:
        made = self.sessions.setdefault(session, Session(session))
        call = made.call("Bash", {"command": command})
        denied = decision in ("stop", "block")
        text = "PreToolUse:Bash hook error: no" if denied else WRONG if wrong else "done"
        made.result(call, text, error=wrong or denied, denial="permission-rule" if denied else None)
        if decision:
            known = {"session": made.id, "toolUseId": call, "decision": decision, "slug": slug, "lesson": f"id-{slug}"}
            self.lines.append(line(len(self.lines), **known))
        return call

    def write(self, *sessions: str) -> None:
        for name in sessions or self.sessions:
            self.sessions[name].write(self.projects)

    def log(self, *lines: str) -> None:
        with (self.home / "injections.jsonl").open("a", encoding="utf-8") as file:
            file.write("".join(lines or self.lines))

    def scan(self) -> list[Opportunity]:
        run(str(self.home), Options([str(self.projects)], processes=1), then=update_ledger)
        assert faults_of(str(self.home)) == []
        with History.for_reading(str(self.home)) as history:
            return history.ledger.opportunities()


def lived(root: Path) -> Worked:
    """Three sessions with hints, stops, calls from before and calls that nothing is about."""
    worked = Worked(root)
    worked.lessons(
        lesson("stash", triggers={"commandPatterns": ["git stash"]}, createdAt="2025-01-01T00:00:00Z"),
        stopping("reset", createdAt="2025-01-01T00:00:00Z"),
    )
    worked.run("one", "git stash", wrong=True)
    worked.run("one", "git stash -u")
    worked.run("two", "git stash", wrong=True, decision="hint", slug="stash")
    worked.run("two", "git stash -u")
    worked.run("two", "git reset --hard", decision="stop", slug="reset")
    worked.run("two", "git reset --soft")
    worked.run("three", "git stash", decision="hint", slug="stash")
    worked.run("three", "git stash", wrong=True)
    worked.run("three", "ls")
    return worked


def told(found: list[Opportunity]) -> list[tuple[str, str, str]]:
    return [(each.slug, each.decision, each.outcome) for each in found]


ALL = [
    ("stash", "none", "notShown"),
    ("stash", "hint", "heeded"),
    ("reset", "stop", "stoppedCorrected"),
    ("stash", "hint", "ignoredFailed"),
]


def test_what_was_judged_is_not_judged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worked = lived(tmp_path)
    worked.write()
    worked.log()
    before = worked.scan()
    monkeypatch.setattr("lessons.prove.update.Judge.opportunities", lambda *given: pytest.fail("judged again"))
    assert worked.scan() == before


def test_a_lesson_that_changes_is_judged_anew_and_one_that_goes_leaves_nothing(tmp_path: Path) -> None:
    worked = lived(tmp_path)
    worked.write()
    worked.log()
    worked.scan()
    worked.lessons(lesson("stash", triggers={"commandPatterns": ["^ls"]}))
    assert sorted(told(worked.scan())) == [("stash", "hint", "falseAlarm"), ("stash", "hint", "heeded")]
    worked.lessons()
    assert worked.scan() == []
    worked.lessons(stopping("reset"))
    assert told(worked.scan()) == [("reset", "stop", "stoppedCorrected")]


def test_a_fault_in_the_ledger_does_not_stop_the_scan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worked = lived(tmp_path)
    worked.write()
    with monkeypatch.context() as broken:
        broken.setattr("lessons.prove.update.lessons_of", lambda home: 1 // 0)
        finished = run(str(worked.home), Options([str(worked.projects)], processes=1), then=update_ledger)
    assert finished.coverage.files.read == 3
    assert "ledger ZeroDivisionError" in faults_of(str(worked.home))[0]


def test_a_fork_belongs_to_the_call_and_not_to_the_copy(tmp_path: Path) -> None:
    """The log names the session of the fork, where the call was made before."""
    worked = lived(tmp_path)
    original = worked.sessions["two"]
    forked = original.fork("forked")
    worked.sessions["forked"] = forked
    worked.write()
    worked.log()
    assert sorted(told(worked.scan())) == sorted(ALL)


PIECES = [("session", name) for name in ("one", "two", "three")] + [("line", str(number)) for number in range(3)]


@given(st.permutations(PIECES), st.lists(st.booleans(), min_size=len(PIECES), max_size=len(PIECES)))
@settings(max_examples=examples(12), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_arrives_late_changes_only_what_it_adds(
    tmp_path_factory: pytest.TempPathFactory, order: list[tuple[str, str]], scans: list[bool]
) -> None:
    worked = lived(tmp_path_factory.mktemp("worked"))
    before: dict[tuple[str, str], Opportunity] = {}
    sessions = {session.id: name for name, session in worked.sessions.items()}
    for (kind, name), is_scanned in zip(order, scans, strict=True):
        changed = name if kind == "session" else sessions[json.loads(worked.lines[int(name)])["session"]]
        if kind == "session":
            worked.write(name)
        else:
            worked.log(worked.lines[int(name)])
        if is_scanned:
            after = {(each.lesson, each.tool_use_id): each for each in worked.scan()}
            if all(scans):
                others = {key: each for key, each in before.items() if sessions[each.session] != changed}
                assert {key: each for key, each in after.items() if sessions[each.session] != changed} == others
            before = after
    assert sorted(told(worked.scan())) == sorted(ALL)


def test_two_identical_runs_give_identical_output(tmp_path: Path) -> None:
    found = []
    for name in ("first", "second"):
        worked = lived(tmp_path / name)
        worked.write()
        worked.log()
        found.append((worked.scan(), stats_of(str(worked.home))))
    assert found[0] == found[1]


def test_a_line_of_the_hook_is_what_is_judged(tmp_path: Path) -> None:
    """The keys that the hook writes are those that the fold reads."""
    from lessons.match.call import ToolCall
    from lessons.store.manifest import PublishedLesson, compile_source

    worked = lived(tmp_path)
    call = worked.run("two", "git stash pop")
    worked.write()
    shown = PublishedLesson("id-stash", {"slug": "stash"}, compile_source)
    made = ToolCall("Bash", {}, agent="claude-code", session=worked.sessions["two"].id, tool_use_id=call, cwd="/x")
    logs.record_injections(str(worked.home), "PreToolUse", made, [(shown, "shadow", "x")])
    assert [(each.tool_use_id, each.decision) for each in worked.scan() if each.decision == "shadow"] == [
        (call, "shadow")
    ]


@table("model", ['"\\ud800"', "NaN", '"a\tb"', "{}"])
def test_a_line_that_only_python_can_read_is_judged(tmp_path: Path, model: str) -> None:
    """The hook writes what a client sends: half of a surrogate pair, which SQLite reads as no text at all."""
    worked = lived(tmp_path)
    worked.write()
    worked.log(*(each.replace('"model":null', f'"model":{model}') for each in worked.lines))
    assert sorted(told(worked.scan())) == sorted(ALL)


def test_patterns_that_publishing_leaves_out_never_fire(tmp_path: Path) -> None:
    """Neither a wrong regex nor one that would hang the scan."""
    worked = lived(tmp_path)
    worked.run("one", "a" * 40 + "!")
    worked.write()
    worked.log()
    patterns = [["git (stash"], ["^(a+)+$"]]
    broken = [lesson(f"broken{number}", triggers={"commandPatterns": each}) for number, each in enumerate(patterns)]
    worked.lessons(stopping("reset"), *broken)
    assert told(worked.scan()) == [("reset", "stop", "stoppedCorrected")]
