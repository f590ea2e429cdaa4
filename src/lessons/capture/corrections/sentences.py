"""Splits what a person typed into sentences; none if it is a command or too long for a correction."""

import re
from typing import NamedTuple

# A correction is short; a longer text describes a piece of work.
_LONGEST_REMARK = 600
_MOST_LINES = 6
_MOST_WORDS = 45  # of one sentence

_APOSTROPHES = str.maketrans("’‘ʼ", "'''")
# Starts of slash commands, markup, quoted text, shell prompts, diffs and lists.
_FOREIGN = (*"/ < > { [ | + @@ ➜ ❯ ● ⏺ ⎿".split(), "$ ", "% ", "#", "- ", "* ", "• ", "1. ", "1) ")
# "No emojis in comments" is not an answer.
_NOT_NONE_IN = r"(?!\s+(?!use|run|put|keep)[\w-]+(?:\s+[\w-]+)?\s+in\s)"
# Words before a rule that are not part of it.
_OPENING = re.compile(
    rf"^(?:(?:no+{_NOT_NONE_IN}|nope|nah|wait|hold on|hey|h+m+|u+h+|u+m+|ok(?:ay)?|ye[sp]|yeah|right"
    r"|please|pls|plz|also|but|so|well|actually|btw|oh|ah+|sorry|again|thanks|great|good|nice|cool|i think|imo"
    r"|in general|generally|careful|important|fyi)\b[\s,:;!.…-]*){1,5}",
    re.IGNORECASE,
)
_ENDS = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"')\]]))\s+")
# Text in quotation marks is one thing that is mentioned, not the person's own sentence.
_QUOTED = re.compile(r"\"[^\"]{1,300}\"|“[^“”]{1,300}”|`[^`]{1,300}`|(?<!\w)'[^']{1,300}'(?!\w)")
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")


class Sentence(NamedTuple):
    words: str  # the person's own
    plain: str  # as patterns read it: each quotation is one word
    asks: bool


def sentences(text: str) -> list[Sentence]:
    """Returns the sentences of a short message, in order; every line ends one."""
    text = text.strip()
    if " " not in text or len(text) > _LONGEST_REMARK:
        return []
    lines = [words for line in text.splitlines() if (words := " ".join(_printable(line).split()))]
    if len(lines) > _MOST_LINES or any(line.startswith(_FOREIGN) for line in (text, *lines)):
        return []
    parts = (_OPENING.sub("", part) for line in lines for part in _ENDS.split(line))
    return [_sentence(words) for words in parts if words and words.count(" ") < _MOST_WORDS]


def _printable(line: str) -> str:
    plain = _COLOUR.sub("", line)
    return plain if plain.isprintable() else "".join(letter if letter.isprintable() else " " for letter in plain)


def _sentence(words: str) -> Sentence:
    plain = _QUOTED.sub(lambda quoted: quoted[0].replace(" ", "_"), words.translate(_APOSTROPHES))
    return Sentence(words, plain, words.rstrip("\"')] ").endswith("?"))
