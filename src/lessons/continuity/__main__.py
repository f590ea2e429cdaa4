"""`python -m lessons.continuity save|begin|end KEY=VALUE…`: started by hooks; logs faults, prints nothing."""

import sys
from datetime import UTC, datetime

from lessons import paths
from lessons.errors import KeptOut
from lessons.project_state import SessionKey
from lessons.store import logs


def main(words: list[str]) -> int:
    """Returns 1 on failure; imports only what the kind of work needs, because a compaction waits."""
    home = paths.data_home()
    kind = words[0] if words else ""
    given = {word.partition("=")[0]: word.partition("=")[2] for word in words[1:]}
    try:
        _WORK[kind](SessionKey(home, given["root"], given["session"], given.get("agent", "claude-code")), given)
    except KeptOut:
        return 0
    except Exception as fault:
        logs.record_fault(home, f"continuity {kind}"[:40], logs.describe_fault(fault))
        return 1
    return 0


def _save(session: SessionKey, given: dict[str, str]) -> None:
    from lessons.continuity.handoff import save_handoff

    by_compaction = given["by"] == "pre-compact"
    now, transcript = datetime.now(UTC), given["transcript"]
    save_handoff(session, transcript, "pre-compact" if by_compaction else "stop", now, "committed" in given)
    if "warned" in given:
        from lessons.store.state_files import note_warned
        from lessons.store.state_paths import StatePaths

        note_warned(StatePaths(session.home, session.root), session.id)


def _begin(session: SessionKey, given: dict[str, str]) -> None:
    from lessons.continuity.sessions import begin

    begin(session, int(given["process"]), _time(given["at"]))


def _end(session: SessionKey, given: dict[str, str]) -> None:
    from lessons.continuity.sessions import end

    end(session, given.get("transcript", ""), _time(given["at"]), given["reason"], datetime.now(UTC))


def _time(milliseconds: str) -> datetime:
    return datetime.fromtimestamp(int(milliseconds) / 1000, UTC)


_WORK = {"save": _save, "begin": _begin, "end": _end}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
