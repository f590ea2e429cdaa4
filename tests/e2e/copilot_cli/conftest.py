"""A test of the real client gets a world of its own; without client or isolation it fails and says what to do."""

from pathlib import Path

import pytest

from tests.e2e.conftest import SHARED
from tests.e2e.rig import isolate
from tests.e2e.rig.chat_world import CopilotWorld
from tests.e2e.rig.client import Unprepared
from tests.e2e.rig.npm_client import program


@pytest.fixture(scope="session", autouse=True)
def _prepared() -> None:
    if not SHARED and not isolate.is_isolated():
        pytest.fail("These tests run with loopback alone: use `make e2e`, or set LESSONS_E2E_NETWORK=shared.", False)
    try:
        program("copilot-cli", ".bin/copilot")
    except Unprepared as fault:
        pytest.fail(str(fault), False)


@pytest.fixture
def world(tmp_path: Path) -> CopilotWorld:
    return CopilotWorld(tmp_path)


@pytest.fixture
def installed(world: CopilotWorld) -> CopilotWorld:
    """With the hook in the person's settings."""
    world.install()
    return world
