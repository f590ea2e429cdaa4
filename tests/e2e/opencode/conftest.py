"""A test of the real client gets a world of its own; without client or isolation it fails and says what to do."""

from pathlib import Path

import pytest

from tests.e2e.conftest import SHARED
from tests.e2e.rig import isolate
from tests.e2e.rig.client import Unprepared
from tests.e2e.rig.npm_client import program
from tests.e2e.rig.opencode_world import OpencodeWorld


@pytest.fixture(scope="session", autouse=True)
def _prepared() -> None:
    if not SHARED and not isolate.is_isolated():
        pytest.fail("These tests run with loopback alone: use `make e2e`, or set LESSONS_E2E_NETWORK=shared.", False)
    try:
        program("opencode", "opencode-ai/package.json")
        program("opencode-plugin", "@opencode-ai/plugin/package.json")
    except Unprepared as fault:
        pytest.fail(str(fault), False)


@pytest.fixture
def world(tmp_path: Path) -> OpencodeWorld:
    return OpencodeWorld(tmp_path)


@pytest.fixture
def installed(world: OpencodeWorld) -> OpencodeWorld:
    """With the plugin in the person's own folder."""
    world.install()
    return world
