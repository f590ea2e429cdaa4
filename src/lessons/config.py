"""Every setting with its value and source: the environment, config.json or the default."""

import difflib
import json
import os
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, get_args

import msgspec
from msgspec import Meta
from msgspec.inspect import BoolType, FloatType, IntType, LiteralType, UnionType, type_info

from lessons import json_document, paths
from lessons.errors import NotFound, Refused
from lessons.model import shown
from lessons.settings import DEFAULTS, variable_for

REMEDY = "correct it there, or move the file away to go back to the defaults"


Bonus = Annotated[int, Meta(ge=-10, le=10)]
Share = Annotated[float, Meta(ge=0, le=1)]
Folders = list[Annotated[str, Meta(pattern=r"\S")]]


class Scoring(msgspec.Struct, rename="camel", kw_only=True, frozen=True):
    """What raises or lowers the priority of a candidate."""

    multi_session_bonus: Bonus
    multi_project_bonus: Bonus
    hang_timeout_bonus: Bonus
    user_correction_bonus: Bonus
    single_occurrence_penalty: Bonus


class Config(msgspec.Struct, rename="camel", kw_only=True, frozen=True):
    """Every setting with the values that it may have; settings.py has the defaults."""

    injection_budget_bytes: Annotated[int, Meta(ge=0, le=1_000_000)]
    max_lessons_per_injection: Annotated[int, Meta(ge=0, le=100)]
    min_confidence: Share
    min_priority: Annotated[int, Meta(ge=1, le=10)]
    compaction_reinjection_threshold: Annotated[int, Meta(ge=0, le=10)]
    scan_paths: Folders
    auto_scan_interval_hours: Annotated[float, Meta(ge=0, le=8760)]
    max_candidates_per_scan: Annotated[int, Meta(ge=0, le=10_000)]
    mining_window_calls: Annotated[int, Meta(ge=1, le=100)]
    scoring: Scoring
    dedup_scope: Literal["context", "session"]
    auto_promote: bool
    lesson_protocol: bool | Literal["recovery", "always"]
    weekly_line: bool
    tend_line: bool
    repeat_line: bool
    memory: bool | Literal["error"]
    holdout_rate: Share
    max_trigger_share: Share
    exclude_projects: Folders
    history_days: Annotated[int, Meta(ge=0, le=36_500)]
    watch_mode: Literal["auto", "events", "polling"]
    watch_quiet_seconds: Annotated[int, Meta(ge=1, le=86_400)]
    watch_poll_seconds: Annotated[int, Meta(ge=1, le=3_600)]


