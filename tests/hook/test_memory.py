"""When memory stays silent: where a lesson answers, about the call that worked, and about what works in the session."""

from collections.abc import Callable
from pathlib import Path

import pytest

from lessons.agents.hook_event import AFTER_CALL, AFTER_FAILURE, BEFORE_CALL, HookEvent
from lessons.hook.calls import after_call, before_call, hints_after
from lessons.hook.memory import look_up
from lessons.match.call import ToolCall
from lessons.store.history.episodes import FailedCall
from tests.builders.client_lines import REJECTED
from tests.builders.home import DataHome
from tests.builders.lessons import lesson
from tests.builders.memory import Remembered, failed
from tests.builders.payloads import FOLDER
from tests.builders.transcript import Session

LIGHT, DIM = "lamp light --lux 9", "lamp light --lux 9 --dim"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Two mistakes about one option are remembered."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    remembered = Remembered()
    remembered.failures = [
        failed("lamp light --lux 4", "Exit code 1\nerror: unknown option --lux", "lamp light 4"),
        failed("lamp light --lux 3 --dim", "Exit code 1\nerror: the bulb does not know lux", "lamp light 3 --dim"),
    ]
    remembered.write(tmp_path)
    return str(tmp_path)


ERROR = "Exit code 1\nerror: unknown option --lux"
LONG = "lamp light 4 " + "--room kitchen " * 20


@pytest.mark.parametrize(
    ("remembered", "call"),
    [
        (failed(LIGHT, ERROR, "lamp light  4"), ToolCall("Bash", {"command": "lamp  light 4"}, cwd=FOLDER)),
        (failed(LIGHT, ERROR, LONG), ToolCall("Bash", {"command": LONG}, cwd=FOLDER)),
        (
            failed("", ERROR, tool="mcp__lamp__on", arguments={"lux": 4}, worked_arguments={"watt": 4}),
            ToolCall("mcp__lamp__on", {"watt": 4}, cwd=FOLDER),
        ),
    ],
)
def test_silent_at_an_error_of_the_call_that_worked_then(
    tmp_path: Path, remembered: FailedCall, call: ToolCall
) -> None:
    memory = Remembered()
    memory.failures = [remembered]
    memory.write(tmp_path)
    call.error = ERROR
    assert look_up(str(tmp_path), call) is None
    other = ToolCall("Bash", {"command": "sh lights.sh"}, cwd=FOLDER, error=ERROR)
    assert look_up(str(tmp_path), other) is not None


@pytest.mark.parametrize(
    ("stage", "pattern", "says_memory"),
    [
        ("active", "unknown option", False),
        ("shadow", "unknown option", True),
        ("active", "another error", True),
        ("retired", "unknown option", True),
    ],
)
def test_silent_at_an_error_that_a_lesson_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str, pattern: str, says_memory: bool
) -> None:
    data = DataHome(tmp_path)
    monkeypatch.setenv("TMPDIR", str(data.temporary))
    data.publish(lesson(stage=stage, triggers={"errorPatterns": [pattern]}))
    memory = Remembered()
    memory.failures = [failed(LIGHT, ERROR, "lamp light 4")]
    memory.write(data.folder)
    talk = Talk(data.path, tmp_path / "projects")
    # The second time the lesson is not shown again, and still it is the answer.
    events = [talk.event(AFTER_FAILURE, "sh lights.sh", call, error=ERROR) for call in ("c1", "c2")]
    replies = [before_call(event, data.path) for event in events]
    said = [reply.context for reply in replies if reply]
    assert sum("Remembered by `lessons`" in text for text in said) == says_memory


def test_silent_at_the_error_of_a_call_that_a_lesson_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = DataHome(tmp_path)
    monkeypatch.setenv("TMPDIR", str(data.temporary))
    data.publish(lesson(triggers={"toolNames": ["Bash"], "commandPatterns": ["lamp light --lux"]}))
    memory = Remembered()
    memory.failures = [failed(LIGHT, ERROR, "lamp light 4")]
    memory.write(data.folder)
    talk = Talk(data.path, tmp_path / "projects")
    for line, speaks in ((LIGHT, False), ("sh lights.sh", True)):
        reply = before_call(talk.event(AFTER_FAILURE, line, line, error=ERROR), data.path)
        assert (reply is not None) == speaks, line


