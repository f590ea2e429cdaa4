"""A test of the real Gemini CLI gets its own world; without the client it fails and says what to do."""

from pathlib import Path

import pytest

from tests.e2e.rig.gemini_world import GeminiWorld


@pytest.fixture
def world(tmp_path: Path) -> GeminiWorld:
    return GeminiWorld(tmp_path)
