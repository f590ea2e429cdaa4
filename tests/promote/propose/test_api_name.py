"""Triggers for names that a library does not have: what they leave alone, and what they fire on."""

import time

from lessons.match.call import ToolCall
from lessons.match.rule import why_it_fires
from lessons.promote.propose.judge import rule_of
from lessons.promote.propose.mistake import Mistake
from lessons.promote.propose.propose import Proposal, propose_for
from tests.tables import table

SHOP = "/srv/shop"
NO_LUX = "AttributeError: module 'json' has no attribute 'lux'"
NO_PARSE = "AttributeError: module 'json' has no attribute 'parse'"
NO_DAY = "TypeError: timedelta() got an unexpected keyword argument 'day'"
NO_WIDE = "TypeError: print() got an unexpected keyword argument 'wide'"
NO_CHECK = "TypeError: Popen.__init__() got an unexpected keyword argument 'check'"
NO_ATTRIBUTE = "AttributeError: '{}' object has no attribute 'filter_by'"
NO_NAME = "ImportError: cannot import name '{}' from '{}' ({})"
OF_PYTHON = "/usr/lib/python3.11/collections/__init__.py"


def call(script: str, error: str | None = None) -> ToolCall:
    return ToolCall("Bash", {"command": f"python - <<'E'\n{script}\nE"}, error=error, cwd=SHOP)


def proposed(script: str, error: str, fixed: str = "", *good: str) -> Proposal:
    failure, fix = call(script, f"Exit code 1\n{error}"), call(fixed) if fixed else None
    return propose_for(Mistake([failure], [fix], successes=[*filter(None, [fix]), *map(call, good)], projects=[SHOP]))


def fires(found: Proposal, command: str) -> bool:
    assert found.triggers is not None
    return why_it_fires(rule_of(found.triggers), ToolCall("Bash", {"command": command})) is not None


@table(
    ("script", "error", "fixed", "quiet"),
    [
        *(
            ("import json; json.lux(1)", NO_LUX, "import json; json.dump(1)", quiet)
            for quiet in ("json.dump(1)", 'print("lux")', "json.luxury(1)", "hall.json.lux(1)")
        ),
        (
            "import urllib.parse as u, json\njson.parse(1)",
            NO_PARSE,
            "import json; json.loads(1)",
            "urllib.parse.quote(a)",
        ),
        *(
            ("from collections import Map", NO_NAME.format("Map", "collections", OF_PYTHON), "print(1)", quiet)
            for quiet in ("from collections.abc import Map", "from collections import OrderedDict\nMap = 1")
        ),
        *(
            ("print(1, wide=2)", NO_WIDE, "print(1)", quiet)
            for quiet in (
                "print(1); wide = 2",
                "print(1)\nwide = 2",
                "print(f(1, wide=2))",
                "print('a, wide=2')",
                "hall.print(1, wide=2)",
                "def print(a, wide=2): pass",
            )
        ),
        ("import numpy as n; n.lux(1)", NO_LUX.replace("json", "numpy"), "import numpy as n; n.dim(1)", "n.lux(1)"),
    ],
)
def test_leaves_alone(script: str, error: str, fixed: str, quiet: str) -> None:
    found = proposed(script, error, fixed)
    assert found.acts_at == "call"
    assert fires(found, f"python - <<'E'\n{script}\nE")
    assert not fires(found, f"python - <<'E'\n{quiet}\nE")


@table("command", ["rg 'json.lux' src", "git commit -m 'Drop json.lux'"])
def test_leaves_other_programs_alone(command: str) -> None:
    assert not fires(proposed("import json; json.lux(1)", NO_LUX, "import json; json.dump(1)"), command)


