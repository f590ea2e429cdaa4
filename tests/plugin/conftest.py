"""A machine with the plugin on it for each test."""

from pathlib import Path

import pytest

from tests.plugin.machine import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def ready(machine: Machine) -> Machine:
    """With the package set up."""
    done = machine.install()
    assert (done.code, machine.failed()) == (0, ""), (done, machine.failed())
    return machine
