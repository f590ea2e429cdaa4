"""Checks conditions on the state of the machine, and makes the regex of a folder glob."""

import os
import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from lessons.lesson_fields import DIRTY, FIELDS, FIRING, PATTERNS, STATE, patterns_in, put, value_of
from lessons.match.dialect import to_python
from lessons.match.glob import glob_to_regex
from lessons.match.state import OF_EVERY_CALL, names_in
from lessons.match.whole_line import PROGRAMS, first_word, is_program, names_operator
from lessons.model import Lesson, Triggers, shown, unknown_conditions
from lessons.promote.publish.index import literals_of
from lessons.promote.publish.literals import all_literal_sets, beginnings
from lessons.promote.publish.portable import portable
from lessons.store.manifest import FROM_AGENT, FROM_SESSIONS, REGEX_KEYS, also_whole_line, match_on

_ROOT_ITSELF = r"^/(?![\s\S])"


def condition_faults(triggers: Triggers) -> list[str]:
    """Returns one sentence for each condition that can never be decided: the lesson must stay silent."""
    if triggers.when is None:
        return []
    found = [
        f"triggers.when.{key} is an unknown condition, so the lesson stays silent: fix its name or remove it."
        for key in unknown_conditions(triggers)
    ]
    found += [
        f"triggers.when.dirty has {shown(kind)}: write {' or '.join(DIRTY)}."
        for kind in triggers.when.dirty
        if kind not in DIRTY
    ]
    names = {*OF_EVERY_CALL, *_groups(triggers)}
    for field, values in patterns_in(triggers, STATE):
        for value in values if field.kind == "texts" and field.name != "dirty" else ():
            unknown = [name for name in names_in(value) if name not in names]
            if not value.strip():
                found.append(f"{field.place} has {shown(value)}, which is empty: fill it in or remove it.")
            elif unknown:
                known = "use {root}, {above}, {folder} or a group, such as {1}"
                found.append(f"{field.place} has {{{unknown[0]}}}, a group of no pattern of the lesson: {known}.")
            elif field.name == "missing" and (len(value.split()) > 1 or "/" in value):
                found.append(f"{field.place} has {shown(value)}: write the name of one program.")
    return found


def folder_regex(pattern: str) -> str:
    """Returns the regex for a folder as `/web/src` from the project root on; the root itself is `/`."""
    inner = pattern.replace("\\", "/").removeprefix("./").strip("/")
    if not pattern.strip():
        return ""
    return _ROOT_ITSELF if inner in ("", ".") else glob_to_regex(f"/{inner}")


def _groups(triggers: Triggers) -> set[str]:
    """Returns the names and numbers of all groups of the patterns that may provide them."""
    found: set[str] = set()
    for pattern in (*triggers.command_patterns, *triggers.error_patterns):
        try:
            compiled = re.compile(*to_python(pattern))
        except (ValueError, re.error, RecursionError, OverflowError):
            continue  # reported as a pattern
        found |= {str(number) for number in range(1, compiled.groups + 1)} | set(compiled.groupindex)
    return found


# No word of a shown command looks like this, except in `[[ a > b ]]`.
_REDIRECTION = re.compile(r" (?:[<>]|>>) |[0-9]>&?|&>|>&|<<")
Danger = Callable[[str, int], str | None]

_BLANK = Lesson(id="", slug="", summary="", problem="", solution="")
_BY_LINE = "m"  # what is written has many lines: `^` and `$` are those of a line
# These two are in every entry.
_ALWAYS_PUBLISHED = ("commandRegexSources", "pathRegexSources")
# With the value that means "not set"; the lesson's own fields first, then those of its triggers.
_PUBLISHED_WHERE_SET = sorted(
    (
        (field, value_of(_BLANK, field))
        for field in FIELDS
        if field.manifest_key and field.manifest_key not in _ALWAYS_PUBLISHED
    ),
    key=lambda pair: bool(pair[0].group),
)


class Published(NamedTuple):
    """The entry, and one sentence for each pattern that is left out."""

    entry: dict[str, object]
    left_out: list[str]


