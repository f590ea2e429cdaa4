"""Converts the tool and the trigger that an agent wrote into a tag to triggers of a lesson, if they can be used."""

import re

from lessons.match.dialect import to_python
from lessons.match.tools import canonical_name
from lessons.model import Triggers
from lessons.promote.intake.trigger_rules import trigger_problems
from lessons.promote.slow_regex.probe import find_danger

_LONGEST_TRIGGER = 200
_ABOUT_FILES = ("Read", "Write", "Edit", "NotebookEdit")
# Agents are asked how the command begins; a text with these signs is still meant as a regex.
_REGEX = re.compile(r"\\[bBsSdDwW.]|\.[*+]|\(\?|^\^|\$$|\w\|\w")


def triggers_from_tag(tool: str, trigger: str) -> Triggers | None:
    """Returns None if the words are not a pattern that a lesson may have."""
    if not trigger.strip() or len(trigger) > _LONGEST_TRIGGER or len(trigger.splitlines()) > 1:
        return None
    name = canonical_name(tool) if re.fullmatch(r"[\w@/.-]+", tool) else ""
    if name in _ABOUT_FILES:
        triggers = Triggers(tool_names=[name], path_patterns=[trigger])
    elif name in ("", "Bash"):
        triggers = Triggers(tool_names=["Bash"], command_patterns=[_pattern(trigger)], match_on="invocation")
    else:
        triggers = Triggers(tool_names=[name], command_patterns=[_pattern(trigger)])
    return triggers if _is_usable(triggers) else None


def _pattern(trigger: str) -> str:
    if _REGEX.search(trigger):
        return trigger
    escaped = re.sub(r"([.^$*+?{}\[\]\\|()])", r"\\\1", " ".join(trigger.split()))
    return escaped + (r"\b" if escaped[-1].isalnum() else "")


def _is_usable(triggers: Triggers) -> bool:
    if any(trigger_problems(triggers)):
        return False
    regexes = [to_python(pattern) for pattern in triggers.command_patterns]
    return not any(re.compile(*regex).search("") or find_danger(*regex) for regex in regexes)
