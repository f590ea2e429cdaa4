"""How shells and programs start a line about a wrong call, by kind."""

import re

from lessons.episode import Kind
from lessons.shell.missing import KEYWORD

Shapes = tuple[tuple[Kind, re.Pattern[str]], ...]

_ADJECTIVE = r"(?:CLI |SysV |[Cc]ommand[- ][Ll]ine |compiler |(?:gnu )?long |short(?:hand)? |positional |extra )?"
_OPTION = rf"{_ADJECTIVE}(?:option|flag|argument|switch|[Pp]arameter|JSON field)(?:s|\(s\))?\b"
_THE_OPTION = r"(?:[Tt]he )?(?:[Oo]ption|[Ff]lag|[Aa]rgument|[Pp]arameter)s?"
_UNKNOWN = r"[Uu]nknown|[Uu]nrecogni[sz]ed"
_NAMED = r"(?=.{0,60}\w|[.:]$| -{1,2}\s*$)"  # a report on code has such words as a title, and the name below
_SUBCOMMAND = r"(?:sub-?)?(?:command|task|target|recipe|action|verb|lifecycle phase|tool|method)\b"


def _compiled(*shapes: tuple[Kind, tuple[str, ...]]) -> Shapes:
    return tuple((kind, re.compile("|".join(alternatives))) for kind, alternatives in shapes)


# Messages of the shell itself, after its name.
OF_SHELL = _compiled(
    (
        "quoting",
        (
            r"no matches found|parse error|[Ss]yntax error|unmatched|unexpected EOF|[Uu]nterminated",
            r"command substitution",
            r"[Bb]ad (?:pattern|substitution|math|option|set of)|unknown file attribute|number expected",
            r"\[\[: not found",
            r"(?:\S{1,60}: )?event not found|read-only variable|Unsupported use of|Missing end to",
            r".{1,60}readonly variable",
            r".{0,60}(?:not a valid identifier|ambiguous redirect|unbound variable|parameter not set)",
            r".{0,60}(?:operator expected)",
            r".{0,60}(?:numeric argument required|integer (?:expression )?expected|division by 0|bad substitution)",
            r".{0,60}(?:too many arguments|bad interpreter|no coprocess)|\$\S{1,20} is not ",
            r"[\w=./-]{1,60} not found$",
            rf"(?:command not found|Unknown command): {KEYWORD}$|{KEYWORD}: (?:command )?not found$",
        ),
    ),
    (
        "missing-tool",
        (r"command not found: [\w./+@-]+$|[\w./+@-]+: (?:command )?not found$|Unknown command: ?\S+$",),
    ),
    (
        "wrong-path",
        (
            r"(?:cd: |cd:\d+: )?.{0,200}\b(?:not a directory|no such file or directory: .*)$",
            r"(?:cd: )?.{1,200}: No such file or directory$|The directory '.{1,200}' does not exist",
        ),
    ),
    ("wrong-command", (r"permission denied: |\S{1,200}: (?:Permission denied$|cannot execute)",)),
)