@pytest.mark.parametrize(
    ("known", "folder", "repositories", "client", "is_own"),
    [
        ("home", "home/acme/src", [], "", False),  # whoever worked in the folder above
        ("home", "home/acme/src", ["home/acme"], "", False),
        ("home", "home/acme/src", ["home"], "", True),
        ("home/shop/web", "home/shop/web/src", ["home/shop"], "", True),
        ("home/shop/web", "home/shop/api", ["home/shop"], "", False),  # nothing known tells whose it is
        ("home/shop", "home/shop/api", ["home/shop"], "", True),
        ("home/shop", "home/shop/api", [], "home/shop", True),
        ("home/shop", "home/shop/api", [], "home/shop/api", False),
    ],
)
def test_whose_folder_it_is(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    known: str,
    folder: str,
    repositories: list[str],
    client: str,
    is_own: bool,
) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path / client) if client else "")
    for name in (folder, *(f"{each}/.git" for each in repositories)):
        (tmp_path / name).mkdir(parents=True)
    project = str(tmp_path / known)
    memory = Remembered()
    memory.failures = [failed(LIGHT, ERROR, "lamp light --acme", cwd=project, project=project)]
    memory.write(tmp_path)
    found = look_up(str(tmp_path), ToolCall("Bash", {"command": "x"}, cwd=str(tmp_path / folder), error=ERROR))
    assert found and found.is_own == is_own


@pytest.mark.parametrize("code", ["²", "--", "x", "٣"])
def test_an_exit_code_that_is_no_number(home: str, code: str) -> None:
    error = f"Exit code {code}\nerror: unknown option --lux"
    assert look_up(home, ToolCall("Bash", {"command": "x"}, cwd=FOLDER, error=error)) is not None


class Talk:
    """A session of a client: calls before they run, in order."""

    def __init__(self, home: str, folder: Path, agent: str = "claude-code", name: str = "s1") -> None:
        self.home, self.folder, self.agent = home, folder, agent
        self.session = Session(name, cwd=FOLDER)
        self.session.prompt("Light it.")

    def event(self, kind: str, line: str, call: str, agent_id: str = "", error: str = "") -> HookEvent:
        made = ToolCall(
            "Bash",
            {"command": line},
            agent=self.agent,
            session=self.session.id,
            agent_id=agent_id,
            tool_use_id=call,
            cwd=FOLDER,
            error=error or None,
        )
        transcript = str(self.session.write(self.folder))
        return HookEvent(kind, agent=self.agent, session=self.session.id, transcript=transcript, error=error, call=made)

    def before(self, line: str, agent_id: str = "") -> tuple[str, str]:
        """The id of a call, and what is said before it runs."""
        call = self.session.call("Bash", {"command": line})
        reply = before_call(self.event(BEFORE_CALL, line, call, agent_id), self.home)
        return call, reply.context if reply else ""


@pytest.fixture
def talk(home: str, tmp_path: Path) -> Talk:
    return Talk(home, tmp_path / "projects")


def nothing_yet(session: Session, call: str) -> None:
    session.hook_context(call, "a text", "PreToolUse")


def failed_too(session: Session, call: str) -> None:
    session.result(call, "Exit code 1\nerror: no lux", error=True)


def rejected(session: Session, call: str) -> None:
    session.result(call, REJECTED, denial="user-rejected")


def began_in_the_background(session: Session, call: str) -> None:
    session.result(call, "Command running in background with ID: b1", background="b1")


def another_worked(session: Session, call: str) -> None:
    session.result(session.call("Bash", {"command": "ls"}), "a\nb")


def worked(session: Session, call: str) -> None:
    session.result(call, "lit")


