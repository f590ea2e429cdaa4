"""Finds the name that a library does not have, in the error of code that uses it."""

import re
from typing import NamedTuple

from lessons.failure.clean import clean

# Values of these types come from data: what they lack says nothing about a library.
_OF_DATA = frozenset(
    "NoneType str int float bool list dict tuple set frozenset bytes function method generator type undefined null"
    " builtin_function_or_method".split()
)
_NAME = r"[A-Za-z_]\w{0,60}"
_THIS = rf"'(?P<name>{_NAME})'"
_FUNCTION = rf"(?P<owner>(?:{_NAME}\.)*{_NAME})"
_MODULE = r"'(?P<owner>[\w.]{1,80})'"
_ERRORS = (
    ("keyword", rf"TypeError: {_FUNCTION}\(\) got an unexpected keyword argument {_THIS}"),
    ("member", rf"AttributeError: (?:partially initialized )?module {_MODULE} has no attribute {_THIS}"),
    ("attribute", rf"AttributeError: (?:type object )?{_MODULE}(?: object)? has no attribute {_THIS}"),
    ("import", rf"ImportError: cannot import name {_THIS} from {_MODULE}"),
    ("member", rf"TypeError: {_FUNCTION}\.(?P<name>{_NAME}) is not a (?:function|constructor)"),
)
_SHAPES = tuple((kind, re.compile(f"^{shape}", re.MULTILINE)) for kind, shape in _ERRORS)
_FRAME = re.compile(
    r"^\s*(?:File \"(?!<)(?P<python>[^\"\n]{1,300})\", line \d"
    r"|at (?:.{0,200}\()?(?P<node>/[^\s()]{1,300}):\d+:\d+\)?$)",
    re.MULTILINE,
)
_OF_LIBRARY = re.compile(r"/(?:site-packages|dist-packages|node_modules)/|/lib/python[\d.]+/|^node:")


class ApiError(NamedTuple):
    """What is missing: a `keyword` of a function, a `member` of a module, an `attribute` of a class, an `import`."""

    kind: str
    owner: str
    name: str
    line: str  # of the error, up to the name


def api_error(error: str) -> ApiError | None:
    """Returns None for an error of other code than the script itself: that is under development."""
    if "Error: " not in error:
        return None
    text = clean(error)
    if any(not _OF_LIBRARY.search(frame["python"] or frame["node"]) for frame in _FRAME.finditer(text)):
        return None
    for kind, shape in _SHAPES:
        found = shape.search(text)
        if found and found["owner"] not in _OF_DATA:
            return ApiError(kind, found["owner"], found["name"], found[0])
    return None


def uses(found: ApiError, script: str) -> bool:
    """Whether a script uses the missing name in this way."""
    return re.search(usage(found), script) is not None


def usage(found: ApiError) -> str:
    """Returns a pattern for that use."""
    if found.kind == "keyword":
        return rf"[(,]\s*{found.name}\s*=(?!=)"
    if found.kind == "import":
        return rf"\bimport\b[^\n;]*\b{found.name}\b"
    if found.line.startswith("TypeError"):  # it quotes the code
        return rf"(?<!\w){re.escape(found.owner)}\.{found.name}\b"
    return rf"\.{found.name}\b"
