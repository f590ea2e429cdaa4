"""A user's command line and an agent that runs what is installed, for whole stories."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

from lessons.agents import table
from tests.agents.toy.row import ROW
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


@pytest.fixture
def with_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy agent is one of the table, in this process."""
    monkeypatch.setitem(table.AGENTS, "toy", ROW)
    for part in ROW.own:
        monkeypatch.setitem(sys.modules, f"lessons.agents.toy.{part}", import_module(f"tests.agents.toy.{part}"))
