"""What an error complains about: a missing program, a wrong option, a text; whether an output reads like an error."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from lessons.failure.error_text import LONGEST_ERROR, SHELL

_SEARCHED_CHARACTERS = 2048  # characters at either end of an output

# Every line that looks like a failure has one of these, compared in lower case.
_HINTS = (
    *("error", "fail", "fatal", "traceback", "exception", "panic", "not found", "no such", "denied", "exit", "err!"),
    *("segmentation", "not permitted", "refused", "a directory", "no matches", " option", "(http ", "stopped", "***"),
    *("✖ ", "aborted", "rc=", "err_", "elifecycle"),
)
_PROGRAM_NAME = r"[\w./+@-]{1,80}"
_PLACE = r"\S{1,200}"
_REASONS = (
    "No such file or directory|Permission denied|Operation not permitted|Connection refused|Is a directory"
    "|Not a directory|command not found"
)
# How such a line starts; nothing here may match in the middle of a line, where code and prose mention errors.
_FAILURES = (
    r"Traceback \(most recent call last\):$",
    r"Exception in thread \"|thread '[^']*' (?:\(\d+\) )?panicked at |panic: ",
    r"npm (?:ERR!|error) | ?ERR_PNPM_| ?ELIFECYCLE ",
    rf"(?:{_PLACE}\(\d+,\d+\): |{_PLACE}:\d+:\d+ - )?error [A-Z]{{2,6}}\d+: ",
    rf"{_PLACE}:\d+:\d+: (?:fatal )?error: |{_PLACE}\.pyi?:\d+: error: .*\[[a-z-]+\]$",
    r"(?:FAILED|ERROR) \S+::\S|FAIL(?:ED)?[ \t]+[\w@./-]+\.\w|--- FAIL: |FAIL\t\S|FAIL$|test result: FAILED",
    r"=+ (?:.*, )?[1-9]\d* (?:failed|errors?)\b.*=$",
    r"Tests?(?: Files| Suites)?:? +(?:\d+ skipped[, |]+)?[1-9]\d* failed",
    r"BUILD FAILED|Build failed|FAILURE: |Failed to compile|✖ \d+ problems? \([1-9]",
    r"make(?:\[\d+\])?: \*\*\* |ninja: build stopped|Segmentation fault|Aborted \(core",
    rf"{SHELL}{_PLACE}: (?:command )?not found$",
    rf"{SHELL}(?:command not found|no matches found|no such file or directory|permission denied): ",
    rf"{_PROGRAM_NAME}: (?:.{{0,200}}: )?(?:{_REASONS})(?: \(os error \d+\)\.?)?$",
    rf"{_PROGRAM_NAME}: (?:illegal|invalid|unknown|unrecognized) option|{_PROGRAM_NAME}: .{{0,200}}\(HTTP [45]\d\d\)$",
    r"(?:exit|exit[ _](?:code|status)|EXIT|EXIT[ _]CODE|rc(?==)|RC(?==))[:= ] ?[1-9]\d{0,2}$",
)
# Successful programs write these too, for example in the log of a test that expects an error.
_COMPLAINTS = (
    rf"(?:{_PROGRAM_NAME}: )?(?:error|fatal|fatal error)(?:\[\w+\])?: (?!0\b|none\b|null\b)\S|jq: error \(",
    r"(?:Error|ERROR|FATAL|Fatal error|Uncaught \w+): (?!0\b|none\b|null\b)\S",
    r"(?:[a-z_]\w*\.){0,6}[A-Z]\w*(?:Error|Exception): \S|Caused by: ",
)
_ALL_WELL = (
    r"\s*0 fail(?:ed|ures?|ing)?\b|=+ \d+ passed\b(?!.*\b(?:failed|error)).*=$|OK(?: \(.*\))?$|test result: ok\.",
    r"\s*Tests:? +(?:\d+ (?:skipped|todo)[, |]+)*\d+ passed\b(?!.*failed)|(?:.*\b)?(?:Found )?0 errors\b|BUILD SUCCESS",
)
_FAILURE = re.compile("|".join(_FAILURES))
_MAY_BE_FAILURE = re.compile("|".join(_COMPLAINTS))
_WELL = re.compile("|".join(_ALL_WELL))


def error_like(output: str) -> bool:
    """Whether the start or the end of an output has a line that programs write when they fail."""
    if len(output) > 2 * _SEARCHED_CHARACTERS:
        # Skip the line cut at either end: half a line can look like anything.
        head, tail = output[:_SEARCHED_CHARACTERS], output[-_SEARCHED_CHARACTERS:]
        output = head.rpartition("\n")[0] + "\n" + tail.partition("\n")[2]
    lowered = output.lower()
    if not any(hint in lowered for hint in _HINTS):
        return False
    lines = output.splitlines()
    if any(_FAILURE.match(line) for line in lines):
        return True
    return any(_MAY_BE_FAILURE.match(line) for line in lines) and not any(_WELL.match(line) for line in lines)


_OF_SHELL = re.compile(SHELL)
_OF_WINDOWS = re.compile(
    r"[^\s:]{1,60} ?: The term '|'[^']{1,60}' is not recognized as |The token '[&|]{2}' is not a valid "
)
# An option in the place of a program is another mistake, and a keyword stands there where a line has another syntax.
_NAME = r"(?!-|(?:do|done|then|elif|else|fi|esac|end|in)(?![\w.+-]))[^\s:'\"`‘’]{1,60}"
_QUOTED_NAME = rf"['\"`‘]?({_NAME})['\"`’]?"
_STARTERS = "env|nice|nohup|setsid|stdbuf|sudo|time|timeout|xargs"  # they report the command they start as missing
_MISSING = re.compile(
    rf"command not found: ({_NAME})"
    rf"|(?:^{SHELL}"
    rf"|(?<![^\s:'\"`‘’])(?={_NAME}: command ))({_NAME}): (?:command )?not found$"
    rf"|^fish: Unknown command: ({_NAME})"
    rf"|['‘]({_NAME})['’] is not recognized as (?:an internal|the name|a name)"
    rf"|exec: \"({_NAME})\": executable file not found"
    rf"|^(?:/\S{{1,60}}/)?(?:{_STARTERS}): (?:failed to run command )?{_QUOTED_NAME}: "
    r"(?:No such file or directory|not found)"
    rf"|^(?:The )?[Cc]ommand {_QUOTED_NAME} (?:could not be found|was not found|not found)"
    rf"|\bspawn ({_NAME}) ENOENT",
    re.MULTILINE,
)
_GATES = ("not found", "not recognized", "No such file", "nknown command", "could not be found", "ENOENT")


def is_said_by_shell(line: str) -> bool:
    return _OF_SHELL.match(line) is not None or _OF_WINDOWS.match(line) is not None


def missing_programs(error: str) -> set[str]:
    """Returns the programs that a shell did not find, of a whole error."""
    if not any(gate in error for gate in _GATES):
        return set()
    return {found[found.lastindex or 0] for found in _MISSING.finditer(error)}


_CARET = re.compile(r"( *)\^+ +(?:[Uu]nknown|[Uu]nrecogni[sz]ed|[Uu]nexpected|[Ii]nvalid)")
_WORD_HERE = re.compile(r"(?<!\S)\S+")
_WITHIN_WORD = re.compile(r"[\w-]")
_COMPLAINT = re.compile(
    r"unknown|unrecogni|unexpected|unsupported|invalid|illegal|ambiguous|bad |must |\bnot?\b|cannot|n't\b|requires"
    r"|ignored|outside|denied|missing|already|refused|could not",
    re.IGNORECASE,
)
_FILES = re.compile(
    r"no such file|not a directory|is a directory|pathspec|did not match any file|paths are ignored|ENOENT"
    r"|cannot find (?:the )?path|file (?:does not|doesn't) exist|(?:file|folder|directory|path) not found"
    r"|untracked working tree files",
    re.IGNORECASE,
)
_OF_A_PROJECT = re.compile(
    r"\b(?:packages?|projects?|crates?|workspaces?|tables?|columns?|relations?|databases?|branch(?:es)?|targets?"
    r"|scripts?|tasks?|schemes?|steps?|revisions?|remotes?|upstream|repositor(?:y|ies)|containers?|networks?|volumes?"
    r"|namespaces?|services?|pods?|releases?|stacks?|profiles?|datasets?|buckets?|workflows?)\b",
    re.IGNORECASE,
)
_SYNTAX = re.compile(
    r"syntax error|error in your SQL syntax|parse error|failed to parse|unexpected token|is not a function"
    r"|not a valid statement|no matches found|event not found|bad substitution|unmatched",
    re.IGNORECASE,
)
_LONG_OPTION = re.compile(r"--[A-Za-z][\w-]*")
_GETOPT = re.compile(r"(?:invalid|illegal|unknown|unrecogni[sz]ed) option -- '?([A-Za-z0-9])", re.IGNORECASE)
_OPTION_WORD = r"(?:option|flag|argument|parameter|switch|unrecogni[sz]ed|unknown)\b[^\n]{0,20}?[`'\"‘“ -]"
_USAGE = re.compile(r"^\s*usage: ", re.IGNORECASE | re.MULTILINE)
_DOCUMENTED = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_NEGATABLE = re.compile(r"--\[no-\]")
_FEWEST_DOCUMENTED = 3
_QUOTED = re.compile(r"'([^'\n]{2,120})'|\"([^\"\n]{2,120})\"|`([^`'\n]{2,120})[`']|‘([^’\n]{2,120})’")


def complains_about(word: str, error: str) -> bool:
    """Whether a complaining line of the error has this word as a separate word."""
    if not word:
        return False
    if len(word) == 2 and f"option -- {word[1]}" in error:  # the format of getopt
        return True
    place = error.find(word)
    while place >= 0:
        end = place + len(word)
        line = error[error.rfind("\n", 0, place) + 1 : min(error.find("\n", end) % (len(error) + 1), end + 200)]
        is_part = _WITHIN_WORD.match(error, end) or (place and _WITHIN_WORD.match(error, place - 1))
        if not is_part and _COMPLAINT.search(line):
            return True
        place = error.find(word, end)
    return False


def wrong_options(options: Iterable[str], error: str) -> list[str]:
    """Returns the options that the error calls unknown or wrong."""
    error = error[:LONGEST_ERROR]
    known = [option for option in dict.fromkeys(options) if option.strip("-")]
    wrong = {f"-{found[1]}" for found in _GETOPT.finditer(error)} | set(_pointed_at(error))
    return [option for option in known if option in wrong or _is_wrong(option, error)] or _not_in_usage(known, error)


def _pointed_at(error: str) -> Iterator[str]:
    """Yields the words of a repeated command that have a caret and a complaint below them."""
    lines = error.split("\n")
    for above, line in pairwise(lines):
        caret = _CARET.match(line)
        if caret and (word := _WORD_HERE.match(above, caret.end(1))):
            yield word[0].partition("=")[0]


def _is_wrong(option: str, error: str) -> bool:
    if complains_about(option, error):
        return True
    name = re.escape(option.lstrip("-"))
    # Not `Unknown JSON field` or `unrecognized type: x`: these are about the value of an option.
    return len(name) > 1 and re.search(rf"{_OPTION_WORD}-*{name}(?![\w-]|:? \w)", error, re.IGNORECASE) is not None


def _not_in_usage(options: list[str], error: str) -> list[str]:
    """Returns the one option missing in a printed usage; if several are missing, it is unclear which is wrong."""
    if not _USAGE.search(error):
        return []
    known = set(_DOCUMENTED.findall(_NEGATABLE.sub("--", error) + " " + _NEGATABLE.sub("--no-", error)))
    missing = [option for option in options if _LONG_OPTION.fullmatch(option) and option not in known]
    return missing if len(missing) == 1 and len(known) >= _FEWEST_DOCUMENTED else []


def complained_texts(error: str) -> Iterator[str]:
    """Yields quoted texts of complaining lines, and the whole lines that such a line announces."""
    announced = False
    for line in error[:LONGEST_ERROR].split("\n"):
        if announced and line.strip():
            yield line.strip().rstrip("/")
        complains = _COMPLAINT.search(line) is not None
        if complains:
            for found in _QUOTED.finditer(line):
                yield next(filter(None, found.groups())).rstrip("/")
        announced = (complains and line.rstrip().endswith(":")) or (announced and line[:1] not in ("", " "))


def is_about_files(line: str) -> bool:
    """Whether a line of an error is about a file or folder, which other projects do not have."""
    return _FILES.search(line) is not None


def is_about_project(word: str, error: str) -> bool:
    """Whether a line with the word is about a file or another project-specific thing, such as a table."""
    lines = [line for line in error[:LONGEST_ERROR].split("\n") if word in line]
    return any(_OF_A_PROJECT.search(line) or is_about_files(line) for line in lines)


def is_about_syntax(line: str) -> bool:
    """Whether a line is about syntax, which is the same in every project."""
    return _SYNTAX.search(line) is not None
