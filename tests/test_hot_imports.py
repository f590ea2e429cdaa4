"""What a tool call loads: next to nothing on the fast path, `re` and its imports on the other."""

from pathlib import Path

import pytest

from lessons.hook.bundled_modules import AT_ONCE, WHEN_IMPORTED
from tests.builders import payloads
from tests.builders.home import DataHome
from tests.builders.lessons import blocking, lesson, stopping
from tests.builders.package import PackageCopy, run_bare
from tests.builders.rejected import Conversation

OURS = {*AT_ONCE, *WHEN_IMPORTED}
# Parts of the interpreter itself, and one in a file of its own that takes no search.
NATIVE = {"_imp", "_json", "_signal", "_sre", "gc", "marshal", "math", "posix", "sys", "time"}
NEVER = {
    "contextlib", "dataclasses", "enum", "functools", "importlib", "inspect", "json", "msgspec", "os", "pathlib", "re",
    "signal", "stat", "subprocess", "tempfile", "types", "typing",
}  # fmt: skip
CALLS = {
    "nothing": payloads.bash("ls -la"),
    "no command": payloads.pre_tool_use("Bash", None),
    "another tool": payloads.mcp({"title": "x"}),
    "hint": payloads.bash("cd /shop && git stash"),
    "state": payloads.bash("cd web", cwd="/"),
    "state, quoted": payloads.bash("cd 'web'", cwd="/"),
    "path": payloads.edit("/home/somebody/shop/a.py", "print(日本)"),
    "stop": payloads.bash("git reset --hard"),
    "block": payloads.bash("git push --force"),
    "mention of what is blocked": payloads.bash("echo git push --force"),
    "error": payloads.failure(payloads.bash("ls"), "Exit code 1\nno matches found"),
    "subagent": payloads.subagent_start(),
    "start": payloads.session_start("startup", model="claude-opus-5"),
    "compacted": payloads.session_start("compact"),
    "compaction": payloads.pre_compact(),
    "end of a turn": payloads.stop(),
    "end": payloads.session_end(),
    "commit": payloads.post_tool_use("git commit -m x"),
}
SILENT = ("nothing", "no command", "another tool", "mention of what is blocked", "end of a turn", "end", "commit")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> PackageCopy:
    copy = PackageCopy(tmp_path_factory.mktemp("package"))
    copy.refresh()
    return copy


@pytest.fixture(scope="module")
def unbundled(tmp_path_factory: pytest.TempPathFactory) -> PackageCopy:
    return PackageCopy(tmp_path_factory.mktemp("unbundled"))


@pytest.fixture(scope="module")
def brought_by_re() -> set[str]:
    program = "import sys; bare = set(sys.modules); import re; print(*(set(sys.modules) - bare))"
    return set(run_bare("-c", program).split())


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    home = DataHome(tmp_path)
    home.publish(
        lesson(),
        blocking(),
        stopping(),
        lesson("paths", triggers={"pathPatterns": ["*.py"], "contentPatterns": ["日本"]}),
        lesson("errors", triggers={"errorPatterns": ["no matches found"]}),
        lesson("models", triggers={"commandPatterns": ["git"], "when": {"models": ["haiku"]}}),
        lesson("start", triggers={"sessionStart": True}),
        lesson("state", triggers={"commandPatterns": [r"cd (\S+)"], "when": {"absent": ["{1}"]}}),
        lessonProtocol="always",
    )
    return home


@pytest.mark.parametrize("name", CALLS)
def test_the_fast_path_loads_next_to_nothing(package: PackageCopy, home: DataHome, name: str) -> None:
    trace = package.trace(home, CALLS[name])
    assert (trace.answer is None) is (name in SILENT)
    assert not NEVER & set(trace.modules)
    assert set(trace.modules) - OURS <= NATIVE


CODEX = {"turn_id": "t1", "tool_use_id": "call_1", "model": "gpt-5.5"}
CALLS_OF_CODEX = {
    "nothing": {**payloads.bash("ls -la"), **CODEX},
    "hint": {**payloads.bash("cd /shop && git stash"), **CODEX},
    "stop": {**payloads.bash("git reset --hard"), **CODEX},
    "block": {**payloads.bash("git push --force"), **CODEX},
    "patch": {**payloads.bash("*** Begin Patch\n*** Add File: a.py\n+日本\n"), **CODEX, "tool_name": "apply_patch"},
    "result": {**payloads.post_tool_use("ls"), **CODEX},
    "start": {**payloads.session_start("startup"), **CODEX},
    "compaction": {**payloads.pre_compact(), **CODEX},
}


@pytest.mark.parametrize("name", CALLS_OF_CODEX)
def test_the_fast_path_of_another_agent_too(package: PackageCopy, home: DataHome, name: str) -> None:
    trace = package.trace(home, CALLS_OF_CODEX[name], "--agent", "codex")
    assert (trace.answer is None) is (name in ("nothing", "result", "compaction"))
    assert not NEVER & set(trace.modules)
    assert set(trace.modules) - OURS <= NATIVE


# The folder of the call, its line, and whether it names a path that exists only above.
PATHS = {
    "root": (".", "ls web/src", False),
    "exists": ("web", "ls src/lib", False),
    "nowhere": ("web", "cat 'a/b' && ls c/d", False),
    "told": ("web", "ls web/src", True),
    "told, quoted": ("web", "ls 'web/src'", True),
}


