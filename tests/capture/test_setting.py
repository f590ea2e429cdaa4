"""What a transcript states once applies to all its records; only the first line decides whose file it is."""

from pathlib import Path

from lessons.agents.base import Line, Record
from lessons.agents.events import Called, Prompted, Returned, Setting
from lessons.agents.outcomes import Verdict
from lessons.capture.memory import Memory
from lessons.capture.setting import asked, ended_task, folder_of, placed, sureness
from tests.builders.rollout import Rollout
from tests.cli.command_line import CommandLine

FIRST = Setting(session_id="s1", agent_id="a1", sidechain=True, typed=False, cwd="/shop", branch="main")


def _record(*events: Setting | Called) -> Record:
    return Record(Line(0), "any", True, 0, list(events))


def test_without_one_nothing_changes() -> None:
    record, memory = _record(Called("c", "c", "", "Bash", {})), Memory()
    assert placed(record, memory) is record and sureness(Prompted("go", "sure"), memory) == "sure"
    assert asked(Called("c", "c", "", "Bash", {}), memory).model == ""


def test_it_holds_until_another_one_says_something_else() -> None:
    memory = Memory()
    placed(_record(FIRST), memory)
    placed(_record(Setting(cwd="/shop/web", model="gpt-5.5")), memory)
    line = placed(_record(Called("c", "c", "", "Bash", {})), memory).line
    assert (line.session_id, line.agent_id, line.sidechain) == ("s1", "a1", True)
    assert (line.cwd, line.branch) == ("/shop/web", "main")
    assert asked(Called("c", "c", "", "Bash", {}), memory).model == "gpt-5.5"
    assert sureness(Prompted("go", "sure"), memory) == "no"


def test_a_copied_beginning_does_not_make_it_the_file_of_another() -> None:
    memory = Memory()
    placed(_record(FIRST), memory)
    placed(_record(Setting(session_id="parent", cwd="/elsewhere")), memory)
    assert memory.setting is not None and (memory.setting.session_id, memory.setting.cwd) == ("s1", "/shop")


def test_a_folder_that_a_line_names_holds_until_another_line_names_one() -> None:
    memory = Memory()
    nowhere = Line(0)
    for cwd, expected in (("", ""), ("/shop", "/shop"), ("", "/shop"), ("/web", "/web"), ("", "/web")):
        placed(Record(Line(0, cwd=cwd), "any", True, 0, []), memory)
        assert folder_of(nowhere, memory) == expected
    assert (memory.first_cwd, folder_of(Line(0, cwd="/api"), memory)) == ("/shop", "/api")


def test_beside_a_setting_the_folder_of_a_line_is_its_own_alone() -> None:
    memory = Memory()
    placed(_record(FIRST), memory)
    placed(Record(Line(0, cwd="/elsewhere"), "any", True, 0, [Called("c", "c", "", "Bash", {})]), memory)
    assert folder_of(Line(0), memory) == "/shop"
    assert memory.folders == {"/shop"} and memory.sessions == {"s1"}


def test_the_end_of_a_task_belongs_to_the_call_that_started_it() -> None:
    memory = Memory()
    asked(Called("poll", "poll", "", "write_stdin", {}, task_id="77"), memory)
    still, none = ended_task(memory, Returned("poll", Verdict("unknown", None), "", "77"), False)
    assert (still.verdict.outcome, still.task_id, none) == ("ok", "", None)
    result, end = ended_task(memory, Returned("poll", Verdict("failed", 2), "no"), True)
    assert result.verdict.outcome == "ok" and end is not None
    assert (end.task_id, end.verdict.exit_code, end.text) == ("77", 2, "no")
    other = Returned("poll", Verdict("failed", 2), "no")
    assert ended_task(memory, other, True) == (other, None), "it is told once"


def test_a_call_that_was_stopped_says_nothing_about_its_task() -> None:
    memory = Memory()
    asked(Called("poll", "poll", "", "write_stdin", {}, task_id="77"), memory)
    stopped = Returned("poll", Verdict("interrupted", None), "aborted by user")
    assert ended_task(memory, stopped, True) == (stopped, None)


def test_not_too_many_questions_are_remembered() -> None:
    memory = Memory()
    for number in range(200):
        asked(Called(f"c{number}", "", "", "write_stdin", {}, task_id="7"), memory)
    assert len(memory.asked_after) == 64 and "c199" in memory.asked_after


def test_a_session_of_an_excluded_project_stays_out_also_when_it_grows(tmp_path: Path) -> None:
    """Only the first line names the folder."""
    lessons = CommandLine(tmp_path)
    project = tmp_path / "secret"
    project.mkdir()
    lessons.ok("config", "set", "excludeProjects", str(project))
    session = Rollout("secret", cwd=str(project))
    session.prompt("Ship it.")
    session.shell("make secret-target", 2, "no\n")
    session.write(tmp_path / "rollouts")
    for number in range(2):
        found = lessons.json("scan", "--agent", "codex", "--path", str(tmp_path / "rollouts"))
        assert found["calls"]["total"] == 0, number
        session.shell("make another-secret", 2, "no\n")
        session.write(tmp_path / "rollouts")
    assert b"secret-target" not in (lessons.home / "history.db").read_bytes()