def entry_of(lesson: Lesson, find_danger: Danger | None = None) -> Published:
    """Returns the seed keys for every lesson, the others if set; leaves out unusable patterns and reports them.

    Without `find_danger` slow patterns stay in: use that to read a lesson, never to run it.
    """
    published = entry_without_literals(lesson, find_danger)
    literals = literals_of(published.entry)
    if literals is not None:
        published.entry["literals"] = literals
    return published


def entry_without_literals(lesson: Lesson, find_danger: Danger | None = None) -> Published:
    """Returns the same if only the rule is needed: finding the literals takes longer than all the rest."""
    triggers = lesson.triggers
    left_out = condition_faults(triggers)
    usable = partial(_usable, find_danger, left_out)
    entry: dict[str, object] = {
        "slug": lesson.slug,
        "priority": lesson.priority,
        "toolNames": triggers.tool_names,
        "commandRegexSources": usable("triggers.commandPatterns", triggers.command_patterns),
        "pathRegexSources": usable("triggers.pathPatterns", triggers.path_patterns, _glob),
        "tags": lesson.tags,
        "injection": injection_of(lesson),
        "summary": lesson.summary,
        "block": lesson.block,
        "blockReason": lesson.block_reason,
        "sessionStart": triggers.session_start,
        **_project(lesson),
        **_origin(lesson),
    }
    for field, blank in _PUBLISHED_WHERE_SET:
        value = value_of(lesson, field)
        if value == blank:
            continue
        if field in PATTERNS and isinstance(value, list):
            flags = _BY_LINE if triggers.content_patterns and field.name in ("contentPatterns", "unless") else ""
            value = usable(field.place, value, folder_regex if field.name == "folder" else str, flags)
        if value:
            put(entry, field.manifest_key, value)
    if entry["commandRegexSources"] and also_whole_line(entry):
        entry["wholeLine"] = True
    entry["matchOn"] = match_on(entry)
    return Published(entry, left_out)


def _usable(
    find_danger: Danger | None,
    left_out: list[str],
    field: str,
    patterns: list[str],
    to_regex: Callable[[str], str] = str,
    flags: str = "",
) -> list[dict[str, str]]:
    """Returns the usable patterns; adds one sentence for each other one to `left_out`."""
    found = []
    for pattern in patterns:
        try:
            found.append(_checked(to_regex(pattern), find_danger, flags))
        except (ValueError, re.error, RecursionError, OverflowError) as fault:
            left_out.append(f"{field} {shown(pattern)} is left out: {fault}")
    return found


def _checked(pattern: str, find_danger: Danger | None, flags: str) -> dict[str, str]:
    """Returns the pattern as other programs read it too, if it can be; raises ValueError if nobody can use it."""
    if not pattern:
        raise ValueError("an empty pattern matches everything.")
    re.compile(*to_python(pattern))
    try:
        written = portable(pattern, flags)
    except ValueError:
        written = {"source": pattern, "flags": flags}  # `warnings_about` says so
    danger = find_danger(*to_python(**written)) if find_danger else None
    if danger:
        raise ValueError(danger)
    return written


def _glob(pattern: str) -> str:
    return glob_to_regex(os.path.expanduser(pattern) if pattern.startswith("~") else pattern) if pattern else ""


def _origin(lesson: Lesson) -> dict[str, object]:
    if lesson.written_by:
        return {"origin": FROM_AGENT}
    return {"origin": FROM_SESSIONS} if lesson.source_session_ids else {}


def _project(lesson: Lesson) -> dict[str, object]:
    """Returns the folder of a project lesson as written and, if different, where its links lead now."""
    if lesson.scope.type != "project" or not lesson.scope.path:
        return {}
    path = os.path.expanduser(lesson.scope.path).rstrip("/") or "/"
    real = os.path.realpath(path)
    return {"projectPath": path, **({} if real == path else {"projectRealPath": real})}


