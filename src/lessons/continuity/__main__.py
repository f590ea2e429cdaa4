"""`python -m lessons.continuity save|begin|end KEY=VALUE…`: started by hooks; logs faults, prints nothing."""

import sys
from datetime import UTC, datetime

from lessons import paths
from lessons.agents.table import DEFAULT_AGENT
from lessons.errors import KeptOut
from lessons.store import faults

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.session import SavedBy


def main(words: list[str]) -> int:
    """Returns 1 on failure; imports only what the kind of work needs, because a compaction waits."""
    home = paths.data_home()
    kind, *given = words or [""]
    try:
        _WORK[kind](home, dict(_pair(word) for word in given))
    except KeptOut:
        return 0
    except Exception as fault:
        faults.record(home, f"continuity {kind}"[:40], faults.describe(fault))
        return 1
    return 0


def _pair(word: str) -> tuple[str, str]:
    name, _, value = word.partition("=")
    return name, value


def _save(home: str, given: dict[str, str]) -> None:
    from lessons.continuity.save_handoff import save_handoff

    saved_by: SavedBy = "pre-compact" if given["by"] == "pre-compact" else "stop"
    root, session = given["root"], given["session"]
    now, agent = datetime.now(UTC), _agent(given)
    save_handoff(home, root, session, given["transcript"], saved_by, now, "committed" in given, agent)
    if "warned" in given:
        from lessons.store.project_state.state_files import note_warned
        from lessons.store.project_state.state_paths import StatePaths

        note_warned(StatePaths(home, root), session)


def _begin(home: str, given: dict[str, str]) -> None:
    from lessons.continuity.begin import begin

    begin(home, given["root"], given["session"], int(given["process"]), _moment(given["at"]), _agent(given))


def _end(home: str, given: dict[str, str]) -> None:
    from lessons.continuity.end import end

    place = (home, given["root"], given["session"], given.get("transcript", ""))
    end(*place, _moment(given["at"]), given["reason"], datetime.now(UTC), _agent(given))


def _agent(given: dict[str, str]) -> str:
    """Returns the agent of the session; hooks of earlier versions do not pass it."""
    return given.get("agent", DEFAULT_AGENT)


def _moment(milliseconds: str) -> datetime:
    return datetime.fromtimestamp(int(milliseconds) / 1000, UTC)


_WORK = {"save": _save, "begin": _begin, "end": _end}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
