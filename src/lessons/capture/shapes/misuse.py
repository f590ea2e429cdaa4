"""An error in, what it says was wrong with the call itself out: the kind of mistake, where the program names it."""

import re

from lessons.episode import Kind

# Who speaks: a shell, `error:`, `fatal:`, a program's name, a time. Taken off one after the other.
_SPEAKER = re.compile(
    r"[\s>]*(?:\[?(?:error|ERROR|Error|fatal|FATAL|ERR!)\]?[:!] *|npm (?:ERR!|error) +|\(eval\):\d+: |ERR_\w+ +"
    r"|line \d+: |\d+: |\d{4}[-/]\d\d[-/]\d\d[T ][\d:.]+Z? |[A-Za-z_][\w./+-]{0,60}: +)"
)
_MOST_SPEAKERS = 4
_SHELL = re.compile(
    r"(?:\(eval\)|(?:[\w.-]{0,30}/){0,5}(?:ba|z|da|k|fi)?sh)(?::cd)?(?::(?: line)? ?\d+)?: (?:line \d+: )?"
)
_OPTION = (
    "(?:option|flag|argument|switch|parameter|field|property|key|attribute|column|shorthand flag|JSON field|keyword)s?"
)

# What a shell itself says, after its name.
_OF_SHELL: tuple[tuple[Kind, str], ...] = (
    ("missing-tool", r"command not found: [\w./+@-]+$|[\w./+@-]+: (?:command )?not found$"),
    (
        "quoting",
        r"no matches found|parse error|syntax error|unmatched|unexpected EOF|bad (?:pattern|substitution|math|option|set of)"
        r"|event not found|unterminated|\S{1,60}: event not found|command substitution|read-only variable|.{1,60}readonly variable"
        r"|.{0,60}(?:not a valid identifier|ambiguous redirect|unbound variable|parameter not set|operator expected"
        r"|numeric argument required|integer expression expected|division by zero|too many arguments|bad interpreter)",
    ),
    (
        "wrong-path",
        r"(?:cd: |cd:\d+: )?.{0,200}\b(?:not a directory|no such file or directory: .*)$|cd: .{1,200}: No such file or directory$",
    ),
    ("wrong-command", r"permission denied: |\S{1,200}: Permission denied$"),
)
# What a program says at the beginning of a line, after its name.
_OF_LINE: tuple[tuple[Kind, str], ...] = (
    (
        "quoting",
        r"-e expression #\d+, char \d+|[Uu]nterminated|[Uu]nmatched|[Ii]nvalid (?:regular expression|regex|back ref|char)"
        r"|regex parse error|\d+ compile error|failed to parse jq|syntax error\b",
    ),
    (
        "wrong-flag",
        rf"(?:the |\w+ )?(?:[Uu]nknown|[Uu]nrecogni[sz]ed|[Ii]llegal|[Uu]nexpected|[Uu]nsupported|[Nn]o such) {_OPTION}\b"
        r"|[Ii]nvalid (?:option|flag|switch|argument|choice)\b|flag provided but not defined"
        r"|(?:[Oo]ption|[Ff]lag|[Aa]rgument)s? .{0,80}?(?:requires? (?:an?|one)\b|is required|needs an|not (?:recogni|allow|support))"
        r"|[Tt]oo (?:many|few) (?:positional )?arguments|[Ee]xpected (?:at (?:least|most) |exactly )?\d+ (?:positional )?arg"
        r"|accepts (?:at most |between )?\d+ arg|requires (?:at least|exactly) \d+ arg|[Mm]issing required"
        r"|(?:the )?following (?:required )?arguments (?:are required|were not)|required (?:flag|option)"
        r"|[Uu]sage: ?\S|.{0,80}unknown (?:primary|predicate|operand)|(?:[Oo]ption|[Ff]lag) .{1,80} was (?:replaced|renamed|removed)",
    ),
    (
        "wrong-command",
        r"(?:[Uu]nknown|[Uu]nrecogni[sz]ed|[Nn]o such|[Ii]nvalid) (?:sub-?)?(?:command|task|target|recipe|action|verb)\b"
        r"|[Mm]issing script\b|[Ss]cript not found|[Cc]ommand \"\S{1,80}\" not found|[Nn]o targets specified"
        r"|\*\*\* No rule to make target|[Cc]ouldn't find (?:a )?script|[Tt]ask \S{1,80} (?:not found|does not exist)",
    ),
)
# What says enough wherever it stands: a literal, which is quick to look for, and the whole shape where that is more.
_ANYWHERE: tuple[tuple[Kind, str, str], ...] = (
    ("missing-tool", "is not recognized as ", r"is not recognized as (?:an internal|the name|a name)"),
    ("missing-tool", "executable file not found", ""),
    ("missing-tool", "could not determine executable", ""),
    ("missing-tool", "ailed to spawn: ", ""),
    ("missing-tool", " ENOENT", r"\bspawn \S{1,80} ENOENT"),
    ("missing-tool", ": No module named ", r"/(?:python|pypy)[\d.]*(?:\.exe)?: No module named \S{1,80}$"),
    (
        "missing-tool",
        "o such file or directory",
        r"^(?:env|sudo|nohup|timeout|xargs): .{1,80}: No such file or directory$",
    ),
    ("quoting", "(Unix shell quoting issues?)", ""),
    ("quoting", "syntax error near unexpected token", ""),
    ("quoting", "unexpected EOF while looking", ""),
    ("quoting", "is not allowed in a regex", ""),
    ("quoting", "bad flag in substitute", ""),
    ("quoting", "invalid command code", ""),
    ("quoting", "extra characters a", r"extra characters (?:at the end of|after)"),
    ("quoting", "unterminated substitute", ""),
    (
        "quoting",
        "Error: ",
        r"(?:<string>|<stdin>|\[eval\d*\])[\s\S]{0,600}?\b(?:SyntaxError|IndentationError)\b",
    ),
    ("wrong-flag", "cannot be ", r"cannot be (?:used|combined|specified) (?:with|together)"),
    ("wrong-flag", "mutually exclusive", ""),
    ("wrong-flag", "not allowed with argument", ""),
    ("wrong-flag", "none of the others can be", ""),
    ("wrong-flag", " accept a", r"(?:doesn't|does not) accept (?:an? )?(?:argument|option)"),
    ("wrong-flag", "is not a ", r"is not a (?:boolean|number|integer|valid value)"),
    ("wrong-flag", "invalid value ", r"invalid value .{1,80} for\b"),
    ("wrong-command", "is not a", r"is not an? (?:[\w-]{1,30} )?(?:command|task)\b"),
    ("wrong-command", "does not contain recipe", ""),
    ("wrong-command", "ERR_PNPM_NO_SCRIPT", ""),
    ("wrong-path", "did not match any ", r"did not match any (?:file|package)"),
    ("wrong-path", "file or directory not found", ""),
    ("wrong-path", "main module", r"(?:cannot find|does not contain) main module"),
    ("wrong-path", "ot a git repository", ""),
    ("wrong-path", "are ignored by one of your .gitignore", ""),
    ("wrong-path", "is outside ", r"is outside (?:of )?(?:the |your )?(?:repository|allowed|workspace|project)"),
    ("wrong-path", "go.mod file not found", ""),
    ("wrong-path", "Cargo.toml", r"could not find `?Cargo\.toml"),
    ("wrong-path", "o configuration file", ""),
    ("wrong-path", "package.json", r"ENOENT.{0,80}package\.json|[Cc]ould not (?:read|find|open) (?:a )?package\.json"),
    (
        "wrong-path",
        "found",
        r"\b[Nn]o [`'\"]?(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod|[Mm]akefile|workspace)\b.{0,40}found",
    ),
    ("wrong-path", "is not a working copy", ""),
    ("order-of-steps", "can only be used ", r"can only be used (?:when|after|if|with|in)\b"),
    ("order-of-steps", "does not handle the ", ""),
    ("order-of-steps", "id you forget to", ""),
    ("order-of-steps", "un this command", ""),
    (
        "order-of-steps",
        "run ",
        r"(?:[Pp]lease |[Yy]ou (?:must|need to|should|have to) )(?:first )?run [`'\"]?[\w./-]{2}",
    ),
    ("order-of-steps", "would be overwritten by", ""),
    (
        "order-of-steps",
        "not ",
        r"\bnot (?:yet )?(?:initiali[sz]ed|been (?:built|initiali[sz]ed|generated|installed))\b",
    ),
    ("order-of-steps", "is not up to date", ""),
    ("order-of-steps", "must be ", r"must be (?:run|called|started|built|generated) (?:first|before|after)"),
    ("order-of-steps", "must first", ""),
    ("order-of-steps", "externally-managed-environment", ""),
    ("order-of-steps", "has no upstream branch", ""),
    ("wrong-arguments", "ould not resolve to a", r"[Cc]ould not resolve to an? "),
    ("wrong-arguments", "(HTTP 4", r"\(HTTP 4(?:00|05|22)\)"),
    ("wrong-arguments", "id you mean", ""),
    ("wrong-arguments", "ultiple ", r"\b[Mm]ultiple .{1,80} found\b"),
    ("wrong-arguments", "eeded a single revision", ""),
    ("wrong-arguments", "Invalid ", r"^Invalid (?:request|search query|value|input)"),
    ("wrong-arguments", "o such ", r"\b[Nn]o such (?:column|table|service)\b"),
    ("wrong-arguments", "target named ", r"target named .{1,80} (?:in|found)\b"),
    ("wrong-arguments", "does not exist", r"(?:column|relation|table) .{1,80} does not exist"),
)
_LINES = 30  # at either end of a long error


