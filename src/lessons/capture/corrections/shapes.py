"""The shapes that a durable rule takes in a person's sentence: how to know each, and how sure it is, of a hundred."""

from lessons.capture.corrections.directing import DIRECTING, OF_THINGS
from lessons.capture.corrections.phrases import BARE, DO_NOT, DONE, HERE, IDLE, START, WORKING, YOU_SHOULD
from lessons.capture.corrections.shape import Shape, shape

# That it stands is said in so many words.
_STANDING = (
    shape(
        "from-now-on",
        "now on|forward|here on|rule",
        r"\b(?:from\s+now\s+on|going\s+forward(?!\s+with)|from\s+here\s+on|as\s+a\s+(?:general\s+)?rule(?!\s+of))\b"
        r"(?!,?\s+(?:the|this|that|it|its|a|an|i)\b)",
        80,
    ),
    shape(
        "always",
        "always|never",
        rf"{START}(?:{YOU_SHOULD}|(?:you|we)\s+|i\s+want\s+you\s+to\s+|remember\s+to\s+)"
        rf"(?:always|never(?:\s+ever)?)\s+{IDLE}[a-z]",
        80,
    ),
    shape("every-time", "whenever|time", r"\b(?:whenever|every\s+time|each\s+time)\s+(?:you|we)\s+\w+", 60),
    shape("next-time", "next time", rf"(?:{START}next\s+time,?\s+(?!i\b|it\b)\w+|\S\s+next\s+time\s*[.!]*$)", 60),
    shape(
        "here",
        "this|our|whole|entire",
        rf"{HERE},?\s+(?:(?:we|you)\s+)?(?:only\s+|always\s+)?(?:use|run|write|keep|put|{DO_NOT}|never|always|only)\b"
        rf"|{HERE},?\s+(?:[\w-]+\s+){{1,3}}?(?:is|are)\s+(?:made|done|run|written|generated|created|built)\s"
        rf"|\b(?:(?:we|you|{DO_NOT}|only|always|never)\s+(?:use|run|write|keep|put)|{START}(?:prefer|keep|write|name))\s.{{3,100}}{HERE}"
        r"|\b(?:this|our)\s+(?:repo|project|code\s?base|mono-?repo|team)\s+(?:only\s+)?(?:uses|requires|needs|follows)\s+\S",
        60,
        generic=False,
    ),
    shape(
        "we-never",
        "dont|don't|do not",
        rf"{START}we\s+{DO_NOT}\s+(?:{WORKING}|write|do|put|add|keep|allow|create|test)\s+\S",
        65,
    ),
    shape(
        "we-use",
        "we ",
        rf"{START}we\s+(?:only\s+)?(?:use|prefer|run|write|keep|put|follow|name|build|deploy)\s+(?:\S+\s+){{1,6}}?"
        r"(?:here\b|instead\b|not\s|rather\s+than\s)",
        65,
    ),
    shape("we-use", "we ", rf"{START}we\s+(?:only\s+)?use\s+{BARE}\S+(?:\s+\S+){{0,2}}\s*[.!]*$", 55),
    shape(
        "not-unasked",
        "unless|without",
        rf"{START}(?:{DO_NOT}|never|stop|avoid)\s+\w.{{1,60}}\b(?:unless|without)\s+"
        r"(?:i|me|my|we|you|ask|explicit|being|permission|telling)",
        75,
        generic=False,
        of_agent=True,
    ),
    shape(
        "only-when",
        "only",
        rf"{START}(?:only\s+{WORKING}|{WORKING}\s.{{0,40}}?\bonly)\b.{{0,60}}?\b(?:when|if|after)\s+"
        r"(?:i|we|asked|told|you)\b",
        70,
        generic=False,
        of_agent=True,
    ),
    shape(
        "ask-before", "before", rf"{START}(?:ask|check\s+with|tell)\s+me\s+(?:first\s+)?before\s+\w", 65, of_agent=True
    ),
    shape(
        "told-you",
        "told|asked|said",
        r"\b(?:i(?:'ve|\s+have)?(?:\s+already)?\s+(?:told|asked)\s+you|i(?:\s+already)?\s+said)\b.{0,20}?"
        rf"\b(?:not\s+to|to\s+use|to\s+always|never|{DO_NOT}|no|to\s+stop)\s+\w",
        65,
    ),
    shape(
        "keep-doing",
        "you keep",
        r"\byou\s+keep\s+(?!(?:gett|hav|be|go|fail|los)ing)\w+ing\s+\w",
        55,
        may_ask=True,
        of_agent=True,
    ),
)

# Something is forbidden.
_FORBIDDING = (
    shape(
        "must-never-be",
        "be ",
        rf"\b(?:should|must|may|can)(?:\s+never\s+be\s+(?:\w+ly\s+)?{DONE}\b"
        rf"|(?:\s+not|n'?t)\s+(?:ever\s+be\s+{DONE}\b|be\s+{DONE}\b.{{0,30}}\b(?:ever\b|by\s+hand|manually)))",
        75,
    ),
    shape(
        "must-not-be",
        "be ",
        rf"{START}(?!(?:the|this|that|it|your|a|an|he|she|they|i)\b)(?:[\w./-]+\s+){{1,5}}?"
        rf"(?:should|must|may)(?:\s+not|n'?t)\s+be\s+(?:\w+ly\s+)?{DONE}\b",
        60,
    ),
    shape(
        "stop-doing", "stop|quit|avoid|more", rf"{START}(?:stop|quit|avoid|no\s+more)\s+(?!being|going)\w+ing\s+\S", 65
    ),
    shape("do-not", "dont|don't|do not", rf"{START}(?:you\s+)?{DO_NOT}\s+(?:ever\s+)?{IDLE}\w+\s+\S", 60),
    shape(
        "want-not",
        "want",
        rf"\bi\s+{DO_NOT}\s+want\s+(?:you\s+to\s+{IDLE}\w+|to\s+{WORKING})\s+\S",
        60,
    ),
    shape(
        "better-not",
        "not",
        rf"\b(?:better|best|prefer|rather|safer)\s+(?:you\s+)?(?:not\s+to|to\s+not|not)\s+{IDLE}\w+\s+\S",
        60,
    ),
    shape(
        "should-not",
        "not|n't|nt ",
        rf"{START}(?:you|we|u)\s+(?:should|must)(?:\s+not|n'?t)\s+(?:be\s+(?=\w+ing))?{IDLE}\w+\s+\S",
        55,
    ),
)

SHAPES: tuple[Shape, ...] = _STANDING + _FORBIDDING + DIRECTING + OF_THINGS