@pytest.mark.parametrize(
    ("happened", "is_silent"),
    [
        (nothing_yet, False),  # it may run in parallel
        (failed_too, False),
        (rejected, False),
        (began_in_the_background, False),
        (another_worked, False),
        (worked, True),
    ],
)
def test_after_the_call_it_spoke_about(talk: Talk, happened: Callable[[Session, str], None], is_silent: bool) -> None:
    call, said = talk.before(LIGHT)
    assert "failed 1 of 1 time" in said
    happened(talk.session, call)
    assert (talk.before(DIM)[1] == "") is is_silent


def test_without_a_transcript_it_still_speaks(talk: Talk) -> None:
    worked(talk.session, talk.before(LIGHT)[0])
    event = talk.event(BEFORE_CALL, DIM, "c2")
    for file in talk.folder.rglob("*.jsonl"):
        file.unlink()
    assert before_call(event, talk.home)


def test_for_the_whole_session_and_no_other(talk: Talk, home: str, tmp_path: Path) -> None:
    worked(talk.session, talk.before(LIGHT)[0])
    for line in (LIGHT, DIM):
        assert talk.before(line, agent_id="a1")[1] == ""
    assert Talk(home, tmp_path / "projects", name="s2").before(LIGHT)[1]


def test_a_later_call_with_the_same_option_counts_too(talk: Talk) -> None:
    failed_too(talk.session, talk.before(LIGHT)[0])
    call, said = talk.before("lamp light --lux 10")
    assert said == ""  # told once
    worked(talk.session, call)
    assert talk.before(DIM)[1] == ""


def test_only_digests_are_stored(talk: Talk, tmp_path: Path) -> None:
    worked(talk.session, talk.before(LIGHT)[0])
    talk.before(DIM)
    (file,) = tmp_path.rglob("tried")
    assert b"lux" not in file.read_bytes()


@pytest.mark.parametrize("damage", [b"", b"tried\n", b"\xff\xfe worked\nworked\ntried a b", b"tried x y z\n" * 9000])
def test_a_damaged_file_leaves_it_talkative(talk: Talk, tmp_path: Path, damage: bytes) -> None:
    talk.before(LIGHT)
    (file,) = tmp_path.rglob("tried")
    file.write_bytes(damage)
    assert talk.before(DIM)[1]


def test_a_client_that_runs_the_hook_after_its_calls(home: str, tmp_path: Path) -> None:
    talk = Talk(home, tmp_path / "projects", "codex")
    assert before_call(talk.event(BEFORE_CALL, LIGHT, "c1"), home)
    for call, is_silent in (("c0", False), ("c1", True)):
        ended = talk.event(AFTER_CALL, LIGHT, call)
        ended.worked = True
        after_call(ended, home)
        said = before_call(talk.event(BEFORE_CALL, DIM, "c2", agent_id=call), home)
        assert (said is None) is is_silent, call


def test_a_hint_that_comes_with_the_result_of_a_call_that_worked_is_none(home: str, tmp_path: Path) -> None:
    talk = Talk(home, tmp_path / "projects", "opencode")
    assert hints_after(talk.event(AFTER_CALL, LIGHT, "c1"), home) is None
    assert hints_after(talk.event(AFTER_FAILURE, DIM, "c2", error="Exit code 1\nno"), home) is None
    other = Talk(home, tmp_path / "projects", "opencode", "s2")
    assert hints_after(other.event(AFTER_FAILURE, DIM, "c3", error="Exit code 1\nno"), home)


@pytest.mark.parametrize(
    ("setting", "chosen", "heard"),
    [
        ("LESSONS_DEDUP_SCOPE", "context", [True, True]),
        ("LESSONS_DEDUP_SCOPE", "session", [True, False]),
        ("LESSONS_INJECTION_BUDGET_BYTES", "100", [False, False]),
    ],
)
def test_settings_of_lessons_bind_memory_too(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, setting: str, chosen: str, heard: list[bool]
) -> None:
    monkeypatch.setenv(setting, chosen)
    assert [bool(talk.before(LIGHT, agent_id)[1]) for agent_id in ("", "sub")] == heard
