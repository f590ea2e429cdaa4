"""A test of the real Codex gets its own world; without the client it fails and says what to do."""

from pathlib import Path

import pytest

from tests.e2e.codex.world import CodexWorld
from tests.e2e.conftest import binary_of


@pytest.fixture
def world(tmp_path: Path) -> CodexWorld:
    binary_of("codex")
    return CodexWorld(tmp_path)
