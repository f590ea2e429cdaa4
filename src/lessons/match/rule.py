"""A compiled trigger and a call in, the reason why the trigger fires (or None) out."""

from lessons.match.call import folder_key, system_name
from lessons.shell.global_options import forms

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from lessons.match.call import ToolCall

    Patterns = tuple[re.Pattern[str], ...]

_PIECE = 8192
_MULTILINE = 8  # re.MULTILINE
_PLAIN = " -_/#=:,;@%<>!'\"`~&"
_OVERLAP = 2048
_WRITERS = ("Write", "Edit", "NotebookEdit")
_FILE_TOOLS = (*_WRITERS, "Read", "Glob", "Grep")


class Rule:
    """The compiled trigger of one lesson; an empty part sets no condition."""

    __slots__ = (
        "command", "content", "error", "folder", "invocation", "path", "projects", "script", "session_start", "state",
        "tools", "unless", "when", "whole_line",
    )  # fmt: skip

    def __init__(
        self,
        *,
        tools: tuple[str, ...] = (),
        command: "Patterns" = (),
        path: "Patterns" = (),
        content: "Patterns" = (),
        error: "Patterns" = (),
        unless: "Patterns" = (),
        folder: "Patterns" = (),
        invocation: bool = False,
        script: bool = False,
        whole_line: bool = False,
        when: dict[str, list[str]] | None = None,
        state: dict[str, list[str]] | None = None,
        projects: tuple[str, ...] = (),
        session_start: bool = False,
    ) -> None:
        self.tools = tools
        self.command = command
        self.path = path
        self.content = content
        self.error = error
        self.unless = unless
        self.folder = folder  # matched against the call's folder, relative to the project root
        self.invocation = invocation
        self.script = script
        self.whole_line = whole_line  # beside its invocations: counts what match/whole_line.py finds
        self.when = when or {}
        self.state = state or {}  # missing, absent, present, dirty
        self.projects = projects
        self.session_start = session_start

    @property
    def has_state(self) -> bool:
        """Whether it has conditions on the state of the machine."""
        return bool(self.state or self.folder)


def why_it_fires(rule: Rule, call: "ToolCall") -> str | None:
    """Returns the name of the trigger that fires on this call, or None."""
    if rule.has_state:
        from lessons.match.state import judge  # few lessons have such conditions

        return judge(rule, call, only_certain=True).why
    return why_of_patterns(rule, call) if applies(rule, call) else None


def applies(rule: Rule, call: "ToolCall") -> bool:
    """Whether the rule is about calls like this: tool, project, system, shell, agent and model."""
    if rule.tools and not any(name in rule.tools for name in call.names):
        return False
    return conditions_hold(rule.when, call) and in_project(rule.projects, call.cwd)


def why_of_patterns(rule: Rule, call: "ToolCall") -> str | None:
    """Returns the pattern that matches, ignoring the state of the machine."""
    if call.error is not None:
        return _first(rule, rule.error, "errorPatterns", (call.error,))
    if rule.session_start:
        return None
    if rule.command and (why := _command(rule, call)):
        return why
    if (rule.path or rule.content) and (why := _path_and_content(rule, call)):
        return why
    if rule.tools and not (rule.command or rule.path or rule.content or rule.error):
        return None if is_vetoed(rule, _texts(call)) else "toolNames"
    return None


def _command(rule: Rule, call: "ToolCall") -> str | None:
    if call.is_shell:
        if call.command is None:
            return None
        if rule.invocation:
            return _invocation(rule, call)
        texts = tuple(call.scripts()) if rule.script else (call.command,)
        return _first(rule, rule.command, "commandPatterns", texts)
    if rule.content and call.names[0] in _FILE_TOOLS:
        return None  # the content patterns check what is written, after their path patterns
    # Only a lesson that names the tool looks at the arguments of tools that are not shells.
    return _first(rule, rule.command, "commandPatterns", call.strings) if rule.tools else None


def _invocation(rule: Rule, call: "ToolCall") -> str | None:
    for texts in call.invocations():
        for text in texts:
            tried = forms(text)
            for number, pattern in enumerate(rule.command):
                if any(_begins(pattern, form) for form in tried) and not is_vetoed(rule, tried):
                    return f"commandPatterns[{number}]"
    if rule.whole_line and any(occurs(pattern, call.command or "") for pattern in rule.command):
        from lessons.match.whole_line import number_that_counts  # few matches are not those of a command

        found = number_that_counts(rule, call)
        return None if found is None else f"commandPatterns[{found}]"
    return None


