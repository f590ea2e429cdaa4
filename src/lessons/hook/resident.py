"""An agent's resident server, with the hook's handler passed in."""

import time

from lessons.agents.table import part_of
from lessons.hook.calls import before_call

# Loaded at once, in case a call needs them: the files may be deleted by then.
_MODULES = (
    "_sre",
    "re",
    "lessons.hook.call_memory",
    "lessons.hook.file_system",
    "lessons.inject.decide",
    "lessons.match.dialect",
    "lessons.match.rule",
    "lessons.match.state",
    "lessons.match.whole_line",
    "lessons.shell.starts",
    "lessons.shell.windows",
    "lessons.shell.split",
    "lessons.shell.places",
    "lessons.hook.recovery",
    "lessons.inject.notes",
    "lessons.mistakes.failed_call",
    "lessons.mistakes.places",
    "lessons.mistakes.recall",
    "lessons.redact.mask",
    "lessons.store.recalls",
    "lessons.store.claims",
    "lessons.store.state_paths",
    "lessons.store.logs",
    "lessons.store.manifest",
    "lessons.store.published",
)
_PARTS = ("delivery", "resident")


def load(agent: str) -> None:
    for name in _MODULES:
        __import__(name)
    for part in _PARTS:
        part_of(agent, part)
    b"".decode("utf-8-sig")  # the codec of a manifest
    time.strftime("", time.gmtime())


def serve(agent: str, home: str) -> None:
    """Runs until the agent ends."""
    part_of(agent, "resident").serve(home, before_call)
