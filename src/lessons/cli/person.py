"""Refuses decisions that only a person may take, if no person can be present."""

import os

from lessons.agents.around import agent_around
from lessons.cli import render
from lessons.errors import Refused


def why_nobody(verb: str) -> str:
    """Returns why no person can have called the verb; empty if one can."""
    if agent := agent_around(os.environ):
        return f"`lessons {verb}` is refused to agents, and {agent} started it. Run it in your own terminal."
    if not render.can_ask():
        return f"`lessons {verb}` needs a terminal: only you can decide this."
    return ""


def require_person(verb: str) -> None:
    if reason := why_nobody(verb):
        raise Refused(reason)
