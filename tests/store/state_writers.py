"""What a session may write, by name: one act of any kind in, the state changed by the real functions out."""

from pathlib import Path
from typing import NamedTuple

from lessons.project_state import AgentInvocation, AutoSave, Commit, CommitTracker, ContextTracking, Handoff
from lessons.store.state import begin_session, end_session, remove_old_sessions, set_up_project
from lessons.store.state_files import (
    agent_invocations,
    auto_save,
    commit_log,
    commit_tracker,
    context_tracking,
    handoffs,
)
from lessons.store.state_paths import StatePaths, state_paths_of

DOCUMENTS = ("context", "handoff", "auto-save", "tracker")
LINES = ("commits", "agents")
KINDS = ("begin", "end", *DOCUMENTS, *LINES)


class Act(NamedTuple):
    """One call of a function that writes; the number tells it apart from the others of its writer."""

    kind: str
    session: str
    number: int


def perform(place: StatePaths, act: Act) -> None:
    kind, session, number = act
    name = f"{session}-{number}"
    if kind == "begin":
        begin_session(place, session, moment(number), 0)
    elif kind == "end":
        end_session(place, session, moment(number), "other")
    elif kind == "auto-save":
        auto_save.write(place, session, AutoSave(save_count=number))
    elif kind == "context":
        context_tracking.write(place, session, ContextTracking(files_read=[name] * 20))
    elif kind == "handoff":
        handoffs.write(place, session, Handoff(session_id=session, last_request=name, timestamp=moment(number)))
    elif kind == "tracker":
        commit_tracker.change(place, lambda _: CommitTracker(last_head=name))
    elif kind == "commits":
        commit_log.add(place, [commit(f"{name}-{part}") for part in "ab"])
    elif kind == "agents":
        agent_invocations.add(place, [invocation(f"{name}-{part}") for part in "ab"])
    elif kind == "set-up":
        set_up_project(place, git_ignore=True)
    elif kind == "tidy":
        remove_old_sessions(place, 0)
    else:
        raise ValueError(kind)


def written(place: StatePaths, kind: str, session: str) -> str | None:
    """Which act's words stand in the document now; None where there is none."""
    if kind == "context":
        files = context_tracking.read_or_new(place, session).files_read
        assert files == files[:1] * 20 or files == []
        return files[0] if files else None
    if kind == "handoff":
        found = handoffs.read_of(place, session)
        return found.last_request if found else None
    if kind == "tracker":
        return commit_tracker.read(place).last_head or None
    saved = auto_save.read_of(place, session)
    return f"{session}-{saved.save_count}" if saved else None


def keys(place: StatePaths, kind: str) -> list[str | None]:
    if kind == "commits":
        return [each.hash for each in commit_log.read(place)]
    return [each.tool_use_id for each in agent_invocations.read(place)]


def moment(number: int) -> str:
    return f"2026-01-01T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}Z"


def commit(name: str) -> Commit:
    return Commit(
        hash=name, short_hash=name[:7], message="words", author="somebody", author_date=moment(0),
        timestamp=moment(0), branch="main", files_changed=1, files_list=["a.py"],
    )  # fmt: skip


def invocation(name: str | None, prompt: str = "look at it") -> AgentInvocation:
    return AgentInvocation(timestamp=moment(0), agent="Explore", prompt=prompt, tool_use_id=name)


def project(folder: Path, name: str = "shop") -> StatePaths:
    """A repository beside a data home of its own."""
    (folder / name / ".git").mkdir(parents=True)
    (folder / "data").mkdir(exist_ok=True)
    return state_paths_of(str(folder / "data"), str(folder / name))
