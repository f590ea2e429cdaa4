"""What the tests of each client cost, in wall and processor time, as a table after their results."""

import resource
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import pytest

from tests.e2e.rig.clients import CLIENTS

_PROPERTY = "processor_seconds"
_OF_CLAUDE_CODE = "claude-code"


class Cost(NamedTuple):
    tests: int = 0
    seconds: float = 0.0
    processor: float = 0.0


@contextmanager
def cost_of(test: pytest.Item) -> Iterator[None]:
    """Notes the processor time of all processes that end while the test runs."""
    before = _spent()
    yield
    test.user_properties.append((_PROPERTY, _spent() - before))


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Costs:
    """The sums of each client over the reports of all its tests."""

    def __init__(self, reports: Iterable[Any]) -> None:
        self._sums: dict[str, Cost] = defaultdict(Cost)
        for report in reports:
            if isinstance(report, pytest.TestReport):
                self._add(report)

    def _add(self, report: pytest.TestReport) -> None:
        client = client_of(report.nodeid)
        ended = report.when == "teardown"
        found = [value for name, value in report.user_properties if ended and name == _PROPERTY]
        processor = sum(value for value in found if isinstance(value, float))
        tests, seconds, before = self._sums[client]
        self._sums[client] = Cost(tests + ended, seconds + report.duration, before + processor)

    def table(self) -> str:
        lines = ["", "| client | version | tests | seconds | processor seconds |", "| --- | --- | --- | --- | --- |"]
        for client, cost in sorted(self._sums.items()):
            version = CLIENTS[client][1]
            lines.append(f"| {client} | {version} | {cost.tests} | {cost.seconds:.0f} | {cost.processor:.0f} |")
        return "\n".join(lines)


def client_of(test: str) -> str:
    """The client whose suite a test belongs to: those beside the folders of the others are Claude Code's."""
    folder = PurePosixPath(test.partition("::")[0]).parent.name.replace("_", "-")
    return folder if folder in CLIENTS else _OF_CLAUDE_CODE