# Messages of a program, after its name and other prefixes.
OF_LINE = _compiled(
    (
        "missing-tool",
        (
            r"[Cc]ommand not found: \S|[Tt]he command \S{1,80} could not be found",
            r"[Cc]ommand '\S{1,80}' not found|\S{1,80}: command not found$",
            r"unable to find utility|(?:[a-z]+ )?[`'\"]?[\w.-]{1,60}[`'\"]? is not installed\b",
            r"Could not execute because the spec",
        ),
    ),
    (
        "quoting",
        (
            r"-e expression #\d+, char \d+|[Uu]nterminated (?!string literal)|[Uu]nmatched|regex parse error",
            r"[Ii]nvalid (?:regular expression|regex|back ref|char|repetition|range end|preceding)|RE error",
            r"repetition-operator operand|\d+ compile error|failed to parse jq|syntax error\b",
            r".{0,80}unexpected newline or",
            r"command [a-z] expects |can't read (?:s([/|#,]).*\1.*)?: No such|-[iI] may not be used with stdin",
            r"paths must precede expression|\(3\) (?:\[globbing\]|bad |unmatched |URL )",
            r"You have an error in your SQL",
            r"invalid reference format",
            r"[Tt]he (?:token|string) .{1,40}(?:not a valid statement|missing the terminator)",
        ),
    ),
    (
        "wrong-arguments",
        (
            r"[Uu]nknown (?:column|table|database)\b|[Tt]able '.{1,80}' doesn't exist|No workspaces found",
            r"the server doesn't have a resource type",
            r".{0,80}does not contain (?:a \w{1,20} named|th(?:is|ese) features?\b)",
            r"no [\w ]{1,20}target named|invalid (?:date|time|mode|number of|user|group)\b",
            r"wrong number of arguments",
            r"(?:[Uu]nable to|[Cc]ould not|[Cc]annot|[Cc]an't) find (?:an? |any |the )?[\w ]{1,40} "
            r"(?:matching|named|called)\b",
            r"Field '\w{1,60}' doesn't (?:exist|accept)",
        ),
    ),
    (
        "wrong-flag",
        (
            rf"(?:\w{{1,20}} )?(?:{_UNKNOWN}|[Ii]llegal|[Uu]nexpected|[Uu]nsupported|[Nn]o such) {_OPTION}{_NAMED}",
            r"[Ii]nvalid (?:option|flag|switch|argument|choice)\b" + _NAMED,
            r"flag provided but not defined|[Uu]nsupported --\w|illegal (?:line|byte) count|too few X's",
            rf"{_THE_OPTION} .{{0,80}}?(?:requires? (?:an?|one|parameter)\b|is required$|is unknown|needs an)",
            rf"{_THE_OPTION} .{{0,80}}?(?:not (?:recogni|allow|support)|(?:does not|doesn't) exist|Must be spec)",
            r"[Tt]he \"?-\S{1,60} option does not exist|-\S{1,60}(?: is an?|:) unknown option",
            r"[\w-]{1,60} : [Uu]nknown option",
            r"(?:[Tt]oo (?:many|few)|[Nn]ot enough) (?:positional )?arguments|[Bb]ad (?:configuration )?option\b",
            r"no \w{1,20} (?:was )?(?:given|specified)\b",
            r"[Ee]xpected (?:at (?:least|most) |exactly )?\d+ (?:positional )?arg",
            r"accepts (?:at most |at least |between )?\d+ arg",
            r".{0,60}\brequires (?:at least |at most |exactly )?\d+ arg",
            r"[Mm]issing (?:required (?!environment).{0,40}[:'\"<`-]|argument to|URL\b|(?:\w+ ){0,3}operand)",
            r"no URL specified|no input files",
            r"(?:the )?following (?:required )?arguments (?:are required|were not)",
            r"(?:[Tt]he )?required (?:flag|option|property \[)",
            r"a value is required for",
            r"[Uu]sage: ?(?!\d)\S|.{0,80}unknown (?:primary|predicate|operand)",
            r"(?:[Oo]ption|[Ff]lag) .{1,80} was (?:replaced|renamed|removed)",
            r"(?:[Yy]ou )?must (?:either )?(?:specify|provide|pass|supply|give) (?!a valid)",
            r".{1,80} not supported any ?more|.{1,60} must be specified\b",
            r"(?:[Oo]ption|[Ff]lag).{1,80} must (?:come|precede|appear|be placed)\b",
            r"[Oo]ption .{1,40} cannot be mixed with",
        ),
    ),
    (
        "wrong-command",
        (
            rf"(?:{_UNKNOWN}|[Nn]o such|[Ii]nvalid) {_SUBCOMMAND}|[Ii]nvalid operation \w",
            r"[Mm]issing script\b|[Ss]cript not found|[Cc]ommand \"\S{1,80}\" (?:not found|is not defined)",
            r"The command \S{1,80} does not exist|no commands defined in",
            r"\*\*\* No rule to make target (?!.*needed by)|[Cc]ouldn't find (?:a )?script",
            r"Don't know how to build task",
            r"[Nn]ot a valid (?:sub)?command|[Cc]ould not find a command|[Cc]ommand \S{1,80} not found",
            r"[Tt]he task \S{1,80} could not be found",
            r"[Tt]ask \S{1,80} (?:not found|does not exist)|There are no commands defined|Cannot locate tasks",
        ),
    ),
)
