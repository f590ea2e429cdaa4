"""A scan stopped between any two storing steps: the next one continues, and nothing is missing in the end."""

import sys
from pathlib import Path
from types import FrameType

import pytest

from tests.flows.eventful import days, forks, interrupted_in_one_fork, results_first
from tests.flows.scanning import in_one_go, scan
from tests.flows.tables import assert_same, tables
from tests.sizes import size

EVERY = size("INTERRUPT_EVERY", 401)
STORE = "lessons/store/history/"


class Interruption:
    """^C when the function that is called at this place of the storing begins."""

    def __init__(self, at: int) -> None:
        self.waiting = at

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and STORE in frame.f_code.co_filename:
            self.waiting -= 1
            if self.waiting == 0:
                raise KeyboardInterrupt

    def strikes(self, home: Path, folder: Path) -> bool:
        sys.setprofile(self)
        try:
            scan(home, folder)
        except KeyboardInterrupt:
            return True
        finally:
            sys.setprofile(None)
        return False


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for story in (days, forks, interrupted_in_one_fork, results_first):
        story(tmp_path / "root")
    return tmp_path / "root"


def test_between_any_two_steps(root: Path, tmp_path: Path) -> None:
    once = in_one_go(root, tmp_path / "once")
    at = 1
    while Interruption(at).strikes(tmp_path / f"at-{at}", root):
        scan(tmp_path / f"at-{at}", root)
        assert_same(once, tables(tmp_path / f"at-{at}", root))
        at += EVERY
    assert at > 5 * EVERY
