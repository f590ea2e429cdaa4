"""A test of the real Codex gets a world of its own; without the client it fails and says what to do."""

from pathlib import Path

import pytest

from tests.e2e.codex.world import CodexWorld
from tests.e2e.conftest import binary_of


@pytest.fixture(scope="session")
def codex() -> str:
    """The real client."""
    return binary_of("codex")


@pytest.fixture
def world(tmp_path: Path, codex: str) -> CodexWorld:
    return CodexWorld(tmp_path)


@pytest.fixture
def installed(world: CodexWorld) -> CodexWorld:
    """With the hook in the person's hooks.json, trusted as a person does it."""
    world.install()
    world.accept_hooks()
    return world
