"""Whether an error is about code under development: tests, linters, compilers and type checkers."""

import re

from lessons.capture.shapes.literals import said, says

_PLACE = r"(?!\S{0,200}(?:node_modules|site-packages)/)[\w@./\\-]{1,200}\.\w{1,8}"
_MESSAGE = r"(?:- )?(?:fatal |warning |note )?(?:error|warning|note|info|[A-Z]{1,4}\d{2,5})\b"
# A file and line number at the start of a line, as linters, compilers and stack traces write them.
_IN_FILE = re.compile(
    rf"^(?:\s*+{_PLACE}(?:[:(]\d+(?:[:,]\d+)?\)?:? *{_MESSAGE}|:\d+:\d+:?$|: line \d+: )"
    rf"|{_PLACE}(?::\d+(?::\d+)?(?:[: ]|$)| \(\d+:\d+\))"
    rf"|\s*+(?:-->|at|╭─\[|→|❯|Location:|Diff in) *{_PLACE}:\d+"
    rf"|\W{{0,4}}(?:on|[Ii]n) {_PLACE},? line \d+"
    rf"|(?:\[(?:ERROR|error)\] |CMake Error at |\*\* \(\w{{1,40}}\) ){_PLACE}:\[?\d+"
    r"|[\w./-]{1,200}:\d+(?::\d+)? [A-Z]{1,4}\d{2,5}\b)",
    re.MULTILINE,
)
_ON_LINE = re.compile(rf"\bin {_PLACE} on line \d")
_MARKED = re.compile(
    r"^(?:\s*+[✗✖✕×●] \S(?!.*\n\s*╰─▶)|\s*+\d+:\d+ +(?:error|warning)\b|(?:E|>)  +\S|[\w-]+\.{10,}Failed$)",
    re.MULTILINE,
)
_SAID = said(
    ("fail", r"[1-9]\d{0,6} (?:of \d{1,6} )?(?:[\w-]{1,20},? )?(?:failed|failing|failures?)\b(?!: [A-Z])"),
    (" errored", r"[1-9]\d{0,6} (?:tests? )?errored\b"),
    ("ail", r"(?:[Ff]ailed|[Ff]ailures?)[:=] {0,8}[1-9]"),
    ("rrors", r"[Ee]rrors[:=] {0,8}[1-9]"),
    (" error", r"[1-9]\d{0,6} errors?\b"),
    (" warning", r"[1-9]\d{0,6} warnings?\b"),
    (" problem", r"[1-9]\d{0,6} problems?\b"),
    (" issue", r"[1-9]\d{0,6} issues?\b"),
    (" finding", r"[1-9]\d{0,6} findings?\b"),
    (" offense", r"[1-9]\d{0,6} offenses?\b"),
    (" vi", r"[1-9]\d{0,6} violations?\b"),
    (" vulnerabilit", r"[1-9]\d{0,6} (?:\w{1,12} ){0,3}vulnerabilit(?:y|ies)\b"),
    ("ound ", r"[Ff]ound [1-9]\d{0,6} \w+"),
    ("error TS", ""),
    ("error[", r"error\[(?:E\d{1,6}\]|[a-z-]{1,60}\]:)"),
    (
        "FAIL",
        r"^\s*+FAIL(?:ED)?(?::|\b) +\S*(?:[/.:]|test)|^--- FAIL: |^FAIL(?:\t|$)|test result: FAILED|\bTEST FAILED\b",
    ),
    ("ERROR", r"^\s*+ERROR(?::|\b) +(?!\()\S*(?:[/.:]|test)"),
    (" > ", r"^\S.{0,200} > .{1,200} FAILED$"),
    ("Test Case ", r"^Test Case .{1,200} failed\b"),
    ("not ok ", r"^not ok \d"),
    ("AssertionError", ""),
    ("ssert", r"[Aa]ssert(?:ion)? .{0,200}failed"),
    ("expect(", ""),
    ("xpected", r"^\s*+(?:Expected|Received|Actual)\b.*:"),
    ("ould ", r"[Ww]ould (?:reformat|be reformatted|have printed)"),
    ("ode style issues", ""),
    (" modified by this hook", ""),
    ("- hook id: ", ""),
    ("error: ", r"^error: (?:aborting due to|could not compile)"),
    ("ompil", r"[Cc]ompilation (?:failed|error)|[Ff]ailed to compile"),
    ("COMPILATION ERROR", ""),
    ("esolve ", r"failed to resolve import|Can't resolve '|Could not resolve \"\."),
    ("undefined reference to", ""),
    ("Undefined symbols for", ""),
    ("syntax error near unexpected token", ""),
    ("parse error on line ", ""),
    ("yaml: line ", ""),
    ("failed to parse manifest", ""),
    ("error validating data", ""),
    ("is not assignable", ""),
    ("does not exist on type", ""),
    ("annot find name '", ""),
    ("overage", r"[Cc]overage\b.{0,80}\b(?:threshold|below|less than|not (?:reached|met))\b"),
    ("Error: ", r"\[\w{0,40}(?:Error|Exception): .{0,300}\]$"),
)
_PYTHON = re.compile(
    r"^(?:Traceback \(most recent call last\)|\s*+File \"(?!<)[^\"\n]{1,300}\", line \d)", re.MULTILINE
)
# Fails before any code of the project runs: the call has the wrong interpreter, folder or words.
_OF_THE_CALL = re.compile(r"^(?:ModuleNotFoundError|ImportError): ", re.MULTILINE)
# A stack trace, or the last message of a runtime or build: something that ran failed, maybe before any code did.
_BROKE = said(
    (" at ", r"^\s++at .{1,300}:\d+:\d+\)?$"),
    ("Node.js v", r"^Node\.js v\d"),
    ("Bun v", r"^Bun v\d"),
    (" at ", r"^\s++at [\w.$<>]{1,200}\(\w{1,80}\.\w{1,6}:\d+\)"),
    ("\tat ", r"^\s++at [\w.$<>]{1,200}\(\w{1,80}\.\w{1,6}:\d+\)"),
    ("panic", r"^panic: |\bpanicked at "),
    ("Segmentation fault", ""),
    ("BUILD FAIL", ""),
    (" FAILED", r"^(?:> Task )?:[\w:-]{1,200} FAILED$"),
    ("ninja: build stopped", ""),
    ("did not complete successfully", ""),
)


def names_place(text: str) -> bool:
    return _IN_FILE.search(text) is not None or (" on line " in text and _ON_LINE.search(text) is not None)


def is_about_code(text: str) -> bool:
    if _MARKED.search(text) or says(text, _SAID) or names_place(text):
        return True
    return _PYTHON.search(text) is not None and not _OF_THE_CALL.search(text)


def broke(text: str) -> bool:
    return says(text, _BROKE)
