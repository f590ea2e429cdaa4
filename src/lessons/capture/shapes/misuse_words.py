"""Words anywhere in an error that show that the call was wrong: a literal and the whole shape."""

import re

from lessons.episode import Kind

Words = tuple[tuple[Kind, str, re.Pattern[str] | None], ...]

_ENDING = r"(?:toml|json5?|ya?ml|mod|swift|xml|gradle|config|ini)"
_MANIFEST = rf"[`'\"]?(?:[\w-]{{1,40}}\.{_ENDING}|Gemfile|[RMrm]akefile|POM)\b"


def _compiled(*words: tuple[Kind, str, str]) -> Words:
    return tuple((kind, literal, re.compile(shape, re.MULTILINE) if shape else None) for kind, literal, shape in words)


# Code under development would not print these.
SURE = _compiled(
    ("missing-tool", "is not recognized as ", r"is not recognized as (?:an internal|the name|a name)"),
    ("missing-tool", "executable file not found", ""),
    ("missing-tool", "could not determine executable", ""),
    ("missing-tool", "ailed to spawn: ", ""),
    ("missing-tool", " ENOENT", r"\bspawn \S{1,80} ENOENT"),
    ("missing-tool", ": No module named ", r"/(?:python|pypy)[\d.]*(?:\.exe)?: No module named \S{1,80}$"),
    (
        "missing-tool",
        "o such file or directory",
        r"^(?:/\S{1,40}/)?(?:env|sudo|nohup|timeout|xargs|nice|time|make(?:\[\d+\])?): "
        r"(?:[\w' -]{0,40})?[‘'\"]?[\w.+-]{1,60}[’'\"]?: No such file or directory$",
    ),
    ("missing-tool", "not found", r"^[\w./-]{1,80}: (?:line )?\d+: [\w.+-]{1,60}: (?:command )?not found$"),
    ("quoting", "(Unix shell quoting issues?)", ""),
    ("quoting", "is not allowed in a regex", ""),
    ("quoting", "bad flag in substitute", ""),
    ("quoting", "invalid command code", ""),
    ("quoting", "extra characters a", r"extra characters (?:at the end of|after)"),
    ("quoting", "unterminated substitute", ""),
    ("quoting", "command ", r"^sed: .{1,200}command [a-z] expects "),
    # Written on the line itself, not in a file that it loads.
    (
        "quoting",
        "Error: ",
        r"\"<(?:string|stdin)>\", line \d+\n(?:(?!\s*File ).{0,300}\n){0,5}(?:Syntax|Indentation|Tab)Error: "
        r"|^\[eval\d?\]:\d+\n(?:.{0,300}\n){1,6}SyntaxError: ",
    ),
    ("wrong-flag", "error TS", r"^error TS[56]\d{3}: "),
    ("wrong-flag", " error MSB1", r"^MSBUILD : error MSB10(?:0[1-24-8]|[1-9]\d): "),
    ("wrong-flag", "EUSAGE", r"^npm (?:ERR!|error) code EUSAGE"),
    ("wrong-flag", "run again with ", r"run again with (?:the )?-"),
    ("wrong-flag", "arameter cannot be found that ", ""),
    ("wrong-flag", "is not a TTY", ""),
    # How command lines are rejected; a program that only points to its help did not run.
    (
        "wrong-flag",
        "help",
        r"^(?:hint: )?(?:[Ff]or more information,? )?(?:[Tt]ry|[Ss]ee|[Rr]un) "
        r"[`'\"][\w ./:-]{0,60}--?h(?:elp)?[`'\"]",
    ),
    ("missing-tool", "not been booted with", ""),
    ("wrong-path", "ot a git repository", r"^(?:.{0,80}: )?[Nn]ot a git repository"),
    ("wrong-path", "did not match any ", r"^error: pathspec|^fatal: pathspec"),
    ("wrong-path", "are ignored by one of your .gitignore", ""),
    ("wrong-path", "file or directory not found", r"^ERROR: file or directory not found"),
    ("wrong-path", "(no match in any of [", ""),
    ("wrong-path", "requireStack: []", ""),  # the script that was named
    ("wrong-path", "directory not found", r"^stat \S{1,200}: directory not found"),
    ("order-of-steps", "externally-managed-environment", ""),
    ("wrong-path", " error MSB100", r"^MSBUILD : error MSB100[39]: "),
)

