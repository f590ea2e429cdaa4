"""The command line and an empty data home for the tests of the verbs."""

from pathlib import Path

import pytest

from tests.builders.home import DataHome
from tests.cli.command_line import CommandLine


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    return DataHome(tmp_path)


@pytest.fixture
def lessons(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path)
