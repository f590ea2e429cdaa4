"""The shapes that a durable rule takes in a person's sentence: how to know each, and how sure it is, of a hundred."""

import re
from functools import cache
from typing import NamedTuple

from lessons.capture.correction_phrases import (
    BARE,
    CHANGE,
    DO_NOT,
    DONE,
    HERE,
    HOST,
    IDLE,
    IS_AT,
    NOT_AT,
    PLACE,
    ROUTINE,
    START,
    WORKING,
    YOU_SHOULD,
)


class Shape(NamedTuple):
    """One way to say a rule; another language would be more rows of the table."""

    name: str
    cues: tuple[str, ...]  # the sentence holds one of these in lower case, else the pattern is not tried
    pattern: str
    points: int
    generic: bool  # it must speak of things in general; else it tells a fact, which may be the reason of a task
    may_ask: bool  # counts as a question too
    objecting: bool  # counts after "no" and "wait" alone

    def find(self, sentence: str) -> re.Match[str] | None:
        """Where the sentence has this shape."""
        return _compiled(self.pattern).search(sentence)


# A scan of a few new lines needs few of the patterns, and compiling all of them takes longer than it does.
@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _shape(
    name: str,
    cues: str,
    pattern: str,
    points: int,
    *,
    generic: bool = True,
    may_ask: bool = False,
    objecting: bool = False,
) -> Shape:
    return Shape(name, tuple(cues.split("|")), pattern, points, generic, may_ask, objecting)


# That it stands is said in so many words.
_STANDING = (
    _shape(
        "from-now-on",
        "now on|forward|here on|rule",
        r"\b(?:from\s+now\s+on|going\s+forward(?!\s+with)|from\s+here\s+on|as\s+a\s+(?:general\s+)?rule(?!\s+of))\b"
        r"(?!,?\s+(?:the|this|that|it|its|a|an|i)\b)",
        80,
    ),
    _shape(
        "always",
        "always|never",
        rf"{START}(?:{YOU_SHOULD}|(?:you|we)\s+|i\s+want\s+you\s+to\s+|remember\s+to\s+)"
        rf"(?:always|never(?:\s+ever)?)\s+{IDLE}[a-z]",
        80,
    ),
    _shape("every-time", "whenever|time", r"\b(?:whenever|every\s+time|each\s+time)\s+(?:you|we)\s+\w+", 60),
    _shape("next-time", "next time", rf"(?:{START}next\s+time,?\s+(?!i\b|it\b)\w+|\S\s+next\s+time\s*[.!]*$)", 60),
    _shape(
        "here",
        "this|our|whole|entire",
        rf"{HERE},?\s+(?:(?:we|you)\s+)?(?:only\s+|always\s+)?(?:use|run|write|keep|put|{DO_NOT}|never|always|only)\b"
        rf"|\b(?:we|you|{DO_NOT}|only|always|never)\s+(?:use|run|write|keep|put)\s.{{3,100}}{HERE}"
        r"|\b(?:this|our)\s+(?:repo|project|code\s?base|mono-?repo|team)\s+(?:only\s+)?(?:uses|requires|needs|follows)\s+\S",
        60,
        generic=False,
    ),
    _shape(
        "we-never",
        "dont|don't|do not",
        rf"{START}we\s+{DO_NOT}\s+(?:{WORKING}|write|do|put|add|keep|allow|create|test)\s+\S",
        65,
    ),
    _shape(
        "we-use",
        "we ",
        rf"{START}we\s+(?:only\s+)?(?:use|prefer|run|write|keep|put|follow)\s+(?:\S+\s+){{1,6}}?"
        r"(?:here\b|instead\b|not\s|rather\s+than\s)",
        65,
    ),
    _shape("we-use", "we ", rf"{START}we\s+(?:only\s+)?use\s+{BARE}\S+(?:\s+\S+){{0,2}}\s*[.!]*$", 55),
    _shape(
        "not-unasked",
        "unless|without",
        rf"{START}(?:{DO_NOT}|never|stop|avoid)\s+\w.{{1,60}}\b(?:unless|without)\s+"
        r"(?:i|me|my|we|you|ask|explicit|being|permission|telling)",
        75,
        generic=False,
    ),
    _shape(
        "only-when",
        "only",
        rf"{START}(?:only\s+{WORKING}|{WORKING}\s.{{0,40}}?\bonly)\b.{{0,60}}?\b(?:when|if|after)\s+"
        r"(?:i|we|asked|told|you)\b",
        70,
        generic=False,
    ),
    _shape("ask-before", "before", rf"{START}(?:ask|check\s+with|tell)\s+me\s+(?:first\s+)?before\s+\w", 65),
    _shape(
        "told-you",
        "told|asked|said",
        r"\b(?:i(?:'ve|\s+have)?(?:\s+already)?\s+(?:told|asked)\s+you|i(?:\s+already)?\s+said)\b.{0,20}?"
        rf"\b(?:not\s+to|to\s+use|to\s+always|never|{DO_NOT}|no|to\s+stop)\s+\w",
        65,
    ),
    _shape("keep-doing", "you keep", r"\byou\s+keep\s+(?!(?:gett|hav|be|go|fail|los)ing)\w+ing\s+\w", 55, may_ask=True),
)

