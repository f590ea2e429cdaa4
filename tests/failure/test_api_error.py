"""Names that a library does not have: first errors that say no such thing."""

from lessons.failure.api_error import ApiError, api_error, uses
from tests.tables import table

TRACE = 'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\n'
OF_PROJECT = TRACE + '  File "/srv/shop/lamp.py", line 3, in dim\n    a.lux()\n'
OF_LIBRARY = TRACE + '  File "/opt/lib/python3/site-packages/lamp/api.py", line 3, in dim\n'


@table(
    "error",
    [
        "",
        "TypeError: lux",
        TRACE + "ValueError: lamp() got nothing",
        TRACE + "AttributeError: 'NoneType' object has no attribute 'lux'",  # a value, not a library
        TRACE + "AttributeError: 'list' object has no attribute 'items'",
        OF_PROJECT + "AttributeError: module 'lamp' has no attribute 'lux'",  # code under development
        "TypeError: a.lux is not a function\n    at dim (/srv/shop/src/lamp.js:3:7)",
        "E   AttributeError: module 'lamp' has no attribute 'lux'",  # the report of a test
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
        (TRACE + "AttributeError: module 'lamp' has no attribute 'lux'", "member", "lamp", "lux", "lamp.lux()"),
        (TRACE + "AttributeError: 'Lamp' object has no attribute 'lux'", "attribute", "Lamp", "lux", "a.lux"),
        (TRACE + "AttributeError: 'a.Lamp' object has no attribute 'lux'", "attribute", "a.Lamp", "lux", "a.lux"),
        (TRACE + "ImportError: cannot import name 'lux' from 'lamp'", "import", "lamp", "lux", "from lamp import lux"),
        ("TypeError: fs.lux is not a function\n    at [eval]:1:40", "member", "fs", "lux", "fs.lux('a')"),
    ],
)
def test_the_missing_name(error: str, kind: str, owner: str, name: str, script: str) -> None:
    found = api_error(f"Exit code 1\n{error}")
    assert found is not None
    assert found[:3] == (kind, owner, name)
    assert uses(found, script)


def test_the_same_name_of_something_else() -> None:
    found = api_error("TypeError: Object.lux is not a function\n    at [eval]:1:40")
    assert found is not None
    assert not uses(found, "Object.entries(a).lux(1)")


@table("script", ["lux = 1", "a.luxury", "dim(lux == 1)", "dim(lux)"])
def test_other_uses_of_the_word(script: str) -> None:
    assert not uses(ApiError("keyword", "dim", "lux", ""), script)
