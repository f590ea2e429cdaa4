"""The bundle: with it no other file of the package is opened; without it, or if it is damaged, nothing changes."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from lessons.agents.table import AGENTS, DEFAULT_AGENT
from lessons.hook.bundled_modules import AT_ONCE, TOGETHER, WHEN_IMPORTED
from tests.builders import payloads
from tests.builders.home import DataHome, context_of, reason_of
from tests.builders.lessons import blocking, lesson, stopping
from tests.builders.memory import Remembered, failed
from tests.builders.package import PackageCopy
from tests.builders.rejected import Conversation

MATCHING = payloads.bash("git stash")
BLOCKED = payloads.bash("git push --force")
ERROR = payloads.failure(payloads.bash("ls *.x"), "zsh: no matches found: *.x")
EVENTS = {
    "nothing": payloads.bash("ls"),
    "hint": MATCHING,
    "block": BLOCKED,
    "stop": payloads.bash("git reset --hard"),
    "error": ERROR,
    "state": payloads.bash("cd web", cwd="/"),
    "subagent": payloads.subagent_start(),
    "start": payloads.session_start("startup"),
    "compact": payloads.session_start("compact"),
    "compaction": payloads.pre_compact(),
    "end of a turn": payloads.stop(),
    "end": payloads.session_end(),
    "commit": payloads.post_tool_use("git commit -m x"),
}
SILENT = ("nothing", "end of a turn", "end", "commit")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> PackageCopy:
    copy = PackageCopy(tmp_path_factory.mktemp("package"))
    copy.refresh()
    return copy


@pytest.fixture
def own_package(tmp_path: Path) -> PackageCopy:
    """A copy for tests that do harm to it."""
    copy = PackageCopy(tmp_path)
    copy.refresh()
    return copy


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    home = DataHome(tmp_path)
    errors = {"errorPatterns": ["no matches found"]}
    at_start = {"sessionStart": True}
    home.publish(
        lesson(),
        blocking(),
        stopping(),
        lesson("zsh-globs", triggers=errors),
        lesson("start", triggers=at_start),
        lesson("cd", triggers={"commandPatterns": [r"cd (\S+)"], "when": {"absent": ["{1}"]}}),
        lessonProtocol="always",
    )
    return home


@pytest.mark.parametrize("name", EVENTS)
def test_with_the_bundle_no_file_of_the_package_is_opened(package: PackageCopy, home: DataHome, name: str) -> None:
    trace = package.trace(home, EVENTS[name])
    inside = [path for path in trace.opened if path.startswith(str(package.root))]
    assert inside[:1] == [str(package.bundle)]
    assert inside[1:] in ([], [str(package.late)])
    assert trace.status == 0
    assert (trace.answer is None) is (name in SILENT)
    ours = {module: origin for module, origin in trace.modules.items() if module.partition(".")[0] == "lessons"}
    assert set(AT_ONCE) <= set(ours)
    assert set(ours) <= {*AT_ONCE, *WHEN_IMPORTED}
    # Were one loaded too early for what it imports, that would come from a file.
    assert {file for file, _ in ours.values()} == {""}


def test_what_no_match_needs_is_loaded_at_once_and_nothing_else(package: PackageCopy, home: DataHome) -> None:
    modules = package.trace(home, EVENTS["nothing"]).modules
    assert {module for module in modules if module.partition(".")[0] == "lessons"} == set(AT_ONCE)


def test_all_that_events_need_is_in_the_bundle(package: PackageCopy, home: DataHome, tmp_path: Path) -> None:
    loaded: set[str] = set()
    for folder in ("project/.git", "project/web"):
        (tmp_path / folder).mkdir(parents=True)
    loaded |= set(package.trace(home, payloads.bash("ls web/", cwd=str(tmp_path / "project" / "web"))).modules)
    memory = Remembered()
    memory.failures = [failed("lamp --lux 4", "Exit code 1\nunknown option --lux", "lamp 4")]
    memory.write(home.folder)
    loaded |= set(package.trace(home, payloads.bash("lamp --lux 5")).modules)
    for payload in EVENTS.values():
        loaded |= set(package.trace(home, payload).modules)
    for payload in (MATCHING, MATCHING):  # the second asks whether the words of the first arrived
        loaded |= set(package.trace(home, payload).modules)
    loaded |= set(package.trace(home, MATCHING, "--plugin").modules)
    loaded |= set(package.trace(home, payloads.bash("echo git push --force")).modules)
    loaded |= set(package.trace(home, payloads.bash("lessons mute x")).modules)
    withheld = payloads.bash("git stash", session="compared")
    loaded |= set(package.trace(home, withheld, LESSONS_HOLDOUT_RATE="1").modules)
    for agent in AGENTS.keys() - {DEFAULT_AGENT}:
        loaded |= set(package.trace(home, _matching(agent), "--agent", agent).modules)
    ended = {**_matching("codex"), "hook_event_name": "PostToolUse", "tool_response": "no"}
    loaded |= set(package.trace(home, ended, "--agent", "codex", "--plugin").modules)
    for payload in FOREIGN:  # sent by an agent that also runs the hooks in the settings of the default one
        loaded |= set(package.trace(home, payload).modules)
    loaded |= _of_recovery(package, home, tmp_path)
    (home.folder / "hook-index").unlink()
    loaded |= set(package.trace(home, payloads.bash("git stash", session="another")).modules)
    # The server loads all of them at its start, and no line here is one of PowerShell.
    elsewhere = {"lessons.agents.claude_code.resident", "lessons.shell.windows"}
    assert {module for module in loaded if module.partition(".")[0] == "lessons"} == {
        *AT_ONCE,
        *WHEN_IMPORTED,
    } - elsewhere


def _of_recovery(package: PackageCopy, home: DataHome, folder: Path) -> set[str]:
    """What a failure and the question load; the fix itself also loads the list of unsafe options, which is not hot."""
    on = {"LESSONS_LESSON_PROTOCOL": "recovery"}
    talk = Conversation(folder)
    failed = talk.payload("torch --lux 4")
    loaded = set(package.trace(home, payloads.failure(failed, "Exit code 2\nunknown flag: --lux"), **on).modules)
    talk.ended_without_a_record(failed, error=True)
    fix = talk.payload("torch 4")
    home.run(fix, **on)
    talk.ended_without_a_record(fix)
    trace = package.trace(home, talk.payload("ls"), **on)
    assert trace.answer is not None
    return loaded | set(trace.modules)


def _matching(agent: str) -> payloads.Payload:
    """A call that a lesson is about, at the event at which the agent is told, under all names of its fields."""
    row = AGENTS[agent]
    [event] = [name for name, hook in row.events.items() if hook.kind == row.hints_at]
    named = {"session": agent, "tool": "bash", "args": {"command": "git stash"}, "call": "one", "directory": "/"}
    tool = "Shell" if agent == "cursor" else "run_shell_command"
    return {**payloads.bash("git stash", session=agent), **named, "hook_event_name": event, "tool_name": tool}


FOREIGN: list[payloads.Payload] = [
    {"hook_event_name": "PreToolUse", "session_id": "c", "timestamp": "x", "cwd": "/"},
    {"hook_event_name": "PreToolUse", "conversation_id": "c"},
]


def test_modules_that_are_loaded_together_are_in_their_order() -> None:
    order = {name: position for position, name in enumerate(WHEN_IMPORTED)}
    names = [name for row in TOGETHER for name in row]
    assert len(set(names)) == len(names)
    for row in TOGETHER:
        positions = [order[name] for name in row]
        assert positions == sorted(positions)


def test_packages_come_before_their_modules() -> None:
    order = [*AT_ONCE, *WHEN_IMPORTED]
    assert len(set(order)) == len(order)
    for position, name in enumerate(order):
        parent = name.rpartition(".")[0]
        assert not parent or parent in order[:position]


HARM: dict[str, Callable[[bytes], bytes]] = {
    "half": lambda data: data[: len(data) // 2],
    "checksum": lambda data: data[:3] + bytes([data[3] ^ 0xFF]) + data[4:],
}


def assert_answers(home: DataHome, package: PackageCopy) -> None:
    assert "git push --force" in reason_of(home.run(BLOCKED, package.entry))
    assert "Stash with -u" in context_of(home.run({**MATCHING, "session_id": os.urandom(8).hex()}, package.entry))
    assert home.run(payloads.bash("ls"), package.entry) == (0, None)
    assert home.faults() == ""


def test_whatever_is_wrong_with_the_bundle_the_answer_is_the_same(own_package: PackageCopy, home: DataHome) -> None:
    sound = own_package.bundle.read_bytes()
    assert_answers(home, own_package)
    for name, harm in HARM.items():
        own_package.bundle.write_bytes(harm(sound))
        assert_answers(home, own_package)
        assert own_package.ask("bundle.is_fresh()") == "False", name
    own_package.bundle.unlink()
    assert_answers(home, own_package)
    own_package.bundle.mkdir()
    assert_answers(home, own_package)


def test_damage_in_a_module_that_is_loaded_late_changes_nothing(own_package: PackageCopy, home: DataHome) -> None:
    sound = own_package.late.read_bytes()
    for data in (sound[: len(sound) // 2] + b"\0garbage" * (len(sound) // 8), b"\xff" * 40, b""):
        own_package.late.write_bytes(data)
        assert_answers(home, own_package)
    own_package.late.unlink()
    assert_answers(home, own_package)


def test_a_changed_source_counts_at_once(own_package: PackageCopy, home: DataHome) -> None:
    source = own_package.package / "inject" / "session_start.py"
    source.write_text(source.read_text().replace("The user keeps notes", "Somebody keeps notes"))
    assert own_package.ask("bundle.is_fresh()") == "False"
    assert context_of(home.run(payloads.subagent_start(), own_package.entry)).startswith("Somebody keeps notes")
    own_package.refresh()
    assert context_of(home.run(payloads.subagent_start(), own_package.entry)).startswith("Somebody keeps notes")


def test_a_copy_with_its_bundle_runs_by_itself(own_package: PackageCopy, home: DataHome, tmp_path: Path) -> None:
    moved = PackageCopy(tmp_path / "moved")
    shutil.rmtree(moved.root)
    shutil.copytree(own_package.root, moved.root)
    trace = moved.trace(home, BLOCKED)
    assert [path for path in trace.opened if path.startswith(str(tmp_path / "moved"))] in (
        [str(moved.bundle)],
        [str(moved.bundle), str(moved.late)],
    )
    assert not [path for path in trace.opened if path.startswith(str(own_package.root))]
    shutil.rmtree(own_package.root)
    assert_answers(home, moved)