# Something is forbidden.
_FORBIDDING = (
    _shape(
        "must-never-be",
        "be ",
        rf"\b(?:should|must|may|can)(?:\s+never\s+be\s+(?:\w+ly\s+)?{DONE}\b"
        rf"|(?:\s+not|n'?t)\s+(?:ever\s+be\s+{DONE}\b|be\s+{DONE}\b.{{0,30}}\b(?:ever\b|by\s+hand|manually)))",
        75,
    ),
    _shape(
        "must-not-be",
        "be ",
        rf"{START}(?!(?:the|this|that|it|your|a|an|he|she|they|i)\b)(?:[\w./-]+\s+){{1,5}}?"
        rf"(?:should|must|may)(?:\s+not|n'?t)\s+be\s+(?:\w+ly\s+)?{DONE}\b",
        60,
    ),
    _shape(
        "stop-doing", "stop|quit|avoid|more", rf"{START}(?:stop|quit|avoid|no\s+more)\s+(?!being|going)\w+ing\s+\S", 60
    ),
    _shape("do-not", "dont|don't|do not", rf"{START}(?:you\s+)?{DO_NOT}\s+(?:ever\s+)?{IDLE}\w+\s+\S", 60),
    _shape(
        "want-not",
        "want",
        rf"\bi\s+{DO_NOT}\s+want\s+(?:you\s+(?:to|ot)\s+{IDLE}\w+|(?:to|ot)\s+{WORKING})\s+\S",
        60,
    ),
    _shape(
        "better-not",
        "not",
        rf"\b(?:better|best|prefer|rather|safer)\s+(?:you\s+)?(?:not\s+to|to\s+not|not)\s+{IDLE}\w+\s+\S",
        60,
    ),
    _shape(
        "should-not",
        "not|n't|nt ",
        rf"{START}(?:you|we|u)\s+(?:should|must)(?:\s+not|n'?t)\s+(?:be\s+(?=\w+ing))?{IDLE}\w+\s+\S",
        55,
    ),
)

