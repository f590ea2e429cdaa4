"""Which Python the setup uses: a complete, recent one, never a shim; a missing one is reported."""

import json
import sys

import pytest

from tests.plugin.machine import REAL, Ended, Machine, quoted, wait_until

OLD = "echo too-old"
SHIM = f"echo 'using the Python of the project'; exec {quoted(REAL)} \"$@\""


def assert_told(machine: Machine, ended: Ended, *words: str) -> None:
    assert ended.code == 1
    assert machine.chosen() == ""
    [line] = machine.failed().splitlines()
    assert json.loads(f'"{line}"') == line
    assert all(word in line for word in (*words, "lessons could not be set up", "The next session tries again."))


def test_no_python_at_all(searching: Machine) -> None:
    assert_told(searching, searching.setup(), "it needs Python 3.11 or newer. Install one.")


@pytest.mark.parametrize(
    "body",
    [
        "exit 0",
        "echo 'Python was not found; run without arguments to install from the store' >&2; exit 9",
        "echo 'pyenv: python3: command not found' >&2; exit 127",
        "echo good",
        "echo goodness:/bin/false",
        "kill -9 $$",
    ],
)
def test_what_is_no_python_is_passed_over(searching: Machine, body: str) -> None:
    searching.program("python3.13", body)
    searching.program("python3", body)
    assert_told(searching, searching.setup(), "3.11")
    searching.program("python", SHIM)
    assert searching.setup().code == 0
    assert searching.chosen() == REAL


def test_an_old_one_is_named(searching: Machine) -> None:
    old = searching.program("python3", OLD)
    assert_told(searching, searching.setup(), f"and {old} is older")


def test_one_without_venv_is_named_with_the_remedy(searching: Machine) -> None:
    bare = searching.program("python3", "echo incomplete")
    assert_told(searching, searching.setup(), f"{bare} lacks the modules venv and ensurepip", "python3-venv")


def test_a_shim_is_seen_through(searching: Machine) -> None:
    searching.program("python3", SHIM)
    assert searching.setup().code == 0
    assert searching.chosen() == REAL
    assert searching.failed() == ""


def test_a_virtual_environment_is_seen_through(searching: Machine) -> None:
    (searching.bin / "python3").symlink_to(sys.executable)
    assert searching.setup().code == 0
    assert searching.chosen() == REAL


def test_the_newest_is_asked_first(searching: Machine) -> None:
    asked = searching.folder / "asked"
    for name in ("python", "python3", "python3.11", "python3.14"):
        searching.program(name, f"echo {name} >>{quoted(asked)}; echo too-old")
    searching.setup()
    assert asked.read_text().split() == ["python3.14", "python3.11", "python3", "python"]


@pytest.mark.parametrize("place", ["usual", "home/.local/bin", "home/.pyenv/versions/3.12.1/bin"])
def test_common_places_off_the_path(searching: Machine, place: str) -> None:
    searching.program("python3", SHIM, searching.folder / place)
    assert searching.setup().code == 0
    assert searching.chosen() == REAL


def test_the_launcher_of_windows(searching: Machine) -> None:
    searching.program("py", f'[ "$1" = -3 ] && shift && exec {quoted(REAL)} "$@"')
    assert searching.setup().code == 0
    assert searching.chosen() == REAL


def test_from_the_session_to_the_installation(machine: Machine) -> None:
    """The whole way, with a Python on the PATH that makes its environments offline."""
    machine.python()
    text = (machine.root / "setup" / "setup.sh").read_text("utf-8")
    # The shim would be seen through, and the real one would ask the network.
    shimmed = text.replace("${reply#good:}", "$1")
    assert shimmed != text
    (machine.root / "setup" / "setup.sh").write_text(shimmed, "utf-8")
    assert machine.hook("SessionStart").message
    wait_until(machine.installation)
    assert "#lesson" in machine.hook("SessionStart").out
