"""Whether a text was pasted: an issue, a mail, a log or a program's output, not typed as a rule."""

import re

_FIELDS = (
    "issue|ticket|bug|title|subject|from|to|date|summary|description|steps to reproduce|to reproduce|reproduction"
    "|expected(?: behaviou?rs?| results?)?|actual(?: behaviou?rs?| results?)?|acceptance criteria|environment|version"
    "|labels?|assignees?|reported by|reporter|author|additional context|describe the bug"
)
_SOURCES = (
    "logs?|output|messages?|errors?|warnings?|linter|compiler|docs?|documentation|readme|page|site|reviewer|review|bot"
    "|issue|ticket|comment|console|terminal|build|ci|tests?|help|manual"
)
_TELL = "says?|said|prints?|shows?|reads?|tells?|told"
# Shapes of pasted text; one match anywhere marks the whole text as pasted.
_SHAPES = (
    # code, a stack trace, a diff, a prompt
    r"```|~~~|\bTraceback \(|^\s+at \S+ ?\(|^\s*(?:File \"|\$ |> |[-+]{3} |[$%❯➜] )|[;{}]\s*$|=>|\(\) ?\{",
    # times, levels, places, and typical line starts of programs
    r"\b\d{1,2}:\d{2}:\d{2}\b|\b\d{4}-\d{2}-\d{2}[T ]\d{1,2}:\d{2}|\blevel=\w",
    r"^\W?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|CRITICAL|NOTICE|PASS|FAIL)\b",
    r"\b(?:[A-Z]\w*)?(?:Error|Exception|Warning): |^(?:error|fatal|warning)(?:\[\w+\])?: ",
    r"^(?:hint|remote|info|debug): ",
    r"npm ERR!|^(?:npm|yarn|pnpm|pip) (?:warn|notice|error)\b|^[\w./-]+\.\w+:\d+|^at line \d+|^Step \d+/\d+|\*\*\* ",
    # an issue or a mail: its number, its link, its fields, its author
    r"^(?:[A-Z][A-Z0-9]{1,9}-\d+|#\d+)\b|https?://\S+/(?:issues?|pulls?|merge_requests|browse|tickets?|discussions)/",
    rf"(?i:^(?:\*\*|#{{1,6}} )?(?:{_FIELDS})\b(?: #?\d+)?(?:\*\*)?\s*(?::|$))",
    r"\b(?:opened|commented|replied|reported|posted)\b.{0,40}\bago\b|\bwrote:\s*$",
    r"^\S.{0,40}\s\[?\d{1,2}:\d{2}(?: ?[AP]M)?\]?$",
    # text introduced by the line before it, or reported from a source
    r":[ \t]*\n\s*\S",
    rf"(?i:\b(?:{_SOURCES}): )",
    rf"(?i:\b(?:the|this|that|my|our|an?) (?:[\w-]+ )?(?:{_SOURCES}) (?:{_TELL})\b)",
)
_PASTED = re.compile("|".join(_SHAPES), re.MULTILINE)


def is_pasted(text: str) -> bool:
    return _PASTED.search(text) is not None