@table(
    ("script", "error", "fixed"),
    [
        ("import json; json.lux(1)", NO_LUX, ""),  # nothing is known to work
        ("from app.models import User; User(day=1)", NO_DAY.replace("timedelta", "User.__init__"), "User(days=1)"),
        ("from app.db import lux", NO_NAME.format("lux", "app.db", "/srv/shop/app/db.py"), "from app.db import dim"),
        ("import shop; shop.lux(1)", NO_LUX.replace("json", "shop"), "import shop; shop.dim(1)"),
        ("Order.objects.filter_by(a=1)", NO_ATTRIBUTE.format("Manager"), "Order.objects.filter(a=1)"),
        ("from rich import a; a.filter_by(1)", NO_ATTRIBUTE.format("Manager"), "from rich import a; a.filter(1)"),
        # A file of the project hides the library.
        ("import json; json.lux(1)", NO_LUX, "import json; json.lux(1); print(2)"),
    ],
)
def test_the_error_in_the_project(script: str, error: str, fixed: str) -> None:
    found = proposed(script, error, fixed)
    assert (found.acts_at, found.scope.type) == ("error", "project")


@table(
    ("script", "error", "fixed"),
    [
        # Classes and modules of others have the same name.
        ("import sqlite3; a.filter_by(1)", NO_ATTRIBUTE.format("sqlite3.Row2"), "import sqlite3; a.filter(1)"),
        ("import os; os.lux(1)", NO_LUX.replace("json", "os"), "import os; os.walk(1)"),
        # The code does not name the function with its module.
        (
            "import subprocess as s; s.run(1, check=1); s.Popen(2, check=1)",
            NO_CHECK,
            "import subprocess as s; s.run(1)",
        ),
        (
            "from datetime import timedelta; timedelta(day=1)",
            NO_DAY,
            "from datetime import timedelta; timedelta(days=1)",
        ),
        ("from rich import print; print(1, wide=2)", NO_WIDE, "from rich import print; print(1)"),
        ("from pathlib import Path; Path().dim(day=2)", NO_DAY.replace("timedelta", "Path.dim"), "Path().dim(days=2)"),
    ],
)
def test_the_error_everywhere(script: str, error: str, fixed: str) -> None:
    found = proposed(script, error, fixed)
    assert (found.acts_at, found.scope.type) == ("error", "global")


@table(
    ("script", "error", "fixed"),
    [
        ("import json; json.lux(1)", NO_LUX, "import json; json.dump(1)"),
        ("import numpy as n; n.lux(1)", NO_LUX.replace("json", "numpy"), "import numpy as n; n.dim(1)"),
        ("from collections import (\n  Map,\n)", NO_NAME.format("Map", "collections", OF_PYTHON), "print(1)"),
        (
            "from lamp import lux",
            NO_NAME.format("lux", "lamp", "/opt/lib/python3.11/site-packages/lamp/a.py"),
            "print(1)",
        ),
        ("print(f(1), 'a', wide=2)", NO_WIDE, "print(1)"),
        ("print(wide=2)", NO_WIDE, "print(1)"),
        ("import datetime; datetime.timedelta(\n  day=1)", NO_DAY, "import datetime; datetime.timedelta(days=1)"),
    ],
)
def test_the_call(script: str, error: str, fixed: str) -> None:
    found = proposed(script, error, fixed)
    assert (found.acts_at, found.scope.type) == ("call", "global")
    assert fires(found, f"cd x && python3 - <<'E'\nimport y\n{script}\nE")


def test_the_error_is_enough_where_the_same_code_works() -> None:
    assert proposed("json.lux(1)", NO_LUX, "json.dump(1)", "json.lux(2)").acts_at == "error"


@table("text", ["print(", "print('", "print(a, ", "print((", 'print("" , ', "print(wide ", "from collections import ("])
def test_patterns_take_no_time(text: str) -> None:
    command = f"python - <<'E'\n{text * (30_000 // len(text))}\nE"
    start = time.perf_counter()
    fires(proposed("print(1, wide=2)", NO_WIDE, "print(1)"), command)
    fires(proposed("from collections import Map", NO_NAME.format("Map", "collections", OF_PYTHON), "print(1)"), command)
    assert time.perf_counter() - start < 5
