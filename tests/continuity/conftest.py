"""A repository for the tests of continuity with git."""

import os
from pathlib import Path

import pytest

from tests.builders.repository import Repository
from tests.conftest import SetVariable


@pytest.fixture(autouse=True)
def _own_settings_of_git(variable: SetVariable) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        variable(name, None)
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        variable(name, os.devnull)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "shop")
