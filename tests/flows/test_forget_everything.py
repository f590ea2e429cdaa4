"""Forgotten or excluded data is in no byte and no file name below the data home."""

import glob
import inspect
import json
import os
import shutil
from pathlib import Path
from typing import get_args

import pytest

from lessons import paths
from lessons.store.forget_scope import HOME_FILES, Holds, existing
from tests.builders import payloads
from tests.builders.transcript import Session
from tests.cli.command_line import CommandLine, finish
from tests.flows.agent import Agent
from tests.flows.full_home import Cook, fill

ALL: tuple[Holds, ...] = get_args(Holds)
GONE, KEPT = "saffron", "thyme"
# What such a file says of a session is to be found before, and gone afterwards.
WITH_TEXTS: tuple[Holds, ...] = (
    "history", "injections", "log", "lessons", "decisions", "state", "claims", "export", "left over",
)  # fmt: skip
# Only there after an accident: tests/store/forget has them.
SOMETIMES = (
    "compiled-lessons",
    "backups/.unfinished-*/**",
    "backups/**/injections*.jsonl*",
    "seen/**",
)


class Kitchen:
    """A home in which two projects have left everything they can."""

    def __init__(self, root: Path, projects: Path) -> None:
        self.lessons = CommandLine(root)
        if not self.lessons.settings.exists():
            assert self.lessons("install", "--settings", str(self.lessons.settings)).code == 0
        self.agent = Agent(self.lessons)
        self.agent.keep_from_scanning()
        self.gone, self.kept = (
            Cook(self.lessons, self.agent, projects / f"{word}-house", word) for word in (GONE, KEPT)
        )

    def forget(self, *arguments: str) -> dict[str, object]:
        document: dict[str, object] = self.lessons.json("forget", *arguments, "--yes")
        return document

    def files_with(self, *words: str) -> set[str]:
        """Every file below the home, and every claim, with one of the words in its bytes or its name."""
        found = set()
        for folder in (self.lessons.home, self.lessons.temporary):
            for path in (each for each in folder.rglob("*") if each.is_file()):
                text = str(path.relative_to(folder)).encode() + b"\n" + path.read_bytes()
                if any(word.encode() in text.lower() for word in words):
                    found.add(str(path.relative_to(folder)))
        return found

    def with_traces_of(self, cook: Cook) -> set[str]:
        return self.files_with(cook.word, *(session.id for session in cook.sessions))


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Kitchen:
    kitchen = Kitchen(tmp_path_factory.mktemp("full"), tmp_path_factory.mktemp("projects"))
    fill(kitchen.lessons, [kitchen.gone, kitchen.kept])
    return kitchen


@pytest.fixture
def kitchen(full: Kitchen, tmp_path: Path) -> Kitchen:
    """A copy of everything, with sessions that can go on."""
    old, new = full.lessons.home.parent, tmp_path
    for name in ("data", "person", "tmp"):
        shutil.copytree(old / name, new / name)
    for file in (new / "person" / ".claude" / "settings.json", new / "data" / "lessons-hook"):
        file.write_text(file.read_text().replace(str(old), str(new)))
    copied = Kitchen(new, Path(full.gone.project.root).parent)
    for cook, before in ((copied.gone, full.gone), (copied.kept, full.kept)):
        cook.sessions = list(before.sessions)
    return copied


def matching(home: Path, pattern: str) -> set[str]:
    return set(glob.glob(pattern, root_dir=home, recursive=True, include_hidden=True))


def of_kind(home: Path, *holding: Holds) -> set[str]:
    return {os.path.relpath(path, home) for path in existing(str(home), *holding)}


# A new kind of file must come into the table, and into what is forgotten.


def test_every_location_is_in_the_table(tmp_path: Path) -> None:
    functions = inspect.getmembers(paths, inspect.isfunction)
    files = [
        make(str(tmp_path))
        for name, make in functions
        if name.endswith("_file") and name not in ("warm_file", "recovery_file")
    ]
    folders = [make(str(tmp_path)) for name, make in functions if name.endswith("_folder")]
    locks = (paths.scan_lock_file(str(tmp_path)), paths.watch_lock_file(str(tmp_path)))
    files = [f"{path}.lock" if path in locks else path for path in files]
    for path in (*files, *(f"{folder}/a" for folder in folders)):
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).touch()
    unknown = {str(path) for path in tmp_path.rglob("*") if path.is_file()} - set(existing(str(tmp_path), *ALL))
    assert unknown - {f"{paths.backups_folder(str(tmp_path))}/a"} == set(), "add it to store/forget_scope.py"


