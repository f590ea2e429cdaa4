"""Runs every check of an installation, and fires each hook once with a lesson made for that."""

import os
import time
from collections.abc import Iterator

from lessons import config
from lessons.agents.base import Check, Trial
from lessons.agents.found import found_agents, has_hook
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
from lessons.agents.places import SCOPES, settings_file
from lessons.agents.table import AGENTS, DEFAULT_AGENT, checks_of
from lessons.continuity.restore import SUMMARISER_WORDS
from lessons.doctor import checks
from lessons.errors import LessonsError
from lessons.model import lesson_from_document
from lessons.promote.publish.build import write_lessons
from lessons.promote.publish.entry import entry_of
from lessons.store import fired

CANARY = "lessons-doctor-canary"

_AT_A_CALL: dict[str, object] = {
    "id": "call",
    "slug": CANARY,
    "summary": "A lesson by which doctor sees that the hook answers",
    "problem": f"The command {CANARY} exists only for this check.",
    "solution": "Nothing has to be done about it, it is never run.",
    "block": True,
    "blockReason": f"{CANARY} was seen.",
    "triggers": {"commandPatterns": [CANARY], "errorPatterns": [CANARY]},
}
_AT_THE_START: dict[str, object] = {
    "id": "start",
    "slug": f"{CANARY}-start",
    "summary": f"The lesson of {CANARY} for the start of a session",
    "problem": "A session that starts is told this by the check.",
    "solution": "Nothing has to be done about it, it is never seen.",
    "triggers": {"sessionStart": True},
}


def lay_canary(home: str) -> None:
    """Publishes the sample lessons with the default settings, so that the user's settings cannot affect the check."""
    lessons = [lesson_from_document(document) for document in (_AT_A_CALL, _AT_THE_START)]
    entries = {lesson.id: entry_of(lesson, lambda source, flags: None).entry for lesson in lessons}
    write_lessons(home, config.load(home, {}), entries, "")


_EVENTS = (
    *(BEFORE_CALL, AFTER_FAILURE, SESSION_START, SUBAGENT_START, BEFORE_COMPACTION, TURN_END, SESSION_END, AFTER_CALL),
)
_NO_AGENT = "No agent found on this machine. Once one is installed, `lessons install --agent NAME` adds the hook."
_TRIAL = Trial(CANARY, lay_canary, SUMMARISER_WORDS)


def hook_checks(home: str, agent: str | None, settings: str | None, client_config: str | None) -> Iterator[Check]:
    if os.environ.get("LESSONS_DISABLE", "") not in ("", "0"):
        detail = "LESSONS_DISABLE is set here: hooks started with it do nothing."
        yield Check("environment", False, detail, "Unset LESSONS_DISABLE.")
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
        if limits := AGENTS[each].limits:
            yield Check(f"limits of {AGENTS[each].title}", True, limits)
    if not agent and not settings:
        # Passes: a user may want the hook in some agents only.
        for each in found:
            if each not in checked:
                detail = f"Found without the hook: `lessons install --agent {each}` adds it."
                yield Check(f"settings of {AGENTS[each].title}", True, detail)
    moments = {event: fired.last(home, event) for event in _EVENTS}
    fired_at = [
        f"{event} {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(moment))}"
        for event, moment in moments.items()
        if moment is not None
    ]
    yield Check("last fired", True, ", ".join(fired_at) or "never: start a session of the agent, then check again")


def _agents(settings: str | None, found: list[str]) -> list[str]:
    """Returns the agents whose hook is run.

    These are the agents with the hook in their settings. The default agent may have it in a plugin instead; its own
    checks look there.
    """
    if settings:
        return [DEFAULT_AGENT]
    hooked = [each for each in AGENTS if _is_hooked(each)]
    return [each for each in AGENTS if each in hooked or (each == DEFAULT_AGENT and (each in found or not hooked))]


def _is_hooked(agent: str) -> bool:
    return any(has_hook(agent, settings_file(agent, scope)) for scope in SCOPES)


def each_check(
    home: str, agent: str | None = None, settings: str | None = None, client_config: str | None = None
) -> Iterator[Check]:
    """Yields every check, the data home first, then the hooks: of one agent, or of all that have one.

    One by one: running a hook takes time, and the user wants to see what is done.
    """
    yield checks.home_check(home)
    yield from checks.record_checks(home)
    yield checks.config_check(home)
    yield checks.trust_check(home)
    yield from checks.published_checks(home)
    yield from checks.fault_checks(home)
    yield from checks.history_checks(home)
    yield from hook_checks(home, agent, settings, client_config)
