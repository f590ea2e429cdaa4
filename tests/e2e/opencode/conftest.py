"""A test of the real opencode gets its own world; without the client it fails and says what to do."""

from pathlib import Path

import pytest

from tests.e2e.rig.opencode_world import OpencodeWorld


@pytest.fixture
def world(tmp_path: Path) -> OpencodeWorld:
    return OpencodeWorld(tmp_path)
