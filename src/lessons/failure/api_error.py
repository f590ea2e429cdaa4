"""Finds the name that a library does not have, in the error of code that uses it."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from lessons.failure.clean import clean
from lessons.failure.libraries import BUILTINS, NODE_AT_HAND, NODE_GLOBALS, is_library, is_of_folder
from lessons.failure.script_code import code_of, node_names, python_names

# What values of these types have comes from data: it says nothing about a library.
_OF_DATA = frozenset(
    "NoneType str int float bool list dict tuple set frozenset bytes function method generator type undefined null"
    " builtin_function_or_method coroutine DataFrame Series GroupBy DataFrameGroupBy SeriesGroupBy Namespace"
    " SimpleNamespace AttrDict Bunch Box Row Record Settings LazySettings Config Struct Mock MagicMock Enum".split()
)
_NAME = r"[A-Za-z_]\w{0,60}"
_THIS = rf"'(?P<name>{_NAME})'"
_FUNCTION = rf"(?P<owner>(?:{_NAME}\.){{0,8}}{_NAME})"
_MODULE = r"'(?P<owner>[\w.]{1,80})'"
_ERRORS = (
    ("keyword", rf"TypeError: {_FUNCTION}\(\) got an unexpected keyword argument {_THIS}"),
    ("member", rf"AttributeError: module {_MODULE} has no attribute {_THIS}"),
    ("attribute", rf"AttributeError: (?:type object )?{_MODULE}(?: object)? has no attribute {_THIS}"),
    ("import", rf"ImportError: cannot import name {_THIS} from {_MODULE}"),
    ("function", rf"TypeError: (?P<owner>{_NAME})\.(?P<name>{_NAME}) is not a (?:function|constructor)"),
)
_SHAPES = tuple((kind, re.compile(f"^{shape}", re.MULTILINE)) for kind, shape in _ERRORS)
_FRAME = re.compile(
    r"^[ \t]*(?:File \"(?!<)(?P<python>[^\"\n]{1,300})\", line \d"
    r"|at (?:async )?(?:[^\n]{0,200}\()?(?P<node>(?:file://)?(?:/|[A-Za-z]:[/\\])[^\n()]{1,300}):\d+:\d+\)?$)",
    re.MULTILINE,
)
_SCRIPT = re.compile(r"/\[eval\d*\]$")
_OF_LIBRARY = re.compile(
    r"/(?:site-packages|dist-packages|node_modules)/|/lib/python[\d.]+/|/Python\d+/lib/", re.IGNORECASE
)
_PLACE = re.compile(r" \(([^)\n]{1,300})")
_RENAMING = " (consider renaming"  # a file of the project has the name of a module
_PATH_CHANGED = re.compile(r"\bsys\.path\b|\bexec\(|__import__|\bimportlib\b")


class ApiError(NamedTuple):
    """What is missing.

    It is a `keyword` of a function, a `member` of a module, an `attribute` of a class, an `import`,
    or a `function` of an object of JavaScript.
    """

    kind: str
    owner: str
    name: str
    line: str  # of the error, up to the name
    place: str = ""  # of the file that the error names: `library` or `project`


def api_error(error: str) -> ApiError | None:
    """Returns None for an error of other code than the script itself: that is under development."""
    if "Error: " not in error:
        return None
    text = clean(error)
    if any(_is_of_project(frame["python"] or frame["node"]) for frame in _FRAME.finditer(text)):
        return None
    for kind, shape in _SHAPES:
        found = shape.search(text)
        if not found or found["owner"].rpartition(".")[2] in _OF_DATA or text.startswith(_RENAMING, found.end()):
            continue
        place = _PLACE.match(text, found.end()) if kind == "import" else None
        where = "" if place is None else "project" if _is_of_project(place[1]) else "library"
        return ApiError(kind, found["owner"], found["name"], found[0], where)
    return None


def library_error(error: str, scripts: Sequence[str], folder: str) -> ApiError | None:
    """Returns what a script uses and a library lacks; None if it is not certain that the name is of a library."""
    found = api_error(error)
    if found is None:
        return None
    return found if any(uses(found, code_of(one)) and _is_of_library(found, one, folder) for one in scripts) else None


def named_error(error: str, scripts: Sequence[str], folder: str) -> ApiError | None:
    """Returns the same, and what a module or function of the project lacks; not what values of the script lack."""
    found = api_error(error)
    if found is None or found.kind in ("attribute", "function"):
        return library_error(error, scripts, folder) if found else None
    return found if any(uses(found, code_of(script)) for script in scripts) else None


def uses(found: ApiError, code: str) -> bool:
    """Whether code without literals uses the missing name in this way."""
    return usage(found, code).search(code) is not None


def usage(found: ApiError, code: str) -> re.Pattern[str]:
    """Returns a pattern for that use in this code."""
    if found.kind == "keyword":
        return re.compile(rf"[(,]\s*{found.name}\s*=(?!=)")
    if found.kind == "import":
        return re.compile(import_pattern(found))
    if found.kind == "attribute":
        return re.compile(rf"\.{found.name}\b")
    meant = [name for name, full in python_names(code).items() if full == found.owner]
    return re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, [found.owner, *meant]))})\.{found.name}\b")


def import_pattern(found: ApiError) -> str:
    owner = found.owner.replace(".", r"\.")
    return rf"\bfrom\s+{owner}\s+import\s*(?:\([\w\s,]{{0,400}}|[\w ,]{{0,300}})(?<! as )\b{found.name}\b"


def is_the_same_everywhere(found: ApiError) -> bool:
    """Whether the error alone tells which library: classes and variables of others may have the same name."""
    if found.kind == "attribute":
        return "." in found.owner
    return found.kind != "function" or found.owner in NODE_GLOBALS or found.owner in NODE_AT_HAND


def called_name(found: ApiError) -> str:
    """Returns the name that calls the function of a keyword: for a method with its class."""
    return found.owner.removesuffix(".__init__").removesuffix(".__new__")


def _is_of_project(path: str) -> bool:
    path = _slashed(path)
    return not _OF_LIBRARY.search(path) and not _SCRIPT.search(path)


def _slashed(path: str) -> str:
    return path.replace("\\", "/")


def _is_of_library(found: ApiError, script: str, folder: str) -> bool:
    if found.kind == "function":
        return _is_of_node(found.owner, script, folder)
    if found.place:
        return found.place == "library" and not is_of_folder(found.owner, folder)
    if found.kind in ("import", "member"):
        return is_library(found.owner, folder)
    code = code_of(script)
    names = python_names(code)
    head = called_name(found).partition(".")[0]
    if re.search(rf"\b(?:def|class)\s+{head}\b|[\"']{head}[\"']", script):
        return False  # the script makes it
    if found.kind == "keyword" and found.owner in BUILTINS and head not in names:
        return True
    if found.kind == "attribute" and "." in found.owner:
        return is_library(found.owner, folder)
    if found.kind == "keyword" and head not in names and re.search(rf"(?<![\w.]){head}\(", code):
        return False  # something else gave it to the script
    if meant := [full for full in names.values() if full.rpartition(".")[2] == head]:
        return all(is_library(full, folder) for full in meant)
    return bool(names) and not _PATH_CHANGED.search(code) and all(is_library(full, folder) for full in names.values())


def _is_of_node(owner: str, script: str, folder: str) -> bool:
    """Whether it is an object of Node itself, or a package: not what the script calls so, nor a file of the project."""
    package = node_names(script).get(owner)
    if package is None:
        is_made = re.search(rf"\b(?:const|let|var|function|class)\s+{owner}\b", script)
        return not is_made and (owner in NODE_GLOBALS or owner in NODE_AT_HAND)
    is_file = package.startswith((".", "/", "~", "#", "@/")) or package.endswith(".json")
    return not is_file and not is_of_folder(package.lstrip("@").partition("/")[0], folder)
