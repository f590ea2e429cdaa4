"""A machine with the plugin on it for each test."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.plugin.machine import Machine, quoted


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package set up in it, and beside it a copy of what it was like then."""
    folder = tmp_path_factory.mktemp("installed")
    machine = Machine(folder)
    done = machine.install()
    assert (done.code, machine.failed()) == (0, ""), (done, machine.failed())
    shutil.copytree(folder, f"{folder}.whole", symlinks=True)
    return folder


@pytest.fixture
def ready(installed: Path) -> Machine:
    """With the package set up: the same one for all tests of a file, made whole again for each."""
    # Paths in it are absolute, so its name stays. A process that ends late may still write to the old folder.
    os.rename(installed, tempfile.mkdtemp(dir=installed.parent))
    shutil.copytree(f"{installed}.whole", installed, symlinks=True)
    return Machine(installed, is_new=False)


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
