"""Explains each key of a review, for ?."""

import textwrap

_KEYS = {
    "p": "promote: the agent reads the lesson with the result of such a call",
    "s": "stop once: the first such call of a session is denied with the lesson as the reason; the second one passes",
    "b": "block: every such call is denied; `lessons allow` lets one pass",
    "h": "shadow: matches are only logged, to see what it would do",
    "e": "edit the trigger, its exceptions (unless), the words or the scope; the back-test is run again at once",
    "k": "skip: shown again at the end of the next review",
    "r": "reject with a reason: not shown again",
    "m": "merge into a similar lesson, which gets the evidence",
    "u": "undo the last step of this review",
    "n v": "show the next or the previous occurrence",
    "o": "print the whole command and output of the occurrence on the screen",
    "q": "quit: decisions are saved, the next review continues from there",
}
_WORDS = (
    '`unless` and `fires` are regexes. "history" is what the trigger would have done at the calls of your agents.'
    ' The calls it was learned from are counted separately. A call that worked and that it fires on is "disturbed".'
)


def help_lines(width: int) -> list[str]:
    """Returns the help, folded between words."""
    lines = []
    for key, meaning in _KEYS.items():
        lines += textwrap.wrap(meaning, width, initial_indent=f"  {key}  ", subsequent_indent="     ")
    return [*lines, "", *textwrap.wrap(_WORDS, width, initial_indent="  ", subsequent_indent="  ")]