# A test or a compiler might print these as well.
TELLING = _compiled(
    ("wrong-flag", "cannot be ", r"cannot be (?:used|combined|specified|mixed) (?:with|together)"),
    ("wrong-flag", "mutually exclusive", ""),
    ("wrong-flag", "not allowed with argument", ""),
    ("wrong-flag", "none of the others can be", ""),
    ("wrong-flag", " accept a", r"(?:doesn't|does not) accept (?:an? )?(?:argument|option)"),
    ("wrong-flag", "is not a ", r"is not a (?:boolean|number|integer|valid value)"),
    ("wrong-flag", "invalid value ", r"invalid value .{1,80} for (?:[`'\"]?[-<]|flag|option)"),
    (
        "wrong-flag",
        "nteractive",
        r"\bnot (?:running )?interactive|is non-interactive|(?:an|in) interactive (?:terminal|shell)",
    ),
    ("wrong-flag", "not a t", r"\bnot a (?:tty|terminal)\b"),
    ("wrong-flag", "TTY", r"\brequires? an? (?:interactive )?TTY"),
    ("wrong-flag", "no tty", ""),
    ("wrong-command", "root", r"\bare you root\b|\bmust be (?:run as )?root\b"),
    ("wrong-command", "is not a", r"is not an? (?:[\w-]{1,30} )?(?:command|task)\b"),
    ("wrong-command", "does not contain recipe", ""),
    ("wrong-command", "ERR_PNPM_NO_SCRIPT", ""),
    (
        "wrong-command",
        "deprecated in fav",
        r"^(?!\W{0,3}[Ww]arn)[^\n]{0,80}\b(?:is being|has been|was|is) deprecated in favou?r of ",
    ),
    ("wrong-command", " been removed", r"^(?:[Ee]rror: )?[`'\"]?[\w .-]{1,60}[`'\"]? has been removed\b"),
    ("wrong-path", "could not load cache", ""),
    ("wrong-path", "/...", r"\bstat \S{1,200}/\.\.\.: no such file"),
    ("wrong-path", "did not match any ", r"did not match any (?:file|package)"),
    ("wrong-path", "main module", r"(?:cannot find|does not contain) main module"),
    ("wrong-path", "main class", r"[Cc]ould not find or load main class"),
    ("wrong-path", "outside ", r"\boutside (?:of )?(?:the |your )?(?:repository|allowed|workspace|project|permitted)"),
    ("wrong-path", "go.mod file not found", ""),
    ("wrong-path", "o Go files in", ""),
    ("wrong-path", "is not in std", ""),
    ("wrong-path", "o configuration file", ""),
    ("wrong-path", "package.json", r"ENOENT.{0,80}package\.json"),
    ("wrong-path", "ould not ", rf"[Cc]ould not (?:read|find|open|locate) (?:a |an |the )?{_MANIFEST}"),
    (
        "wrong-path",
        "ould",
        r"[Cc]ould(?: not|n't) (?:find|locate) (?:an? |any )(?:[\w-]{1,20} ){0,2}"
        r"(?:project|application|workspace|\S{1,20}\.config)\b",
    ),
    ("wrong-path", "o project was found", ""),
    ("wrong-path", "cannot change to ", r"cannot change to '.{1,200}': No such"),
    ("wrong-path", "is not a directory", r"\S is not a directory$"),
    ("wrong-path", "can't open file ", r"can't open file .{1,200}No such file"),
    ("wrong-path", "Module not found ", r"^error: Module not found \""),
    ("wrong-path", "The system cannot find the ", ""),
    ("wrong-path", "required for this command", ""),
    ("wrong-path", "Could not open input file", ""),
    ("wrong-path", "found", rf"\b[Nn]o {_MANIFEST}.{{0,80}}found"),
    ("wrong-path", "o files matching ", r"^(?:\[error\] )?No files matching .{0,200}found"),
    ("wrong-path", "there is no ", rf"there is no {_MANIFEST}"),
    (
        "wrong-path",
        "contain ",
        r"does not (?:appear to )?contain (?:an? )?(?:CMakeLists|[\w-]{1,30} (?:build|project|workspace)\b)",
    ),
    ("wrong-path", "is not a working copy", ""),
    ("order-of-steps", "can only be used ", r"can only be used (?:when|after|if|with|in)\b"),
    ("order-of-steps", "does not handle the ", ""),
    ("order-of-steps", "id you forget to", ""),
    ("order-of-steps", "un this command", ""),
    (
        "order-of-steps",
        "run ",
        r"(?:[Pp]lease |[Yy]ou (?:must|need to|should|have to) )(?:first )?run (?!.{0,40}\b(?:login|auth)\b)"
        r"[`'\"]?[\w./-]{2}|: run [`'\"].{1,60} first\b",
    ),
    (
        "order-of-steps",
        "un ",
        r"[Rr]un ([`'\"])[\w ./:@-]{2,60}\1 (?:to (?:install|create|generate|build|set|init|fetch)|first|before)",
    ),
    ("order-of-steps", "would be overwritten by", ""),
    (
        "order-of-steps",
        "not ",
        r"not (?:yet )?(?:initiali[sz]ed|been (?:built|initiali[sz]ed|generated|installed))\b",
    ),
    ("order-of-steps", "is not up to date", ""),
    ("order-of-steps", "must be ", r"must be (?:run|called|started|built|generated) (?:first|before|after)"),
    ("order-of-steps", "must first", ""),
    ("order-of-steps", "has no upstream branch", ""),
    ("wrong-arguments", "ould not resolve to a", r"[Cc]ould not resolve to an? "),
    ("wrong-arguments", "(HTTP 4", r"\(HTTP 4(?:00|05|22)\)"),
    (
        "wrong-arguments",
        "when calling the ",
        r"\((?:Validation|Invalid|Malformed|Missing)[\w.]{0,60}\) when calling the ",
    ),
    ("wrong-arguments", "id you mean", ""),
    ("wrong-arguments", "ultiple ", r"\b[Mm]ultiple .{1,80} found\b"),
    ("wrong-arguments", "eeded a single revision", ""),
    ("wrong-arguments", "not found in config", r"\bnot found in configuration\b"),
    ("wrong-arguments", " cannot be ", r"\) and .{1,80}\) cannot be (?:added|subtracted|multiplied|divided)"),
    ("wrong-arguments", "Invalid ", r"^Invalid (?:request|search query|value|input)"),
    ("wrong-arguments", "o such ", r"\b[Nn]o such (?:column|table|service)\b"),
    ("wrong-arguments", "target named ", r"target named .{1,80} (?:in|found)\b"),
    ("wrong-arguments", "does not exist", r"(?:column|relation|table) .{1,80} does not exist"),
)

