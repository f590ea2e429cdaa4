"""A test of the real Qwen Code gets its own world; without the client it fails and says what to do."""

from pathlib import Path

import pytest

from tests.e2e.rig.chat_world import QwenWorld


@pytest.fixture
def world(tmp_path: Path) -> QwenWorld:
    return QwenWorld(tmp_path)
