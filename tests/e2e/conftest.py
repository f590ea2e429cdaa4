"""A test of the real client gets its own world; without client or isolation it fails and says what to do."""

import os
from pathlib import Path

import pytest

from tests.e2e.rig import client, isolate
from tests.e2e.rig.world import World

# Read at import: each test runs without the variables of the person.
SHARED = os.environ.get("LESSONS_E2E_NETWORK") == isolate.SHARED


@pytest.fixture(scope="session", autouse=True)
def _prepared() -> None:
    if not SHARED and not isolate.is_isolated():
        pytest.fail("These tests run with loopback alone: use `make e2e`, or set LESSONS_E2E_NETWORK=shared.", False)


@pytest.fixture(scope="session")
def claude_code() -> str:
    """The real client."""
    return binary_of("claude-code")


def binary_of(name: str) -> str:
    try:
        return client.binary(name)
    except client.Unprepared as fault:
        pytest.fail(str(fault), False)


@pytest.fixture
def world(tmp_path: Path, claude_code: str) -> World:
    return World(tmp_path)


@pytest.fixture
def installed(world: World) -> World:
    """With the hook in the person's settings, and all that the person does to let it run."""
    world.install()
    world.accept_hooks()
    return world
