"""How much of what agents did is in the history."""

from collections import Counter

from lessons.report.document import Coverage
from lessons.report.hook_health import minute_of
from lessons.store import scan_state
from lessons.store.history.history import History


def coverage(history: History, sessions: int) -> Coverage:
    outcomes: Counter[str] = Counter()
    agents: Counter[str] = Counter()
    for agent, outcome, number in history.calls.tally():
        outcomes[outcome] += number
        agents[agent] += number
    records, malformed = history.sources.records()
    last = scan_state.last_scan(history.home)
    return Coverage(
        files=history.sources.count(),
        records=records,
        malformed=malformed,
        damaged_parts=history.sources.damaged_parts()[0],
        given_up=sum(each.state == "dead" for each in history.progress.failed_segments()),
        sessions=sessions,
        calls=outcomes.total(),
        outcomes=dict(sorted(outcomes.items())),
        agents=dict(sorted(agents.items())),
        last_scan=minute_of(last) if last else "",
    )