# Messages of a server about a call of its tools; it has no code under development.
OF_TOOLS = _compiled(
    ("wrong-command", "ool", r"\b(?:[Uu]nknown|[Nn]o such) tool\b|\b[Tt]ool '?\S{1,80}'? (?:was )?not found"),
    ("wrong-arguments", " -3260", r"\berror -3260[012]\b"),
    ("wrong-arguments", "nvalid ", r"\b[Ii]nvalid (?:arguments?|param(?:eter)?s?|input)\b"),
    ("wrong-arguments", "alidation", r"\b(?:[Vv]alidation (?:error|failed)|validation errors? for)"),
    (
        "wrong-arguments",
        "equired",
        r"\b[Rr]equired (?:property|parameter|argument|field)|[Ff]ield required|\bis required\b",
    ),
    (
        "wrong-arguments",
        "must ",
        r"\bmust be (?:an?|one of|at (?:least|most)|less|greater|between|valid|in|provided|specified)\b",
    ),
    ("wrong-arguments", "xpected ", r"\b[Ee]xpected (?:an? )?(?:string|number|integer|boolean|array|object)\b"),
    (
        "order-of-steps",
        " first",
        r"\b(?:[Pp]lease|[Mm]ust|[Nn]eed to|[Hh]ave to|[Ss]hould|[Uu]se|[Cc]all|[Rr]un) .{1,80} first\b",
    ),
    (
        "order-of-steps",
        "must ",
        r"\bmust (?:call|use|run|open|create|select|start|connect|invoke)\b.{1,80}\b(?:before|first)\b",
    ),
    ("order-of-steps", " before ", r"\b(?:[Cc]all|[Rr]un|[Uu]se) \S{1,60} before "),
)
