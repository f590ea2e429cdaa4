"""Decides whether a failure could hide behind a reported success, by a shell line or its output."""

import re
from functools import lru_cache

from lessons.shell.line import LONGEST_LINE, SCRIPT_DEPTH, Part, parts, working
from lessons.shell.programs import SHELLS

_SEARCHED_CHARACTERS = 2048  # characters at either end of an output

# Every line that looks like a failure has one of these, compared in lower case.
_HINTS = (
    *("error", "fail", "fatal", "traceback", "exception", "panic", "not found", "no such", "denied", "exit", "err!"),
    *("segmentation", "not permitted", "refused", "a directory", "no matches", " option", "(http ", "stopped", "***"),
    *("✖ ", "aborted", "rc=", "err_", "elifecycle"),
)
_NAME = r"[\w./+@-]{1,80}"
_PLACE = r"\S{1,200}"
_SHELL = r"(?:\(eval\):\d+: |(?:\S{0,40}/)?(?:ba|z|da|k)?sh: (?:line \d+: |\d+: )?)"
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
    rf"{_SHELL}{_PLACE}: (?:command )?not found$",
    rf"{_SHELL}(?:command not found|no matches found|no such file or directory|permission denied): ",
    rf"{_NAME}: (?:.{{0,200}}: )?(?:{_REASONS})(?: \(os error \d+\)\.?)?$",
    rf"{_NAME}: (?:illegal|invalid|unknown|unrecognized) option|{_NAME}: .{{0,200}}\(HTTP [45]\d\d\)$",
    r"(?:exit|exit[ _](?:code|status)|EXIT|EXIT[ _]CODE|rc(?==)|RC(?==))[:= ] ?[1-9]\d{0,2}$",
)
# Successful programs write these too, for example in the log of a test that expects an error.
_COMPLAINTS = (
    rf"(?:{_NAME}: )?(?:error|fatal|fatal error)(?:\[\w+\])?: (?!0\b|none\b|null\b)\S|jq: error \(",
    r"(?:Error|ERROR|FATAL|Fatal error|Uncaught \w+): (?!0\b|none\b|null\b)\S",
    r"(?:[a-z_]\w*\.){0,6}[A-Z]\w*(?:Error|Exception): \S|Caused by: ",
)
_ALL_WELL = (
    r"\s*0 fail(?:ed|ures?|ing)?\b|=+ \d+ passed\b(?!.*\b(?:failed|error)).*=$|OK(?: \(.*\))?$|test result: ok\.",
    r"\s*Tests:? +(?:\d+ (?:skipped|todo)[, |]+)*\d+ passed\b(?!.*failed)|(?:.*\b)?(?:Found )?0 errors\b|BUILD SUCCESS",
)
_FAILURE = re.compile("|".join(_FAILURES))
_COMPLAINT = re.compile("|".join(_COMPLAINTS))
_WELL = re.compile("|".join(_ALL_WELL))
_DISCARDED = re.compile(r"[2&]>>? ?/dev/null|> ?/dev/null +2>&1|2>&-")


def hides_exit(command: str) -> bool:
    """Whether the shell may report success although a command that does the work failed."""
    return _remembered(command[:LONGEST_LINE])


def hides_errors(command: str) -> bool:
    """Whether neither exit code nor output may show a failure: `make 2>/dev/null | head`."""
    return bool(_DISCARDED.search(command[:LONGEST_LINE])) and hides_exit(command)


@lru_cache(maxsize=1024)
def _remembered(command: str) -> bool:
    return _hides(command, 0)


def _hides(command: str, depth: int) -> bool:
    line = parts(command)
    options = _options(line)
    piped_safely = "pipefail" in options or "pipestatus" in command.lower()
    listed_safely = "e" in options or _ends_with_a_status(line)
    for index in working(line):
        part = line[index]
        if part.operator in ("||", "&") or (part.operator == "|" and not piped_safely):
            return True
        if part.operator in (";", "\n") and index < len(line) - 1 and not listed_safely:
            return True
        if depth < SCRIPT_DEPTH and part.program in SHELLS and any(_hides(one, depth + 1) for one in part.inner):
            return True
    return False


def _ends_with_a_status(line: tuple[Part, ...]) -> bool:
    """Whether it ends in `exit` or `exit $status`, which returns a saved exit code."""
    if not line or line[-1].program != "exit":
        return False
    return all(word[:1] == "$" for word in line[-1].words[1:2])


def _options(line: tuple[Part, ...]) -> set[str]:
    """Returns what `set` turned on anywhere in the line: single letters, and the names after `-o`."""
    found: set[str] = set()
    for part in line:
        if part.program == "set":
            for word in part.words[1:]:
                found |= {"e"} if word == "errexit" else {word}
                if word[:1] == "-":
                    found |= set(word[1:])
    return found


def error_like(output: str) -> bool:
    """Whether the start or the end of an output has a line that programs write when they fail."""
    if len(output) > 2 * _SEARCHED_CHARACTERS:
        # Skip the line cut at either end: half a line can look like anything.
        head, tail = (
            output[:_SEARCHED_CHARACTERS].rpartition("\n")[0],
            output[-_SEARCHED_CHARACTERS:].partition("\n")[2],
        )
        output = head + "\n" + tail
    lowered = output.lower()
    if not any(hint in lowered for hint in _HINTS):
        return False
    lines = output.splitlines()
    if any(_FAILURE.match(line) for line in lines):
        return True
    return any(_COMPLAINT.match(line) for line in lines) and not any(_WELL.match(line) for line in lines)
