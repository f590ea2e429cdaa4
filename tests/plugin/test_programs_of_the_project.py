"""The plugin's scripts never run a program that is in the project, whatever the PATH of the session leads to."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.plugin.machine import REAL, Machine, quoted, wait_until
from tests.shells import TRIED, program

PYTHONS = ("python3.14", "python3.13", "python3.12", "python3.11", "python3", "python", "py")
# Everything that the scripts run, what a shell may not have built in, and what they could be changed to run.
TOOLS = (
    "[ cd command dirname echo env git kill ls mkdir mv printf pwd readlink realpath rm setsid sh test tr true uname uv"
    " pip xcode-select"
).split()
SHIM = f'exec {quoted(REAL)} "$@"'


class Project:
    """A repository with programs of its own, each of which notes that it ran."""

    def __init__(self, machine: Machine, folder: Path) -> None:
        self.machine, self.root = machine, folder
        self.bin, self.below = folder / "bin", folder / "below"
        self.below.mkdir(parents=True)
        (folder / ".git").mkdir()
        for name in (*PYTHONS, *TOOLS):
            self.put(name, self.bin)
        # What the current folder, too, may be searched for.
        for folder in (self.root, self.below):
            for name in (*PYTHONS, "mkdir", "mv", "rm", "setsid", "tr"):
                self.put(name, folder)

    def put(self, name: str, folder: Path) -> Path:
        """Builtins only, so that it notes under any PATH; then it does what a user would notice least."""
        note = f'echo "$0" >>{quoted(self.machine.folder / "ran")}'
        return self.machine.program(name, f'{note}\ncase "$*" in *-I*) {SHIM} ;; esac\nexit 1', folder)

    def ran(self) -> list[str]:
        file = self.machine.folder / "ran"
        return file.read_text().splitlines() if file.exists() else []


@pytest.fixture(params=TRIED)
def project(searching: Machine, request: pytest.FixtureRequest) -> Project:
    place = searching.folder / "shell" / "sh"
    place.parent.mkdir()
    place.symlink_to(program(request.param))
    searching.sh = str(place)
    return Project(searching, searching.work)


def linked(project: Project, target: Path, name: str = "link") -> Path:
    link = project.machine.folder / name
    link.symlink_to(target)
    return link


def in_a_folder_below(project: Project) -> str:
    project.machine.work = project.below
    return str(project.bin)


def in_a_submodule(project: Project) -> str:
    """Its `.git` is a file."""
    (project.below / ".git").write_text("gitdir: ../.git/modules/below\n")
    return in_a_folder_below(project)


def through_a_linked_folder(project: Project) -> str:
    project.machine.work = linked(project, project.below)
    return str(project.bin)


def without_a_repository(project: Project) -> str:
    (project.root / ".git").rmdir()
    return str(project.bin)


def link_that_leads_out(project: Project) -> str:
    """The repository decides where it leads."""
    project.put("python3", project.machine.folder / "elsewhere")
    (project.root / "out").symlink_to(project.machine.folder / "elsewhere")
    return str(project.root / "out")


def link_to_a_program(project: Project) -> str:
    """An own folder of the user, with a link to a program of the project."""
    folder = project.machine.folder / "own"
    folder.mkdir()
    (folder / "python3").symlink_to(project.bin / "python3")
    return str(folder)


PATHS: dict[str, str | Callable[[Project], str]] = {
    "relative": "bin",
    "relative, with a dot": "./bin",
    "the current folder": ".",
    "empty at the start": "",
    "empty in the middle": "/nowhere::/nowhere",
    "several": ".:./bin:below:",
    "absolute": lambda project: str(project.bin),
    "absolute, with a slash": lambda project: f"{project.bin}/",
    "absolute, with dots": lambda project: f"{project.machine.home}/../{project.root.name}/./bin",
    "through a link to the project": lambda project: f"{linked(project, project.root)}/bin",
    "a link to a folder of the project": lambda project: str(linked(project, project.bin)),
    "a link to a link": lambda project: str(linked(project, linked(project, project.bin, "first"))),
    "a link that leads out of the project": link_that_leads_out,
    "a link to a program": link_to_a_program,
    "a folder of the repository above": in_a_folder_below,
    "a folder of the repository around a submodule": in_a_submodule,
    "a session in a linked folder": through_a_linked_folder,
    "no repository": without_a_repository,
}


@pytest.mark.parametrize("way", PATHS)
def test_setup_runs_nothing_of_the_project(project: Project, way: str) -> None:
    machine, made = project.machine, PATHS[way]
    entry = made if isinstance(made, str) else made(project)
    ended = machine.setup(PATH=f"{entry}:{machine.bin}")
    assert (project.ran(), machine.chosen(), ended.err) == ([], "", "")
    assert "it needs Python 3.11 or newer" in machine.failed()
    machine.program("python3", SHIM)
    assert machine.setup(PATH=f"{entry}:{machine.bin}:{entry}").code == 0
    assert (project.ran(), machine.chosen()) == ([], REAL)


def test_the_user_learns_why_a_python_is_not_used(project: Project) -> None:
    machine = project.machine
    machine.setup(PATH=f"{project.bin}:{machine.bin}")
    assert "Install one. Those inside the project are not used. The next session tries again." in machine.failed()


@pytest.mark.parametrize("place", [".local/bin", ".pyenv/versions/3.12.1/bin", ".local/share/uv/python/3.13/bin"])
def test_a_home_inside_the_project(project: Project, place: str) -> None:
    project.put("python3", project.root / "home" / place)
    for home in (str(project.root / "home"), "home"):
        project.machine.setup(HOME=home)
        assert (project.ran(), project.machine.chosen()) == ([], "")


def test_a_shim_that_leads_to_a_python_of_the_project(project: Project) -> None:
    """It may be asked, but it is never what the hook runs at every call."""
    machine = project.machine
    machine.program("python3", f"echo good:{project.bin}/python3")
    machine.setup()
    assert (project.ran(), machine.chosen()) == ([], "")


@pytest.mark.parametrize("name", ["project-tools", "other project"])
def test_a_folder_beside_the_project_is_used(project: Project, name: str) -> None:
    machine = project.machine
    machine.program("python3", SHIM, machine.folder / name)
    assert machine.setup(PATH=f"./bin:{machine.folder / name}:{machine.bin}").code == 0
    assert (project.ran(), machine.chosen()) == ([], REAL)


@pytest.mark.parametrize("entry", ["bin", "", "absolute"])
def test_the_hook_runs_nothing_of_the_project(project: Project, entry: str) -> None:
    """A first session, one that tells a failure, one that works again, and every other event."""
    machine = project.machine
    path = f"{project.bin if entry == 'absolute' else entry}:{machine.bin}"
    script, log = machine.root / "setup" / "setup.sh", machine.folder / "started"
    script.write_text(f"echo started >>{quoted(log)}\n")
    assert machine.hook("SessionStart", PATH=path).message
    wait_until(log.exists)
    (machine.data / "failed").write_text("lessons could not be set up: no network.\n")
    assert "no network" in machine.hook("SessionStart", PATH=path).message
    answers = machine.program("answers", "echo '{}'", machine.folder / "answers")
    (machine.data / "installation").write_text(f"0.1.0\n{answers}\n/dev/null\n{answers}\n{machine.lessons}\n")
    (machine.data / "cannot-start.1").touch()
    assert machine.hook("SessionStart", PATH=path).out
    assert not (machine.data / "cannot-start.1").exists()
    answers.write_text("#!/bin/sh\nexit 2\n")
    assert machine.hook("PreToolUse", PATH=path).message
    assert machine.hook("PreCompact", PATH=path).out == ""
    assert project.ran() == []


def test_the_command_line_runs_nothing_of_the_project(project: Project) -> None:
    machine = project.machine
    shutil.rmtree(machine.data)
    assert "not set up yet" in machine.command_line("list", PATH=f"{project.bin}:{machine.bin}").err
    assert project.ran() == []
