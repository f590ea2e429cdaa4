"""A machine with the plugin on it for each test."""

from pathlib import Path

import pytest

from tests.plugin.machine import Machine, quoted


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def ready(machine: Machine) -> Machine:
    """With the package set up."""
    done = machine.install()
    assert (done.code, machine.failed()) == (0, ""), (done, machine.failed())
    return machine


@pytest.fixture
def searching(tmp_path: Path) -> Machine:
    """Only the choice is looked at: what would install writes down which Python runs it, and with which argument."""
    machine = Machine(tmp_path, has_package=False)
    (machine.root / "setup" / "install.py").write_text(
        f"import sys\nwith open({str(machine.order)!r}, 'w') as file:\n    file.write(sys.argv[1])\n"
    )
    text = (machine.root / "setup" / "setup.sh").read_text("utf-8")
    # The machine that runs the tests has a Python in these places.
    usual = "/opt/homebrew/bin /usr/local/bin /usr/bin"
    assert usual in text
    (machine.root / "setup" / "setup.sh").write_text(text.replace(usual, quoted(machine.folder / "usual")), "utf-8")
    return machine
