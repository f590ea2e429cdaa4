"""An error in, whether it reports on code under development out: tests, linters, compilers and type checkers."""

import re

_PLACE = r"[\w@./\\-]{1,200}\.\w{1,8}"
# A file and a line in it, as linters, compilers and stacks write them.
_NUMBERED = re.compile(r"\w[:(]\d")
_IN_FILE = re.compile(
    rf"^\s*{_PLACE}[:(]\d+(?:[:,]\d+)?\)?:? *(?:- )?(?:fatal |warning |note )?(?:error|warning|note|info|[A-Z]{{1,4}}\d{{2,5}})\b"
    rf"|^\s*(?:-->|at|╭─\[|→) ?{_PLACE}:\d+|^{_PLACE}:\d+(?::\d+)?[: ]",
    re.MULTILINE,
)
_MARKED = re.compile(
    r"^\s*(?:✗|✖|✕|×|●|❌) \S|^\s*\d+:\d+ +(?:error|warning)\b|^(?:E|>)  +\S|^[\w-]+\.{10,}Failed$", re.MULTILINE
)
_COUNTED = re.compile(
    r"\b[1-9]\d* (?:tests? |specs? |examples?, )?(?:failed|failing|failures?|errored)\b|\b(?:failed|failures?|errors?): [1-9]"
    r"|\b[1-9]\d* (?:errors?|warnings?|problems?|issues?|violations?|vulnerabilit(?:y|ies))\b.*(?:found|generated|\)|$)"
    r"|\b[Ff]ound [1-9]\d* \w+",
    re.MULTILINE,
)
# A literal, which is quick to look for, and the whole shape where that is more.
_SAID = tuple(
    (literal, re.compile(shape, re.MULTILINE) if shape else None)
    for literal, shape in (
        ("error", r"\berror(?:\[E\d+\]| TS\d+|\[[a-z-]+\]:)"),
        (
            "FAIL",
            r"^\s*FAIL(?:ED)?(?::|\b) +\S*(?:[/.:]|test)|^--- FAIL: |^FAIL(?:\t|$)|test result: FAILED|\bBUILD FAIL",
        ),
        ("ERROR", r"^\s*ERROR(?::|\b) +\S*(?:[/.:]|test)"),
        ("not ok ", r"^not ok \d"),
        ("AssertionError", ""),
        ("assert", r"\bassert(?:ion)? .*failed"),
        ("expect(", ""),
        ("xpected", r"^\s*(?:Expected|Received|Actual)\b.*:"),
        ("ould ", r"[Ww]ould (?:reformat|be reformatted|have printed)"),
        ("ode style issues", ""),
        (" modified by this hook", ""),
        ("- hook id: ", ""),
        ("error: ", r"^error: (?:aborting due to|could not compile)"),
        ("ompil", r"[Cc]ompilation (?:failed|error)|[Ff]ailed to compile"),
        ("is not assignable", ""),
        ("does not exist on type", ""),
        ("annot find name '", ""),
        ("overage", r"\b[Cc]overage\b.{0,80}\b(?:threshold|below|less than)\b"),
        ("Error: ", r"\[\w*(?:Error|Exception): .*\]$"),
    )
)
_TRACEBACK = re.compile(r"^Traceback \(most recent call last\)", re.MULTILINE)
# What goes wrong before any code of the project does: the call has the wrong interpreter, folder or words.
_OF_THE_CALL = re.compile(r"^(?:ModuleNotFoundError|ImportError): ", re.MULTILINE)
# A stack of calls, or the runtime's last word: code that ran went wrong, also where it was written on the line itself.
_STACK = re.compile(r"^\s+at .{1,300}:\d+:\d+\)?$|^(?:Node\.js|Bun) v\d+\.\d+", re.MULTILINE)


def is_finding(text: str) -> bool:
    if (_NUMBERED.search(text) and _IN_FILE.search(text)) or _MARKED.search(text) or _COUNTED.search(text):
        return True
    if any(literal in text and (shape is None or shape.search(text)) for literal, shape in _SAID):
        return True
    if _TRACEBACK.search(text):
        return not _OF_THE_CALL.search(text)
    return _STACK.search(text) is not None
