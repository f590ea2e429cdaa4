"""A test of the real Copilot CLI gets its own world; without the client it fails and says what to do."""

from pathlib import Path

import pytest

from tests.e2e.rig.chat_world import CopilotWorld


@pytest.fixture
def world(tmp_path: Path) -> CopilotWorld:
    return CopilotWorld(tmp_path)
