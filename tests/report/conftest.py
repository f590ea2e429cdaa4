"""A data home of some months, built once."""

from collections.abc import Iterator

import pytest

from lessons import config
from lessons.report.compose import compose
from lessons.report.document import Report
from lessons.store.history.history import History
from tests.builders.months import Months


@pytest.fixture(scope="package")
def months(tmp_path_factory: pytest.TempPathFactory) -> Months:
    return Months(tmp_path_factory.mktemp("months")).fill()


@pytest.fixture(scope="package")
def history(months: Months) -> Iterator[History]:
    with History.for_reading(months.path) as history:
        yield history


@pytest.fixture(scope="package")
def report(history: History) -> Report:
    return compose(history, config.load(history.home, {}))