def test_every_file_is_of_a_kind_and_every_kind_with_texts_is_tried(full: Kitchen) -> None:
    home = full.lessons.home
    everything = {str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()}
    assert everything - of_kind(home, *ALL) == set(), "add it to store/forget_scope.py"
    texts = [pattern for pattern, holds in HOME_FILES if holds in WITH_TEXTS and pattern not in SOMETIMES]
    filled = full.files_with(GONE)
    assert [pattern for pattern in texts if not filled & matching(home, pattern)] == [], "fill it in full_home.py"
    # Beside them only folders are named after a project, and the claims lie elsewhere.
    others = filled - of_kind(home, *WITH_TEXTS)
    assert {name for name in others if not name.startswith(("projects/", "lessons-"))} == set()


# Forgetting.


def test_of_a_project_no_byte_and_no_name_is_left_in_any_kind_of_file(kitchen: Kitchen) -> None:
    kept = kitchen.files_with(KEPT)
    would = kitchen.lessons.json("forget", "--project", kitchen.gone.project.root, "--dry-run")
    done = kitchen.forget("--project", kitchen.gone.project.root)
    assert done == {**would, "dryRun": False}
    assert kitchen.with_traces_of(kitchen.gone) == set()
    counts = done["forgotten"]
    assert isinstance(counts, dict) and (counts["examples"], counts["decisions"]) == (4, 3)
    deleted = (".tmp", "scan.log", "report.html")  # as a whole, whatever else they hold
    assert {name for name in kept - kitchen.files_with(KEPT) if not name.endswith(deleted)} == set()


def test_nothing_comes_back_and_the_next_session_is_offered_nothing(kitchen: Kitchen) -> None:
    cook = kitchen.gone
    first, second = cook.sessions
    kitchen.forget("--project", cook.project.root)
    _, said = cook.hook(Session("third", cook.project.root), payloads.session_start, "startup")
    assert GONE not in said
    for session in (second, first):
        cook.hook(session, payloads.session_start, "resume")
        cook.hook(session, payloads.pre_compact)
        _, said = cook.hook(session, payloads.session_start, "compact")
        assert GONE not in said
    kitchen.lessons.ok("scan", "--full")
    told = kitchen.files_with(f"cook with {GONE}", f"stir {GONE}", f"add {GONE}", f"serve {GONE}", f"taste the {GONE}")
    assert told == set()
    later = Session("later", cook.project.root)
    later._steps = 100_000_000  # years from then
    later.prompt("Cook with paprika")
    cook.hook(later, payloads.pre_compact)
    assert any(name.endswith("handoff.json") for name in kitchen.files_with("paprika"))


def test_a_session_goes_alone(kitchen: Kitchen) -> None:
    first, second = kitchen.gone.sessions
    kitchen.forget("--session", first.id)
    assert kitchen.files_with(first.id) == set()
    left = kitchen.files_with(second.id)
    assert {"history.db", "scan-state.json"} < left
    assert any(name.endswith(f"{second.id}/handoff.json") for name in left)
    assert kitchen.lessons.json("session", "--session", second.id, "--cwd", kitchen.gone.project.root)


def test_a_time_goes_everywhere(kitchen: Kitchen) -> None:
    """The sessions are of September; what the hooks noted and git knows is of today."""
    kitchen.forget("--before", "2026-10-01")
    words = [f"{verb} {word}" for word in (GONE, KEPT) for verb in ("cook with", "stir", "serve", "taste the", "oven")]
    assert {name for name in kitchen.files_with(*words) if name not in of_kind(kitchen.lessons.home, "log")} == set()


def test_what_is_left_is_sound(kitchen: Kitchen) -> None:
    """Backups can be restored, decisions undone, and lessons keep their texts and the other project's examples."""
    kitchen.forget("--project", kitchen.gone.project.root)
    [made] = [each for each in kitchen.lessons.json("list")["lessons"] if each["slug"] != "slowly"]
    assert made["examples"] == {"fires": [f"oven {KEPT} --heat high"], "quiet": [f"oven {KEPT} --degrees 200"]}
    assert len(made["sourceSessionIds"]) == 2
    for _ in ("edited", "rejected", "merged", "promoted"):
        kitchen.lessons.ok("undo")
    assert [each["slug"] for each in kitchen.lessons.json("list")["lessons"]] == ["slowly"]
    assert kitchen.lessons("backup", "restore", "--latest", "--yes").code == 0
    assert kitchen.with_traces_of(kitchen.gone) == set()


