"""The plugin sets itself up during the first session, and an update while the old version still works."""

import shutil
import subprocess
from pathlib import Path

import pytest

import lessons
from tests.builders.lessons import lesson
from tests.e2e.plugin_world import PLUGIN, PYTHON, REPOSITORY, PluginWorld
from tests.e2e.rig.script import bash, say

HINT = "Stash with -u, so that the untracked files go along."
PROTOCOL = "The user keeps notes on mistakes with `lessons`"


ADDRESS = "https://marketplace.invalid/"


@pytest.fixture
def world(tmp_path: Path) -> PluginWorld:
    """With a lesson, and nothing set up."""
    world = PluginWorld(tmp_path)
    world.add(lesson())
    world.lessons("config", "set", "lessonProtocol", "always")
    return world


def git_repository(folder: Path) -> Path:
    """What of this repository a marketplace needs, links as links."""
    without = shutil.ignore_patterns("__pycache__", ".ruff_cache")
    for name in (".claude-plugin", "plugin", "src"):
        shutil.copytree(REPOSITORY / name, folder / name, symlinks=True, ignore=without)
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(REPOSITORY / name, folder)
    git(folder, "init")
    git(folder, "add", "--all")
    git(folder, "commit", "--message", "All of it")
    return folder


def git(folder: Path, *arguments: str) -> None:
    person = ("-c", "user.name=Nobody", "-c", "user.email=nobody@marketplace.invalid")
    subprocess.run(["git", *person, *arguments], cwd=folder, check=True, capture_output=True)


def test_the_first_session_is_not_kept_waiting_and_the_next_is_helped(world: PluginWorld) -> None:
    first = world.session(bash("git stash; true"), say("Done."))
    assert world.installation() == [], "the setup takes longer than such a session"
    assert HINT not in first.everything()
    assert "being set up" not in first.everything(), "that is for the person"
    assert not any(result.is_error for result in first.results().values())
    world.wait_for_version(lessons.__version__)

    talk = world.session(bash("git stash; true"), bash("git stash; true"), say("Done."))
    assert [text.count(HINT) for text in talk.said()] == [0, 1, 1]
    assert [text.count(PROTOCOL) for text in talk.said()] == [1, 1, 1]
    assert len(world.injections()) == 1
    assert world.faults() == ""
    _, python, *others = world.installation()
    assert python == PYTHON, "no shim and no link"
    assert str(PLUGIN) not in " ".join(others)


@pytest.mark.parametrize("name", ["README.md", "plugin/README.md"])
def test_what_the_readme_says_is_all_that_it_takes(world: PluginWorld, tmp_path: Path, name: str) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", str(git_repository(tmp_path / "repository")), str(clone))
    lines = [line for line in (REPOSITORY / name).read_text("utf-8").splitlines() if line.startswith("    claude ")]
    assert len(lines) == 2
    for line in lines:
        subprocess.run(["sh", "-c", line], cwd=clone, env=world.environment(), check=True, stdin=subprocess.DEVNULL)
    world.data_of_plugin = world.config / "plugins" / "data" / "lessons-lessons"
    world.be_set_up()
    talk = world.run("Begin.", [bash("git stash; true"), say("Done.")])
    assert [text.count(HINT) for text in talk.said()] == [0, 1]


def test_an_update_takes_over_when_it_is_ready(world: PluginWorld, tmp_path: Path) -> None:
    """From a marketplace in a git repository, as most people will have it."""
    repository = git_repository(tmp_path / "served" / "lessons.git")
    (world.home / ".gitconfig").write_text(f'[url "file://{tmp_path}/served/"]\n\tinsteadOf = {ADDRESS}\n')
    world.claude("plugin", "marketplace", "add", f"{ADDRESS}lessons.git")
    world.claude("plugin", "install", "lessons@lessons")
    world.data_of_plugin = world.config / "plugins" / "data" / "lessons-lessons"
    world.be_set_up()
    old = world.installation()

    manifest = repository / "plugin" / ".claude-plugin" / "plugin.json"
    manifest.write_text(manifest.read_text("utf-8").replace(lessons.__version__, "99.0.0"), encoding="utf-8")
    git(repository, "commit", "--all", "--message", "A new version")
    world.claude("plugin", "marketplace", "update", "lessons")
    world.claude("plugin", "update", "lessons@lessons")
    during = world.run("Begin.", [bash("git stash; true"), say("Done.")])
    assert [text.count(HINT) for text in during.said()] == [0, 1], "the old one serves on"
    world.wait_for_version("99.0.0")
    assert world.installation()[2] != old[2]

    [old_copy] = (world.config / "plugins" / "cache").glob(f"lessons/lessons/{lessons.__version__}")
    shutil.rmtree(old_copy)
    after = world.run("Begin.", [bash("git stash; true"), say("Done.")])
    assert [text.count(HINT) for text in after.said()] == [0, 1]
    assert [line["slug"] for line in world.injections()] == ["stash-leaves-files"] * 2
    assert world.faults() == ""


def test_a_slash_command_before_the_setup_says_so(world: PluginWorld) -> None:
    world.data_of_plugin.mkdir(parents=True)
    (world.data_of_plugin / "setup.lock").mkdir()  # nobody can hold it: nothing is set up
    talk = world.session(say("Done."), prompt="/lessons:doctor")
    assert "could not be set up" in talk.request(0).new or "not set up yet" in talk.request(0).new