def _begins(pattern: "re.Pattern[str]", text: str) -> bool:
    """Whether the text starts with a match; in `python=3 make` the variable name alone does not count."""
    found = pattern.match(text)
    if found is None or found.end() > text.find("="):
        return found is not None
    from lessons.shell.fast import is_assignment

    return not is_assignment(text.partition(" ")[0])


def _path_and_content(rule: Rule, call: "ToolCall") -> str | None:
    # Only a lesson that names the tool looks at the paths and contents of tools that are not about files.
    if not rule.tools and call.names[0] not in (_WRITERS if rule.content else _FILE_TOOLS):
        return None
    why = _first(rule, rule.path, "pathPatterns", call.paths)
    if not rule.content or (rule.path and why is None):
        return why
    if call.content is None:
        return None
    return _first(rule, rule.content, "contentPatterns", (call.content,))


def _first(rule: Rule, patterns: "Patterns", kind: str, texts: tuple[str, ...]) -> str | None:
    for text in texts:
        for number, pattern in enumerate(patterns):
            if occurs(pattern, text) and not is_vetoed(rule, (text,)):
                return f"{kind}[{number}]"
    return None


def is_vetoed(rule: Rule, texts: tuple[str, ...]) -> bool:
    """Whether a pattern under `unless` matches one of the texts."""
    return any(occurs(pattern, text) for pattern in rule.unless for text in texts)


def occurs(pattern: "re.Pattern[str]", text: str) -> bool:
    return find(pattern, text) is not None


def find(pattern: "re.Pattern[str]", text: str, begin: int = 0) -> "re.Match[str] | None":
    """Returns a match of the pattern anywhere in the text from a position on.

    A search that restarts at each character takes quadratic time, and `re` checks for signals only within one start, so
    no deadline could interrupt it. Therefore a long text is searched in overlapping pieces, unless the pattern can
    start at few places only. A match in a piece is repeated on the whole text, whose end differs from the end of the
    piece. A match that reaches far beyond the overlap is missed.
    """
    if len(text) <= _PIECE or begins_rarely(pattern):
        return pattern.search(text, begin)
    for start in range(begin, len(text) + 1, _PIECE):
        position = start
        while match := pattern.search(text, position, start + _PIECE + _OVERLAP):
            if match.start() >= start + _PIECE and start + _PIECE <= len(text):
                break
            if whole := pattern.match(text, match.start()):
                return whole
            position = match.start() + 1
    return None


def begins_rarely(pattern: "re.Pattern[str]") -> bool:
    """Whether every match starts with the same three plain characters, or at the start of the text."""
    source = pattern.pattern
    if "|" in source:
        return False  # may start differently
    for flags in ("(?s)", "(?i)", "(?is)", "(?si)"):
        source = source.removeprefix(flags)
    if source.startswith(("\\A", "^")):
        return not pattern.flags & _MULTILINE
    source = source.removeprefix("\\b")
    beginning, after = source[:3], source[3:4]
    return (
        len(beginning) == 3
        and after not in ("?", "*", "{")
        and all(character.isalnum() or character in _PLAIN for character in beginning)
    )


def _texts(call: "ToolCall") -> tuple[str, ...]:
    return (call.command or "", *call.paths, *call.strings)


def conditions_hold(when: dict[str, list[str]], call: "ToolCall") -> bool:
    """Whether the call's surroundings meet the lesson's conditions; an unknown condition does not hold."""
    for condition, wanted in when.items():
        if condition == "os":
            names = [system_name(name.lower()) for name in wanted]
            if call.operating_system not in names:
                return False
        elif condition == "shell":
            if call.shell not in wanted:
                return False
        elif condition == "agents":
            if call.agent not in wanted:
                return False
        elif condition == "models":
            if not (call.model and any(name in call.model for name in wanted)):
                return False
        else:
            return False  # from a later version: cannot be decided here
    return True


def in_project(projects: tuple[str, ...], cwd: str) -> bool:
    """Whether the folder of a call is in one of the projects; no project means everywhere."""
    if not projects:
        return True
    here = folder_key(cwd)
    return any(here.startswith(folder_key(project)) for project in projects)
