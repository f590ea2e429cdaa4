"""Code in a command line that uses an unknown name is a mistake of the call; code in files is under development."""

from lessons.capture.shapes.judgement import judge
from tests.builders.steps import failed
from tests.tables import table

TRACE = 'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\n'
NO_LUX = f"{TRACE}AttributeError: module 'json' has no attribute 'lux'"


@table(
    ("command", "error"),
    [
        ("python lamp.py", NO_LUX),  # a file of the project
        ("python -c 'import json; json.main()'", NO_LUX),  # the code itself does not use it
        ("pytest -q", "E   AttributeError: module 'json' has no attribute 'lux'\n1 failed"),
        # It may be code of the project.
        ("python -c 'import app; app.lux()'", f"{TRACE}AttributeError: module 'app' has no attribute 'lux'"),
        ("node -e 'load().then(rows => rows.lux(1))'", "TypeError: rows.lux is not a function\n    at [eval]:1:40"),
        ("python -c 'a.lux'", f"{TRACE}AttributeError: 'NoneType' object has no attribute 'lux'"),
    ],
)
def test_work(command: str, error: str) -> None:
    assert judge(failed(command, error)).shape == "finding"


@table("command", ["python -c 'json.lux()'", "cd x && python3 - <<'E'\nimport json\njson.lux()\nE"])
def test_mistake(command: str) -> None:
    assert judge(failed(command, NO_LUX)) == ("misuse", "wrong-arguments")
