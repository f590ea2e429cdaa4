"""Where the data home is: only an absolute path is accepted, in the spelling of either system."""

import pytest

from lessons import paths
from lessons.errors import Refused
from tests.conftest import SetVariable


@pytest.mark.parametrize("chosen", ["data", "./data", "~/data", "C:", "C:data", "\\data", "1"])
def test_a_relative_home_is_refused(variable: SetVariable, chosen: str) -> None:
    variable("LESSONS_HOME", chosen)
    with pytest.raises(Refused, match="a relative path: set it to an absolute one"):
        paths.data_home()


@pytest.mark.parametrize("chosen", ["/data\nX", "/data\n", "/data\r", "C:\\data\nExecStart=x"])
def test_a_line_break_in_it_is_refused(variable: SetVariable, chosen: str) -> None:
    variable("LESSONS_HOME", chosen)
    with pytest.raises(Refused, match="with a line break: choose another folder"):
        paths.data_home()


@pytest.mark.parametrize(
    ("chosen", "home"),
    [
        ("/data", "/data"),
        ("/data/", "/data"),
        ("/data\\", "/data\\"),
        ("/", "/"),
        ("C:\\data", "C:\\data"),
        ("C:\\data\\", "C:\\data"),
        ("c:/data/", "c:/data"),
        ("C:\\", "C:"),
        ("\\\\server\\share\\data\\", "\\\\server\\share\\data"),
    ],
)
def test_an_absolute_home(variable: SetVariable, chosen: str, home: str) -> None:
    variable("LESSONS_HOME", chosen)
    assert paths.data_home() == home
    assert paths.lessons_file(paths.data_home()) == home + "/lessons.json"
