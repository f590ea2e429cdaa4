"""A project with a data home of its own, and processes that write its state."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lessons.store.project_state.state_paths import StatePaths
from tests.store.project_state.nursery import Nursery
from tests.store.project_state.writers import project


@pytest.fixture
def place(tmp_path: Path) -> StatePaths:
    return project(tmp_path)


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    nursery = Nursery()
    yield nursery
    nursery.close()
