"""Names that a library does not have: first errors that say no such thing."""

import time

from lessons.failure.api_error import ApiError, api_error, library_error, named_error, uses
from lessons.failure.script_code import code_of
from tests.tables import table

TRACE = 'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\n'
OF_PROJECT = TRACE + '  File "/srv/shop/lamp.py", line 3, in dim\n    a.lux()\n'
OF_LIBRARY = TRACE + '  File "/opt/lib/python3/site-packages/lamp/api.py", line 3, in dim\n'
OF_WINDOWS = TRACE + '  File "C:\\Python311\\Lib\\site-packages\\lamp\\api.py", line 3, in dim\n'
NO_MEMBER = "AttributeError: module 'lamp' has no attribute 'lux'"
NO_FUNCTION = "TypeError: fs.lux is not a function"


@table(
    "error",
    [
        "",
        "TypeError: lux",
        TRACE + "ValueError: lamp() got nothing",
        TRACE + "AttributeError: 'NoneType' object has no attribute 'lux'",  # a value, not a library
        TRACE + "AttributeError: 'list' object has no attribute 'items'",
        TRACE + "AttributeError: 'DataFrame' object has no attribute 'user_name'",  # a column
        TRACE + "AttributeError: 'Namespace' object has no attribute 'lux'",
        TRACE + "AttributeError: 'Settings' object has no attribute 'lux'",
        OF_PROJECT + NO_MEMBER,  # code under development
        "TypeError: a.lux is not a function\n    at dim (/srv/shop/src/lamp.js:3:7)",
        "TypeError: a.lux is not a function\n    at dim (file:///srv/shop/src/lamp.mjs:3:7)",
        "TypeError: a.lux is not a function\n    at async file:///srv/shop/src/lamp.mjs:3:7",
        "TypeError: a.lux is not a function\n    at dim (C:\\shop\\src\\lamp.js:3:7)",
        f"E   {NO_MEMBER}",  # the report of a test
        # A file of the project hides the library.
        TRACE + "AttributeError: partially initialized module 'lamp' has no attribute 'lux'",
        TRACE + NO_MEMBER + " (consider renaming '/srv/shop/lamp.py' since it has the same name as the library)",
    ],
)
def test_none(error: str) -> None:
    assert api_error(error) is None


@table(
    ("error", "kind", "owner", "name", "script"),
    [
        (
            OF_LIBRARY + "TypeError: Lamp.dim() got an unexpected keyword argument 'lux'. Did you mean 'luz'?",
            *("keyword", "Lamp.dim", "lux", "lamp.dim(1, lux = 2)"),
        ),
        (TRACE + NO_MEMBER, "member", "lamp", "lux", "lamp.lux()"),
        (OF_WINDOWS + NO_MEMBER, "member", "lamp", "lux", "lamp.lux()"),
        (TRACE + NO_MEMBER, "member", "lamp", "lux", "import lamp as l\nl.lux()"),
        (TRACE + "AttributeError: 'Lamp' object has no attribute 'lux'", "attribute", "Lamp", "lux", "a.lux"),
        (TRACE + "AttributeError: 'a.Lamp' object has no attribute 'lux'", "attribute", "a.Lamp", "lux", "a.lux"),
        (TRACE + "ImportError: cannot import name 'lux' from 'lamp'", "import", "lamp", "lux", "from lamp import lux"),
        (
            TRACE + "ImportError: cannot import name 'lux' from 'lamp'",
            *("import", "lamp", "lux", "from lamp import (\n  dim,\n  lux,\n)"),
        ),
        (f"{NO_FUNCTION}\n    at [eval]:1:40", "function", "fs", "lux", "fs.lux(1)"),
        (f"{NO_FUNCTION}\n    at file:///srv/shop/[eval1]:1:40", "function", "fs", "lux", "fs.lux(1)"),
        (f"{NO_FUNCTION}\n    at a (file:///srv/node_modules/b/c.mjs:1:4)", "function", "fs", "lux", "fs.lux(1)"),
    ],
)
def test_the_missing_name(error: str, kind: str, owner: str, name: str, script: str) -> None:
    found = api_error(f"Exit code 1\n{error}")
    assert found is not None
    assert found[:3] == (kind, owner, name)
    assert uses(found, script)


@table(
    ("kind", "owner", "code"),
    [
        ("function", "Object", "Object.entries(a).lux(1)"),
        ("member", "lamp", "import hall.lux, lamp; hall.lux(1)"),
        ("member", "lamp", "hall.lamp.lux(1)"),
        ("import", "lamp", "from lamp.abc import lux"),
        ("import", "lamp", "from hall import lux"),
        ("import", "lamp", "from lamp import dim\nlux = 1"),
        ("import", "lamp", "from lamp import dim as lux"),
        *(("keyword", "dim", code) for code in ("lux = 1", "a.luxury", "dim(lux == 1)", "dim(lux)")),
    ],
)
def test_the_same_name_of_something_else(kind: str, owner: str, code: str) -> None:
    assert not uses(ApiError(kind, owner, "lux", ""), code)