# Something is to be done otherwise, elsewhere, before something else, or by the agent itself.
_DIRECTING = (
    _shape(
        "must-always-be",
        "always",
        r"\b(?:should|must|need\s+to|have\s+to)\s+always\s+be\s+(?:\w+ly\s+)?"
        r"(?:run|used|committed|written|installed|signed|tested)\b",
        65,
    ),
    _shape(
        "when-you",
        "when|if|before|after",
        rf"^(?:when|if|before|after)\s+(?:you|we)\s+"
        r"(?!(?:are|'re|can|could|have|want|think|need|finish|get|feel|see|like|do)\b)\w+\b.{0,80}?,?\s"
        rf"(?:always|run|use|make\s+sure|{DO_NOT}|bump|regenerate|rebuild)\s\S",
        55,
    ),
    _shape(
        "order",
        "before|after",
        rf"{START}{YOU_SHOULD}(?:{WORKING}|read|pull|test|check|source|activate)\s.{{2,60}}?\b(?:before|after)\s+"
        r"(?:you\s+|every\s+|each\s+|any\s+)?(?:commit|push|every|each|any\b|you\b|edit|chang|install|deploy|build|run)",
        60,
    ),
    _shape(
        "use-instead",
        "use|run|prefer|stick|through",
        rf"{START}{YOU_SHOULD}(?:use|run|prefer|go\s+through|stick\s+(?:to|with))\s+"
        rf"(?:(?:it|that)\s+(?:with|via|through)\s+)?{BARE}(?:\S+\s+){{0,4}}?\S+?,?\s+"
        r"(?:instead\b|not\s+\S|rather\s+than\s|over\s)",
        55,
    ),
    _shape(
        "not-there",
        "use",
        r"\bis(?:n't|\s+not)\s+(?:available|installed|allowed)\b.{0,30}?[,;.]?\s+(?:so\s+)?(?:please\s+)?use\s+" + BARE,
        60,
    ),
    _shape(
        "no-use",
        "use|run",
        rf"{START}(?:use|run\s+with)\s+{BARE}\S+(?:\s+(?!to\b)\S+){{0,3}}$",
        60,
        objecting=True,
    ),
    _shape("place", "not", rf"{IS_AT}{PLACE}\S*{NOT_AT}\S", 60, generic=False),
    _shape("place", "not", rf"{IS_AT}(?:\S+\s+){{0,2}}?\S+?{NOT_AT}{PLACE}(?:\s|[.!]|$)", 60, generic=False),
    _shape(
        "other-host",
        "again",
        rf"^(?:check|try|look|connect|test|run|do|ping|query)(?:\s+(?:it|that))?\s+again\s+"
        rf"(?:on|at|against|with|to)\s+{HOST}\s*[.!]*$",
        50,
        generic=False,
    ),
    _shape(
        "remember",
        "remember|mind|record",
        rf"{START}(?:remember|keep\s+in\s+mind|bear\s+in\s+mind|for\s+the\s+record)(?:\s+that|[,:])\s+\S+\s+\S+\s+\S",
        60,
    ),
    _shape(
        "yourself",
        "yourself",
        rf"(?:{START}(?!i\b|it\b|the\b|{DO_NOT})\w[\w' ]{{2,80}}?"
        r"|\byou\s+(?:can|should|could|must|need\s+to|have\s+to)\s.{2,80}?)(?<!repeat)(?<!describe)(?<!introduce)(?<!explain)\syourself\b",
        55,
        generic=False,
    ),
    _shape(
        "have-access",
        "you have|you do have|you already",
        r"\byou\s+(?:already\s+|do\s+)?have\s+(?:\w+\s+)?(?:access|permissions?|credentials)\s+(?:to|for|on)\s+\S",
        55,
        generic=False,
    ),
)

# The rule is behind a question or a reason.
_IMPLIED = (
    _shape(
        "my-things",
        " my | our ",
        rf"^(?:did|have|are|do)\s+(?:you|u)\s+(?:just\s+)?{CHANGE}\w*\s+(?:my|our)\s+\w",
        55,
        generic=False,
        may_ask=True,
        objecting=True,
    ),
    _shape(
        "my-things",
        " my | our ",
        rf"^why\s+(?:did|have|are|do)\s+(?:you|u)\s+(?:just\s+)?{CHANGE}\w*\s+(?:my|our)\s+\w",
        55,
        generic=False,
        may_ask=True,
    ),
    _shape(
        "need-to",
        "to ",
        rf"\b(?:need|have|got)\s+to\s+{ROUTINE}\s+(?:all|every|each|both|any)\b.{{0,60}}?[\s,](?:no|right|though)\s*\?$",
        50,
        may_ask=True,
    ),
    _shape(
        "need-to",
        "n't|nt we|nt you",
        rf"^(?:don'?t|shouldn'?t|aren'?t)\s+(?:we|you)\s+(?:(?:need|have|supposed)\s+to\s+)?(?:always\s+)?"
        rf"{ROUTINE}\s.{{0,60}}?\b(?:first|before|every|all|always|each|any)\b",
        50,
        may_ask=True,
    ),
    _shape(
        "reason",
        "will|would|going to|gonna",
        r"^(?!.{0,40}\b(?:it|this|that|i|you)\s+(?:will|would|'ll))(?:\S+\s+){1,6}(?:will|would|is\s+going\s+to|gonna)\s+"
        r"(?:cause|break|conflict|overwrite|mess|corrupt|leak|expose|trigger|wipe|delete|confuse|kill|clobber)\b",
        35,
        generic=False,
    ),
)

# The first that fits speaks for its sentence.
SHAPES = _STANDING + _FORBIDDING + _DIRECTING + _IMPLIED
