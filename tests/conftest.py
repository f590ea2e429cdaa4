"""Every test runs in isolation: none can read or write files of the person who runs it."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from lessons.started_by import VARIABLES
from lessons.system import system
from tests.posix import module_for
from tests.sizes import examples

# The same examples in every run of CI; at a desk other ones each time.
# How long an example takes depends on what else the machine does, so it is no failure.
anywhere = settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("desk", anywhere)
settings.register_profile("ci", anywhere, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "desk")

# A run in the background ignores ^C, one behind `nohup` a closed terminal, and so would the programs that it starts:
# some tests send them these signals.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

SetVariable = Callable[[str, str | None], None]


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Modules that need POSIX are skipped on Windows, loudly."""
    return module_for(module_path, parent)


@pytest.fixture
def variable(monkeypatch: pytest.MonkeyPatch) -> SetVariable:
    """Sets an environment variable (None: unsets it) for `os` and for the hook, which keeps to `posix`."""

    def set_variable(name: str, value: str | None) -> None:
        hot: dict[str | bytes, str | bytes] = system.environ  # type: ignore[assignment]
        if value is None:
            monkeypatch.delenv(name, raising=False)
            for key in (name, name.encode()):
                monkeypatch.delitem(hot, key, raising=False)
        else:
            monkeypatch.setenv(name, value)
            if hot is not os.environ:
                monkeypatch.setitem(hot, name.encode(), value.encode("utf-8", "surrogateescape"))

    return set_variable


@pytest.fixture
def surroundings(tmp_path: Path) -> Path:
    """The folder of everything that the environment names; beside `tmp_path`, which a test finds empty."""
    return tmp_path.with_name(tmp_path.name + "-surroundings")


@pytest.fixture(autouse=True)
def _own_surroundings(surroundings: Path, variable: SetVariable) -> None:
    # Those of an agent too: what it runs is recorded as its work.
    for name in [name for name in os.environ if name.startswith("LESSONS_") or name in VARIABLES]:
        variable(name, None)
    person = surroundings / "person"
    places = {
        "LESSONS_HOME": surroundings / "data",
        "HOME": person,
        "TMPDIR": surroundings / "tmp",
        "CLAUDE_CONFIG_DIR": person / ".claude",
    }
    for name, place in places.items():
        place.mkdir(parents=True, exist_ok=True)
        variable(name, str(place))
