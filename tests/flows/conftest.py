"""A user's command line and an agent that runs what is installed, for whole stories."""

from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine
from tests.flows.agent import Agent


@pytest.fixture
def lessons(tmp_path: Path) -> CommandLine:
    return CommandLine(tmp_path)


@pytest.fixture
def agent(lessons: CommandLine) -> Agent:
    """An agent whose settings have the hook."""
    assert lessons("install", "--settings", str(lessons.settings)).code == 0
    agent = Agent(lessons)
    agent.keep_from_scanning()
    return agent
