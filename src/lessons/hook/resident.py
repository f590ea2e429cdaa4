"""An agent's resident server, with the hook's handler passed in."""

import time

from lessons.agents.table import part_of
from lessons.hook import before_call

# Loaded at once, in case a call needs them: the files may be deleted by then.
_MODULES = (
    "_sre",
    "re",
    "lessons.hook.call_memory",
    "lessons.hook.deadline",
    "lessons.hook.fallback",
    "lessons.hook.file_system",
    "lessons.hook.injection_log",
    "lessons.inject.decide",
    "lessons.inject.holdout",
    "lessons.match.dialect",
    "lessons.match.rule",
    "lessons.match.state",
    "lessons.match.whole_line",
    "lessons.shell.interpreters",
    "lessons.shell.powershell",
    "lessons.shell.split",
    "lessons.shell.step_reader",
    "lessons.hook.recall_place",
    "lessons.inject.recall_words",
    "lessons.mistakes.places",
    "lessons.mistakes.recall",
    "lessons.store.claims.recalls",
    "lessons.store.claims.redelivery",
    "lessons.store.claims.session_facts",
    "lessons.store.excluded",
    "lessons.store.injections",
    "lessons.store.published",
)
_PARTS = ("delivery", "server.serve")


def load(agent: str) -> None:
    for name in _MODULES:
        __import__(name)
    for part in _PARTS:
        part_of(agent, part)
    b"".decode("utf-8-sig")  # the codec of a manifest
    time.strftime("", time.gmtime())


def serve(agent: str, home: str) -> None:
    """Runs until the agent ends."""
    part_of(agent, "server.serve").serve(home, before_call.answer)
