"""Runs every check of an installation."""

from collections.abc import Iterator

from lessons.check import Check
from lessons.doctor import (
    config_file,
    data_home,
    fault_log,
    history,
    hook,
    lesson_records,
    published,
    trusted_projects,
)


def run(
    home: str, agent: str | None = None, settings: str | None = None, client_config: str | None = None
) -> list[Check]:
    """Returns every check, the data home first, then the hooks: of one agent, or of all that have one."""
    return list(each_check(home, agent, settings, client_config))


def each_check(
    home: str, agent: str | None = None, settings: str | None = None, client_config: str | None = None
) -> Iterator[Check]:
    """Yields the same checks one by one: running a hook takes time, and the user wants to see what is done."""
    yield data_home.check(home)
    yield from lesson_records.checks(home)
    yield config_file.check(home)
    yield trusted_projects.check(home)
    yield from published.checks(home)
    yield from fault_log.checks(home)
    yield from history.checks(home)
    yield from hook.checks(home, agent, settings, client_config)
