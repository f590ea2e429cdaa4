"""Checks whether the hooks of the agents answer, with each agent's own checks, and when they last did."""

import os
import time
from collections.abc import Iterator

from lessons.agents.base import Trial
from lessons.agents.found import found_agents
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
from lessons.agents.limits import limits_of
from lessons.agents.table import AGENTS, DEFAULT_AGENT, checks_of, places_of
from lessons.check import Check
from lessons.continuity.compaction import SUMMARISER_WORDS
from lessons.doctor.canary import CANARY, lay_canary
from lessons.errors import LessonsError
from lessons.store import fired

_AT_CALLS = (BEFORE_CALL, AFTER_FAILURE)
_OF_SESSIONS = (SESSION_START, SUBAGENT_START, BEFORE_COMPACTION, TURN_END, SESSION_END)
_NO_AGENT = "No agent found on this machine. Once one is installed, `lessons install --agent NAME` adds the hook."
_TRIAL = Trial(CANARY, lay_canary, SUMMARISER_WORDS)


def checks(home: str, agent: str | None, settings: str | None, client_config: str | None) -> Iterator[Check]:
    yield from _environment()
    found = [each.agent for each in found_agents()]
    checked = [agent] if agent else _agents(settings, found)
    if not agent and not settings and not found and not any(map(_is_hooked, checked)):
        yield Check("settings", True, _NO_AGENT)
        checked = []
    for each in checked:
        try:
            yield from checks_of(each).checks(home, settings, client_config, _TRIAL)
        except LessonsError as refused:  # a settings file that cannot be read must not hide the other checks
            yield Check("settings", False, str(refused), "Fix the file.")
        if limits := limits_of(each):
            yield Check(f"limits of {places_of(each).TITLE}", True, " ".join(limits))
    if not agent and not settings:
        yield from (_without_hook(each) for each in found if each not in checked)
    yield _last_fired(home)


def _agents(settings: str | None, found: list[str]) -> list[str]:
    """Returns the agents whose hook is run.

    These are the agents with the hook in their settings. The default agent may have it in a plugin instead; its own
    checks look there.
    """
    if settings:
        return [DEFAULT_AGENT]
    hooked = [each for each in AGENTS if _is_hooked(each)]
    return [each for each in AGENTS if each in hooked or (each == DEFAULT_AGENT and (each in found or not hooked))]


def _without_hook(agent: str) -> Check:
    """Passes: a user may want the hook in some agents only."""
    title = places_of(agent).TITLE
    return Check(f"settings of {title}", True, f"Found without the hook: `lessons install --agent {agent}` adds it.")


def _is_hooked(agent: str) -> bool:
    return any(has_hook(agent, settings_file(agent, scope)) for scope in SCOPES)


def _environment() -> Iterator[Check]:
    if os.environ.get("LESSONS_DISABLE", "") not in ("", "0"):
        detail = "LESSONS_DISABLE is set here: hooks started with it do nothing."
        yield Check("environment", False, detail, "Unset LESSONS_DISABLE.")


def _last_fired(home: str) -> Check:
    moments = {event: fired.last(home, event) for event in (*_AT_CALLS, *_OF_SESSIONS, AFTER_CALL)}
    fired_at = [
        f"{event} {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(moment))}"
        for event, moment in moments.items()
        if moment is not None
    ]
    never = "never: start a session of the agent, then check again"
    return Check("last fired", True, ", ".join(fired_at) or never)