def test_a_name_in_a_text_is_not_used() -> None:
    assert not uses(ApiError("member", "lamp", "lux", ""), code_of("print('lamp.lux(1)')"))


KEYWORD = "TypeError: {}() got an unexpected keyword argument 'lux'"
ATTRIBUTE = "AttributeError: {} has no attribute 'lux'"
IMPORT = "ImportError: cannot import name 'lux' from '{}' ({})"


@table(
    ("error", "script"),
    [
        (KEYWORD.format("User.__init__"), "from app.models import User; User(lux=1)"),
        (KEYWORD.format("dim"), "import json\ndef dim(a): pass\ndim(lux=1)"),
        (KEYWORD.format("dim"), "import json; dim(lux=1)"),  # the console of a framework has it
        (KEYWORD.format("Pool.dim"), "import json, app; app.pool.dim(lux=1)"),
        (KEYWORD.format("print"), "from app import print; print(lux=1)"),
        (ATTRIBUTE.format("module 'app'"), "import app; app.lux"),
        (ATTRIBUTE.format("module 'shop'"), "import shop; shop.lux"),
        (ATTRIBUTE.format("'Manager' object"), "from shop.models import Order; Order.objects.lux(1)"),
        (ATTRIBUTE.format("'Manager' object"), "a.lux(1)"),
        (ATTRIBUTE.format("'Lamp' object"), "import json\nclass Lamp: pass\nLamp().lux"),
        (ATTRIBUTE.format("'Lamp' object"), "from collections import namedtuple\nnamedtuple('Lamp', 'a')(1).lux"),
        (ATTRIBUTE.format("'Lamp' object"), "import sys; sys.path.insert(0, 'src'); load().lux"),
        (IMPORT.format("app.db", "/srv/shop/app/db.py"), "from app.db import lux"),
        (IMPORT.format("queue", "/srv/shop/queue.py"), "from queue import lux"),  # it hides the library
        (IMPORT.format("lamp", "unknown location"), "from lamp import lux"),
        (IMPORT.format("shop", "/srv/shop/.venv/lib/python3.11/site-packages/shop/a.py"), "from shop import lux"),
        ("TypeError: data.lux is not a function", "const data = require('./a.json'); data.lux(1)"),
        ("TypeError: rows.lux is not a function", "const {rows} = require('./db'); rows.lux(1)"),
        ("TypeError: rows.lux is not a function", "load().then(rows => rows.lux(1))"),
        ("TypeError: a.lux is not a function", "import a from '@/a'; a.lux(1)"),
        ("TypeError: Map.lux is not a function", "const Map = load(); Map.lux(1)"),
    ],
)
def test_it_may_be_of_the_project(error: str, script: str) -> None:
    assert library_error(TRACE + error, [script], "/srv/shop") is None


@table(
    ("error", "script"),
    [
        (KEYWORD.format("print"), "print(1, lux=1)"),
        (KEYWORD.format("Session.request"), "import requests; requests.get(1, lux=1)"),
        (KEYWORD.format("Lamp.__init__"), "from rich import Lamp; from app import a; Lamp(lux=1)"),
        (ATTRIBUTE.format("module 'json'"), "import json; json.lux"),
        (ATTRIBUTE.format("module 'numpy'"), "import numpy as np; np.lux"),
        (ATTRIBUTE.format("type object 'datetime.datetime'"), "from datetime import datetime; datetime.lux"),
        (ATTRIBUTE.format("'Path' object"), "from pathlib import Path; Path().lux"),
        (IMPORT.format("lamp", "/opt/lib/python3.11/site-packages/lamp/a.py"), "from lamp import lux"),
        ("ImportError: cannot import name 'lux' from 'json'", "from json import lux"),
        ("TypeError: fs.lux is not a function", "fs.lux(1)"),
        ("TypeError: Object.lux is not a function", "Object.lux(1)"),
        ("TypeError: l.lux is not a function", "const l = require('lodash'); l.lux(1)"),
        ("TypeError: l.lux is not a function", "import * as l from 'lodash'; l.lux(1)"),
    ],
)
def test_it_is_of_a_library(error: str, script: str) -> None:
    assert library_error(TRACE + error, [script], "/srv/shop") is not None


def test_a_library_under_development() -> None:
    error, script = TRACE + ATTRIBUTE.format("module 'rich'"), "import rich; rich.lux"
    assert library_error(error, [script], "/srv/rich/docs") is None
    assert named_error(error, [script], "/srv/rich/docs") is not None


@table("text", ["import ", "from lamp import ", "from lamp import (", "(", "(lux ", "'", "\\'", '"""', "a.", ", \n"])
def test_long_scripts_take_no_time(text: str) -> None:
    script = text * (100_000 // len(text))
    start = time.perf_counter()
    for kind in ("keyword", "member", "attribute", "import", "function"):
        uses(ApiError(kind, "lamp", "lux", ""), script)
        library_error(TRACE + IMPORT.format("lamp", "/a.py"), [script], "")
    assert time.perf_counter() - start < 5
