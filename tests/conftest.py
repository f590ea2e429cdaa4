"""Every test runs in surroundings of its own: none can read or write what belongs to the person who runs it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from lessons.system import system

SetVariable = Callable[[str, str | None], None]


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


@pytest.fixture(autouse=True)
def own_surroundings(tmp_path: Path, variable: SetVariable) -> None:
    places = {
        "LESSONS_HOME": tmp_path / "data",
        "HOME": tmp_path / "person",
        "TMPDIR": tmp_path / "tmp",
        "CLAUDE_CONFIG_DIR": tmp_path / "person" / ".claude",
    }
    for name in [name for name in os.environ if name.startswith("LESSONS_")]:
        variable(name, None)
    for name, place in places.items():
        place.mkdir(parents=True, exist_ok=True)
        variable(name, str(place))
