"""Whether the hooks of the agents answer, by each agent's own checks, and when they last did."""

import os
import time
from collections.abc import Iterator

from lessons.agents.base import Trial
from lessons.agents.hook_event import (
    AFTER_CALL,
    AFTER_FAILURE,
    BEFORE_CALL,
    BEFORE_COMPACTION,
    SESSION_END,
    SESSION_START,
    SUBAGENT_START,
    TURN_END,
)
from lessons.agents.installed import SCOPES, has_hook, settings_file
from lessons.agents.table import AGENTS, DEFAULT_AGENT, checks_of
from lessons.check import Check
from lessons.continuity.compaction import SUMMARISER_WORDS
from lessons.doctor.canary import CANARY, lay_canary
from lessons.errors import LessonsError
from lessons.store import fired

_AT_CALLS = (BEFORE_CALL, AFTER_FAILURE)
_OF_SESSIONS = (SESSION_START, SUBAGENT_START, BEFORE_COMPACTION, TURN_END, SESSION_END)
_TRIAL = Trial(CANARY, lay_canary, SUMMARISER_WORDS)


def checks(home: str, agent: str | None, settings: str | None, client_config: str | None) -> Iterator[Check]:
    yield from _environment()
    for each in [agent] if agent else _agents(settings):
        try:
            yield from checks_of(each).checks(home, settings, client_config, _TRIAL)
        except LessonsError as refused:  # a settings file that cannot be read must not hide the other checks
            yield Check("settings", False, str(refused), "Correct the file.")
    yield _last_fired(home)


def _agents(settings: str | None) -> list[str]:
    """Whose hook is looked for: the usual agent's in any case, others' where it is installed."""
    if settings:
        return [DEFAULT_AGENT]
    return [each for each in AGENTS if each == DEFAULT_AGENT or _is_hooked(each)]


def _is_hooked(agent: str) -> bool:
    return any(has_hook(agent, settings_file(agent, scope)) for scope in SCOPES)


def _environment() -> Iterator[Check]:
    if os.environ.get("LESSONS_DISABLE", "") not in ("", "0"):
        detail = "LESSONS_DISABLE is set here: a hook that is started with it does nothing."
        yield Check("environment", False, detail, "Unset LESSONS_DISABLE.")


def _last_fired(home: str) -> Check:
    moments = {event: fired.last(home, event) for event in (*_AT_CALLS, *_OF_SESSIONS, AFTER_CALL)}
    told = [
        f"{event} {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(moment))}"
        for event, moment in moments.items()
        if moment is not None
    ]
    never = "never yet: start a session of the agent, then look again"
    return Check("last fired", True, ", ".join(told) or never)
