"""A project's place in, every file that its state may consist of out, with the type of what is in it."""

import msgspec

from lessons.session import AgentInvocation, AutoSave, Commit, CommitTracker, ContextTracking, Handoff, SessionState
from lessons.session import Work as WorkState
from lessons.store.project_state.state_paths import Place

Kinds = dict[str, type[msgspec.Struct]]

HOOKS: Kinds = {
    ".session-state.json": SessionState,
    ".context-tracking-state.json": ContextTracking,
    ".auto-save-state.json": AutoSave,
    ".commit-tracker-state.json": CommitTracker,
}
STATE: Kinds = {"handoff.json": Handoff}
LINES: Kinds = {"commit-log.jsonl": Commit, "agent-invocations.jsonl": AgentInvocation}
SESSION: Kinds = {
    "session-state.json": SessionState,
    "context-tracking-state.json": ContextTracking,
    "auto-save-state.json": AutoSave,
    "handoff.json": Handoff,
    "work.json": WorkState,
}


def documents_of(place: Place) -> Kinds:
    """The documents that all sessions of the project share."""
    hooks = {f"{place.hooks}/{name}": kind for name, kind in HOOKS.items()}
    return {**hooks, **{f"{place.state}/{name}": kind for name, kind in STATE.items()}}


def lines_of(place: Place) -> Kinds:
    return {f"{place.state}/{name}": kind for name, kind in LINES.items()}


def documents_in(folder: str) -> Kinds:
    """Those of one session, by its folder."""
    return {f"{folder}/{name}": kind for name, kind in SESSION.items()}