@pytest.mark.parametrize("name", PATHS)
def test_the_check_of_paths_too(package: PackageCopy, home: DataHome, tmp_path: Path, name: str) -> None:
    folder, line, is_told = PATHS[name]
    for each in ("p/.git", "p/web/src/lib"):
        (tmp_path / each).mkdir(parents=True)
    trace = package.trace(home, payloads.bash(line, cwd=str((tmp_path / "p" / folder).resolve())))
    assert (trace.answer is not None) is is_told
    assert not NEVER & set(trace.modules)
    assert set(trace.modules) - OURS <= NATIVE
    # Calls that can name no such path do not load the parser.
    assert ("lessons.shell.places" in trace.modules) is is_told


def test_a_failure_about_which_nothing_is_said_does_not_load_what_speaks(package: PackageCopy, home: DataHome) -> None:
    trace = package.trace(home, payloads.failure(payloads.bash("ls"), "Exit code 1\nsomething else"))
    assert trace.answer is None
    assert "lessons.failure.repeated" in trace.modules
    speaking = {"hook.call_memory", "inject.decide", "inject.words"}
    assert {name for name in speaking if f"lessons.{name}" in trace.modules} == set()


def test_a_recovery_loads_what_is_unsafe_once(package: PackageCopy, home: DataHome, tmp_path: Path) -> None:
    """Only a call that is like a failed one loads `re`: the failure, other calls and the question do not."""
    talk = Conversation(tmp_path)
    failed = talk.payload("lamp --lux 4")
    on = {"LESSONS_LESSON_PROTOCOL": "recovery"}
    traces = [package.trace(home, payloads.failure(failed, "Exit code 2\nunknown option --lux"), **on)]
    talk.ended_without_a_record(failed, error=True)
    for command in ("ls", "lamp 4", "ls -la"):
        payload = talk.payload(command)
        traces.append(package.trace(home, payload, **on))
        talk.ended_without_a_record(payload)
    assert [trace.answer is not None for trace in traces] == [False, False, False, True]
    assert ["lessons.shell.bypass" in trace.modules for trace in traces] == [False, False, True, False]
    for trace in (traces[0], traces[1], traces[3]):
        assert not NEVER & set(trace.modules)
        assert set(trace.modules) - OURS <= NATIVE


def test_the_look_for_words_that_were_lost_too(package: PackageCopy, home: DataHome, tmp_path: Path) -> None:
    conversation = Conversation(tmp_path)
    for number in range(3):
        payload = conversation.payload()
        trace = package.trace(home, payload)
        assert (trace.answer is None) is (number == 2)
        assert not NEVER & set(trace.modules)
        assert set(trace.modules) - OURS <= NATIVE
        if number == 0:
            conversation.rejected(payload)


@pytest.mark.parametrize("name", ["start", "compacted", "compaction", "end of a turn", "end", "commit"])
def test_starting_work_in_the_background_too(package: PackageCopy, home: DataHome, tmp_path: Path, name: str) -> None:
    transcript = tmp_path / "transcript.jsonl"
    transcript.write_text("{}\n")
    payload = {**CALLS[name], "transcript_path": str(transcript), "cwd": str(tmp_path)}
    trace = package.trace(home, payload, "--python", "/bin/true", "--client", "1")
    assert not NEVER & set(trace.modules)
    assert set(trace.modules) - OURS <= NATIVE
    assert home.faults() == ""


@pytest.mark.parametrize("name", CALLS)
def test_without_a_bundle_too(unbundled: PackageCopy, home: DataHome, name: str) -> None:
    trace = unbundled.trace(home, CALLS[name])
    assert (trace.answer is None) is (name in SILENT)
    assert not NEVER & set(trace.modules)
    assert set(trace.modules) - OURS <= {*NATIVE}


@pytest.mark.parametrize("name", CALLS)
def test_without_an_index_only_re_is_loaded_too(
    package: PackageCopy, home: DataHome, brought_by_re: set[str], name: str
) -> None:
    (home.folder / "hook-index").unlink()
    trace = package.trace(home, CALLS[name])
    assert (trace.answer is None) is (name in SILENT)
    # The manifest may begin with a byte order mark: one small codec more.
    assert set(trace.modules) - OURS <= NATIVE | brought_by_re | {"encodings.utf_8_sig"}


def test_without_a_manifest_nothing_more_is_loaded(package: PackageCopy, tmp_path: Path) -> None:
    trace = package.trace(DataHome(tmp_path), CALLS["hint"])
    assert trace.answer is None
    assert set(trace.modules) - OURS <= NATIVE


def test_a_resident_server_loads_only_re_too(package: PackageCopy, brought_by_re: set[str]) -> None:
    """At its start, since it may stay for longer than its files."""
    program = (
        f"import sys; sys.path.insert(0, {str(package.root)!r}); bare = set(sys.modules); "
        "from lessons.hook.main import run; run('Resident', ['--check']); print(*(set(sys.modules) - bare))"
    )
    loaded = set(run_bare("-c", program).split())
    assert loaded - OURS <= NATIVE | brought_by_re | {"encodings.utf_8_sig", "lessons.hook.bundled_modules"}


@pytest.mark.parametrize("module", sorted(OURS))
def test_each_hot_module_imports_only_hot_modules(module: str, package: PackageCopy) -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(package.root)!r}); bare = set(sys.modules); "
        f"import {module}; print(*(set(sys.modules) - bare))"
    )
    loaded = set(run_bare("-c", program).split())
    assert loaded - OURS <= NATIVE