def injection_of(lesson: Lesson) -> str:
    """Returns the lesson's own words, or the usual form, in which neither problem nor fix repeats the title."""
    if lesson.injection:
        return lesson.injection
    parts = [f"## Lesson: {lesson.summary}"]
    for heading, text in (("", lesson.problem), ("**Fix**: ", lesson.solution)):
        if text and _plain_words(text) not in _plain_words(lesson.summary):
            parts.append(heading + text)
    return "\n".join(parts)


def _plain_words(text: str) -> str:
    return f" {' '.join(text.replace('`', '').casefold().split()).rstrip('.!')} "


def is_unusable(lesson: Lesson, entry: dict[str, object]) -> bool:
    """Whether the lesson must be left out: nothing can make it act, or it would fire on more than intended.

    Tool names alone fire on any use of the tool: a lesson that lost all its patterns must not do that. Losing an
    `unless`, a condition, or the path pattern that restricts content patterns, widens it too.
    """
    triggers = lesson.triggers
    kept = {field: entry.get(field.manifest_key) for field in FIRING}
    if not (entry["sessionStart"] or entry["toolNames"] or any(kept.values())):
        return True
    meant = [field for field, patterns in patterns_in(triggers, FIRING) if patterns]
    lost_all = bool(meant) and not any(kept[field] for field in meant)
    lost_veto = len(triggers.unless) != len(_list(entry.get("unlessRegexSources")))
    lost_gate = bool(triggers.path_patterns and triggers.content_patterns) and (
        not entry["pathRegexSources"] or not entry.get("contentRegexSources")
    )
    folders = triggers.when.folder if triggers.when else []
    lost_folder = len(folders) != len(_list(entry.get("folderRegexSources")))
    return lost_all or lost_veto or lost_gate or lost_folder or bool(condition_faults(triggers))


def warnings_about(entry: dict[str, object]) -> list[str]:
    """Returns how a lesson that is used differs from what its writer, or another program, may expect."""
    found = start_warnings(entry)
    for source in (source for key in REGEX_KEYS for source in _sources(entry.get(key))):
        try:
            portable(source)
        except ValueError as reason:
            found.append(
                f"The pattern {shown(source)} is for this tool only, no other can read it in JavaScript: {reason}."
            )
    return found


def start_warnings(entry: dict[str, object]) -> list[str]:
    """Names patterns that can never match from the start of a command, which has no redirections either.

    Of a lesson that looks at the whole line too: the patterns that match/whole_line.py searches anywhere.
    """
    sources = _sources(entry.get("commandRegexSources"))
    if also_whole_line(entry):
        return [
            f"triggers.commandPatterns {shown(source)} does not begin with a known program or spans several commands,"
            " so it is searched in the whole command line: set triggers.matchOn to keep or change that."
            for source in sources
            if not is_about_one_command(source)
        ]
    found = []
    for pattern in sources if match_on(entry) == "invocation" else ():
        name = f"triggers.commandPatterns {shown(pattern)}"
        compiled = to_python(pattern)
        if all(text and text[0] in "-|&;<>) \t\n" for text in beginnings(*compiled).texts):
            sentence = f"{name} can match no command from its start: begin it with the program"
            found.append(f'{sentence}, or set triggers.matchOn to "command".')
        elif any(all(map(_REDIRECTION.search, literals)) for literals in all_literal_sets(*compiled)):
            sentence = f"{name} asks for a redirection, which is not part of a command"
            found.append(f'{sentence}: set triggers.matchOn to "command".')
    return found


def is_about_one_command(pattern: str) -> bool:
    """Whether every match begins with a known program, as far as the pattern tells, and it names no operator."""
    source, flags = to_python(pattern)
    begin = beginnings(source, flags)
    for text in begin.texts:
        word = first_word(text.lower())
        may_go_on = not begin.are_whole and word == text.lower().lstrip()
        if not (is_program(word) or (may_go_on and any(name.startswith(word) for name in PROGRAMS))):
            return False
    return not names_operator(source)


def _sources(value: object) -> list[str]:
    return [str(item["source"]) for item in _list(value) if isinstance(item, dict)]


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