def _types(struct: type[msgspec.Struct]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in msgspec.structs.fields(struct):
        if field.type is Scoring:
            found |= {f"{field.encode_name}.{name}": kind for name, kind in _types(Scoring).items()}
        else:
            found[field.encode_name] = field.type
    return found


# Key -> type, in the order of `lessons config list`.
SETTINGS = _types(Config)
_GROUPS = {key.partition(".")[0] for key in SETTINGS if "." in key}
_SWITCH_WORDS = {"1": True, "yes": True, "on": True, "0": False, "no": False, "off": False}


class Setting(NamedTuple):
    """One row of `lessons config list`."""

    key: str
    value: object
    source: Literal["default", "file", "environment"]


def load(home: str, environment: Mapping[str, str] = os.environ) -> Config:
    """Returns all settings: environment over file over defaults."""
    nested: dict[str, object] = {}
    for key, value, _ in listing(home, environment):
        put(nested, key, value)
    return msgspec.convert(nested, Config)


def get(home: str, key: str, environment: Mapping[str, str] = os.environ) -> object:
    """Returns the value of one setting, or of a group as an object."""
    if key in _GROUPS:
        inside = key + "."
        rows = listing(home, environment)
        return {row.key.removeprefix(inside): row.value for row in rows if row.key.startswith(inside)}
    require_key(key)
    return _setting(home, read_document(home), key, environment).value


def listing(home: str, environment: Mapping[str, str] = os.environ) -> list[Setting]:
    """Returns every setting in the order of the table."""
    document = read_document(home)
    return [_setting(home, document, key, environment) for key in SETTINGS]


def _setting(home: str, document: dict[str, object], key: str, environment: Mapping[str, str]) -> Setting:
    file, variable = paths.config_file(home), variable_for(key)
    if environment.get(variable):
        value = checked(key, value_from_text(key, environment[variable]), variable)
        return Setting(key, value, "environment")
    if (written := _written(document, key, file)) is not None:
        return Setting(key, checked(key, written[0], f"{key} in {file}"), "file")
    return Setting(key, DEFAULTS[key], "default")


def warnings(home: str) -> list[str]:
    """Returns one sentence for each unused key of the file; such keys are preserved."""
    file = paths.config_file(home)
    unknown = []
    for name, value in read_document(home).items():
        if name in _GROUPS and isinstance(value, dict):
            unknown += [f"{name}.{inner}" for inner in value if f"{name}.{inner}" not in SETTINGS]
        elif name not in SETTINGS and name not in _GROUPS and name != "$schema":
            unknown.append(name)
    return [f"{key} in {file} is not a setting and has no effect: {_nearest(key)}." for key in unknown]


def read_document(home: str) -> dict[str, object]:
    """Returns config.json as written; a missing file is an empty document."""
    file = paths.config_file(home)
    text = json_document.read_text(file, REMEDY)
    return {} if text is None else json_document.parse(text, file, REMEDY)


def put(document: dict[str, object], key: str, value: object) -> None:
    """Sets a dotted key in a document, in place."""
    group, _, name = key.rpartition(".")
    if group:
        inner = document.setdefault(group, {})
        if not isinstance(inner, dict):
            raise _not_a_group(group, inner, "the configuration")
        inner[name] = value
    else:
        document[name] = value


def _written(document: dict[str, object], key: str, file: str) -> tuple[object] | None:
    # In a tuple: a null in the file is a wrong value, not a missing one.
    group, _, name = key.rpartition(".")
    holder = document.get(group, {}) if group else document
    if not isinstance(holder, dict):
        raise _not_a_group(group, holder, file)
    return (holder[name],) if name in holder else None


def _not_a_group(group: str, value: object, where: str) -> Refused:
    return Refused(f"{group} in {where} is {shown(value)}: write an object with settings, such as {{}}.")


def require_key(key: str) -> None:
    """Raises with a readable sentence for an unknown key."""
    if key in _GROUPS:
        member = next(name for name in SETTINGS if name.startswith(f"{key}."))
        raise Refused(f"{key} is a group of settings: name one of them, such as {member}.")
    if key not in SETTINGS:
        raise NotFound(f"{key} is not a setting: {_nearest(key)}.")


def _nearest(key: str) -> str:
    close = difflib.get_close_matches(key, SETTINGS, n=1)
    return f"perhaps {close[0]} is meant" if close else "`lessons config list` shows them all"


def value_from_text(key: str, text: str) -> object:
    """Converts typed text, or an environment variable, to a value for that key; does not check it."""
    require_key(key)
    kind = SETTINGS[key]
    if bool in (kind, *get_args(kind)) and text.lower() in _SWITCH_WORDS:
        return _SWITCH_WORDS[text.lower()]
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        value = text
    if kind == Folders and isinstance(value, str):
        return [path for path in value.split(os.pathsep) if path]
    return value


def checked(key: str, value: object, where: str) -> object:
    """Returns the value if the type of the setting allows it; `where` names the key as the user wrote it."""
    require_key(key)
    try:
        if value != value:  # not a number
            raise msgspec.ValidationError
        msgspec.convert(value, SETTINGS[key])
    except msgspec.ValidationError:
        raise Refused(f"{where} is {shown(value)}: write {' or '.join(_allowed(SETTINGS[key]))}.") from None
    # A switch that got more positions: yes means what it does by default.
    default = DEFAULTS[key]
    return default if value is True and isinstance(default, str) else value


def _allowed(kind: Any) -> list[str]:
    """Returns the values that a setting may have, in words."""
    match type_info(kind):
        case UnionType():
            return [words for each in get_args(kind) for words in _allowed(each)]
        case BoolType():
            return ["true", "false"]
        case LiteralType():
            return [*map(shown, get_args(kind))]
        case IntType(ge=low, le=high):
            return [f"a whole number from {low} to {high}"]
        case FloatType(ge=low, le=high):
            return [f"a number from {low:g} to {high:g}"]
    return ['a list of folders, such as ["~/.claude/projects/"]']