def _compiled(shapes: tuple[tuple[Kind, str], ...]) -> tuple[tuple[Kind, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(shape, re.MULTILINE)) for kind, shape in shapes)


_SHELL_SHAPES, _LINE_SHAPES = _compiled(_OF_SHELL), _compiled(_OF_LINE)
_ANYWHERE_SHAPES = [
    (kind, literal, re.compile(shape, re.MULTILINE) if shape else None) for kind, literal, shape in _ANYWHERE
]


def kind_of_misuse(text: str) -> Kind | None:
    """The first line that says it, else what stands anywhere."""
    lines = text.splitlines()
    if len(lines) > 2 * _LINES:
        lines = lines[:_LINES] + lines[-_LINES:]
    for line in lines:
        kind = _of_line(line[:500])
        if kind:
            return kind
    for kind, literal, shape in _ANYWHERE_SHAPES:
        if literal in text and (shape is None or shape.search(text)):
            return kind
    return None


def _of_line(line: str) -> Kind | None:
    shell = _SHELL.match(line)
    if shell:
        for kind, shape in _SHELL_SHAPES:
            if shape.match(line, shell.end()):
                return kind
    position = 0
    for _ in range(_MOST_SPEAKERS):
        for kind, shape in _LINE_SHAPES:
            if shape.match(line, position):
                return kind
        speaker = _SPEAKER.match(line, position)
        if not speaker or not speaker.end() > position:
            break
        position = speaker.end()
    return None
