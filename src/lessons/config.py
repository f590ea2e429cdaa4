"""Every setting with its value and source: the environment, config.json or the default."""

import difflib
import json
import os
from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from lessons import json_document, paths
from lessons.errors import NotFound, Refused
from lessons.model import shown
from lessons.settings import DEFAULTS, variable_for

REMEDY = "correct it there, or move the file away to go back to the defaults"


class Scoring(msgspec.Struct, rename="camel", kw_only=True, frozen=True):
    """What raises or lowers the priority of a candidate."""

    multi_session_bonus: int
    multi_project_bonus: int
    hang_timeout_bonus: int
    user_correction_bonus: int
    single_occurrence_penalty: int


class Config(msgspec.Struct, rename="camel", kw_only=True, frozen=True):
    """Every setting, validated."""

    injection_budget_bytes: int
    max_lessons_per_injection: int
    min_confidence: float
    min_priority: int
    compaction_reinjection_threshold: int
    scan_paths: list[str]
    auto_scan_interval_hours: float
    max_candidates_per_scan: int
    mining_window_calls: int
    scoring: Scoring
    dedup_scope: Literal["context", "session"]
    auto_promote: bool
    lesson_protocol: bool | Literal["recovery", "always"]
    weekly_line: bool
    tend_line: bool
    repeat_line: bool
    memory: bool | Literal["error"]
    holdout_rate: float
    max_trigger_share: float
    exclude_projects: list[str]
    history_days: int
    watch_mode: Literal["auto", "events", "polling"]
    watch_quiet_seconds: int
    watch_poll_seconds: int


class Rule(NamedTuple):
    """The values that a setting may have."""

    kind: Literal["whole number", "number", "choice", "switch", "paths"]
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()


_BONUS = Rule("whole number", -10, 10)
RULES: dict[str, Rule] = {
    "injectionBudgetBytes": Rule("whole number", 0, 1_000_000),
    "maxLessonsPerInjection": Rule("whole number", 0, 100),
    "minConfidence": Rule("number", 0, 1),
    "minPriority": Rule("whole number", 1, 10),
    "compactionReinjectionThreshold": Rule("whole number", 0, 10),
    "scanPaths": Rule("paths"),
    "autoScanIntervalHours": Rule("number", 0, 8760),
    "maxCandidatesPerScan": Rule("whole number", 0, 10_000),
    "miningWindowCalls": Rule("whole number", 1, 100),
    "scoring.multiSessionBonus": _BONUS,
    "scoring.multiProjectBonus": _BONUS,
    "scoring.hangTimeoutBonus": _BONUS,
    "scoring.userCorrectionBonus": _BONUS,
    "scoring.singleOccurrencePenalty": _BONUS,
    "dedupScope": Rule("choice", choices=("context", "session")),
    "autoPromote": Rule("switch"),
    "lessonProtocol": Rule("switch", choices=("recovery", "always")),
    "weeklyLine": Rule("switch"),
    "tendLine": Rule("switch"),
    "repeatLine": Rule("switch"),
    "memory": Rule("switch", choices=("error",)),
    "holdoutRate": Rule("number", 0, 1),
    "maxTriggerShare": Rule("number", 0, 1),
    "excludeProjects": Rule("paths"),
    "historyDays": Rule("whole number", 0, 36_500),
    "watchMode": Rule("choice", choices=("auto", "events", "polling")),
    "watchQuietSeconds": Rule("whole number", 1, 86_400),
    "watchPollSeconds": Rule("whole number", 1, 3_600),
}
_GROUPS = {key.partition(".")[0] for key in RULES if "." in key}
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
    rule_of(key)
    return _setting(home, read_document(home), key, environment).value


def listing(home: str, environment: Mapping[str, str] = os.environ) -> list[Setting]:
    """Returns every setting in the order of the table."""
    document = read_document(home)
    return [_setting(home, document, key, environment) for key in RULES]


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
            unknown += [f"{name}.{inner}" for inner in value if f"{name}.{inner}" not in RULES]
        elif name not in RULES and name not in _GROUPS and name != "$schema":
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


def rule_of(key: str) -> Rule:
    """Returns the rule of a key; raises with a readable sentence for an unknown key."""
    if key in _GROUPS:
        member = next(name for name in RULES if name.startswith(f"{key}."))
        raise Refused(f"{key} is a group of settings: name one of them, such as {member}.")
    if key not in RULES:
        raise NotFound(f"{key} is not a setting: {_nearest(key)}.")
    return RULES[key]


def _nearest(key: str) -> str:
    close = difflib.get_close_matches(key, RULES, n=1)
    return f"perhaps {close[0]} is meant" if close else "`lessons config list` shows them all"


def value_from_text(key: str, text: str) -> object:
    """Converts typed text, or an environment variable, to a value for that key; does not check it."""
    kind = rule_of(key).kind
    if kind == "switch" and text.lower() in _SWITCH_WORDS:
        return _SWITCH_WORDS[text.lower()]
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        value = text
    if kind == "paths" and isinstance(value, str):
        return [path for path in value.split(os.pathsep) if path]
    return value


def checked(key: str, value: object, where: str) -> object:
    """Returns the value if the rule of its key allows it; `where` names the key as the user wrote it."""
    rule = rule_of(key)
    if not _allowed(rule, value):
        raise Refused(f"{where} is {shown(value)}: write {_wanted(rule)}.")
    # A switch that got more positions: yes means what it does by default.
    default = DEFAULTS[key]
    return default if value is True and rule.choices and isinstance(default, str) else value


def _allowed(rule: Rule, value: object) -> bool:
    match rule.kind:
        case "switch":
            return isinstance(value, bool) or value in rule.choices
        case "choice":
            return value in rule.choices
        case "paths":
            return isinstance(value, list) and all(isinstance(path, str) and path.strip() for path in value)
        case "whole number":
            return isinstance(value, int) and not isinstance(value, bool) and rule.low <= value <= rule.high
        case "number":
            number = isinstance(value, int | float) and not isinstance(value, bool)
            return number and rule.low <= value <= rule.high  # type: ignore[operator]


def _wanted(rule: Rule) -> str:
    match rule.kind:
        case "switch":
            return " or ".join(["true", "false", *(shown(choice) for choice in rule.choices)])
        case "choice":
            return " or ".join(map(shown, rule.choices))
        case "paths":
            return 'a list of folders, such as ["~/.claude/projects/"]'
        case _:
            return f"a {rule.kind} from {rule.low} to {rule.high}"