def test_what_the_project_keeps_itself_is_named_and_deleted_only_with_yes(kitchen: Kitchen) -> None:
    root = kitchen.gone.project.folder
    kitchen.lessons.work = root
    kitchen.lessons.json("init", "--project")
    (root / ".claude" / "state" / "notes.md").write_text("of another program")
    state = root / ".claude" / "state" / "handoff.json"
    try:
        would = kitchen.lessons.json("forget", "--project", ".", "--dry-run")
        assert str(state) in would["inProject"] and would["forgotten"]["stateFiles"] > 0
        terminal = kitchen.lessons.terminal("forget", "--project", ".")
        terminal.expect_exact("--yes deletes them")
        terminal.expect_exact("[y/N]: ")
        terminal.sendline("y")
        assert finish(terminal)[0] == 0
        assert GONE in state.read_text() and kitchen.gone.state("commit-log.jsonl")
        assert kitchen.with_traces_of(kitchen.gone) <= {
            name for name in kitchen.files_with(GONE) if "projects/" in name
        }
        assert kitchen.forget("--project", ".")["inProject"] == would["inProject"]
        left = [path for path in (root / ".claude").rglob("*") if path.is_file()]
        assert left == [root / ".claude" / "state" / "notes.md"]
    finally:
        shutil.rmtree(root / ".claude")


def test_state_without_a_note_of_its_project(kitchen: Kitchen) -> None:
    """As an earlier version left it: the history tells which folders there were."""
    for mark in kitchen.lessons.home.glob("projects/*/project.json"):
        mark.unlink()
    kitchen.forget("--project", kitchen.gone.project.root)
    assert kitchen.with_traces_of(kitchen.gone) == set()
    assert any(name.endswith("handoff.json") for name in kitchen.files_with(KEPT))


# Excluding.


def test_of_an_excluded_project_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    kitchen = Kitchen(tmp_path / "here", tmp_path / "projects")
    home = kitchen.lessons.home
    (home / "config.json").write_text(json.dumps({"excludeProjects": [kitchen.gone.project.root]}))
    triggers = {"toolNames": ["Bash"], "commandPatterns": ["^stir .*--fast"]}
    words = {"problem": "It spills over the rim of the pot.", "solution": "Take the slow way: `stir --slow`."}
    made = {"summary": "Never stir fast in a small pot", **words, "triggers": triggers}
    kitchen.lessons.json("add", "--from", "-", text=json.dumps(made))
    session = kitchen.gone.session("excluded")
    for make in (payloads.session_start, payloads.pre_compact, payloads.stop, payloads.session_end):
        kitchen.gone.hook(session, make, *(["startup"] if make is payloads.session_start else []))
        kitchen.gone.works(session)
    code, said = kitchen.gone.hook(session, payloads.bash, f"stir {GONE} --fast")
    assert code == 0 and "small pot" in said, "its lessons act there too"
    kitchen.gone.hook(session, payloads.post_tool_use, f"git commit -m {GONE}")
    arguments = ("--cwd", kitchen.gone.project.root, "--transcript", str(session.write(kitchen.gone.transcripts)))
    assert "excludeProjects" in kitchen.lessons.refused("handoff", "save", *arguments)
    kitchen.lessons.ok("scan")
    tree = kitchen.gone.project.folder.parent / "tree"
    kitchen.gone.project.commit("x")
    kitchen.gone.project.git("worktree", "add", "-q", str(tree), "-b", "side")
    kitchen.gone.project.root = str(tree)
    kitchen.gone.hook(session, payloads.pre_compact)
    kitchen.gone.hook(session, payloads.bash, f"stir {GONE} --fast")
    settings = of_kind(home, "settings", "published")
    assert kitchen.files_with(GONE) - settings == set()
    # A claim is a file named after the session that was shown a lesson; sessions come to an end.
    assert {name for name in kitchen.with_traces_of(kitchen.gone) - settings if "session-" not in name} == set()
    assert not (home / "projects").exists()
