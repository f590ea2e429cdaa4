"""The shapes of rules that say how, where or in which order something is to be done; each as sure as its points."""

from lessons.capture.corrections.phrases import (
    BARE,
    DO_NOT,
    FINDING_OUT,
    HANDLED,
    HERE,
    IS_AT,
    LANGUAGE,
    MUST,
    NOT_AT,
    PLACE,
    START,
    THING,
    THINGS,
    WORKING,
    YOU_SHOULD,
)
from lessons.capture.corrections.shape import shape

# Something is to be done otherwise, elsewhere, before something else, or by the agent itself.
DIRECTING = (
    shape(
        "must-always-be",
        "always",
        r"\b(?:should|must|need\s+to|have\s+to)\s+always\s+be\s+(?:\w+ly\s+)?"
        r"(?:run|used|committed|written|installed|signed|tested)\b",
        65,
    ),
    shape(
        "when-you",
        "when|if|before|after",
        rf"^(?:when|if|before|after)\s+(?:you|we)\s+"
        r"(?!(?:are|'re|can|could|have|want|think|need|finish|get|feel|see|like|do)\b)\w+\b.{0,80}?,?\s"
        rf"(?:always|run|use|make\s+sure|{DO_NOT}|bump|regenerate|rebuild)\s\S",
        55,
    ),
    shape(
        "order",
        "before|after",
        rf"^(?:before|after)\s+(?:every\s+|each\s+)?(?:commit|push|merg|deploy|releas)\w*,\s+(?:always\s+)?{WORKING}\s\S",
        55,
    ),
    shape(
        "order",
        "before|after",
        rf"{START}{YOU_SHOULD}(?:{WORKING}|read|pull|test|check|source|activate)\s.{{0,60}}?\b(?:before|after)\s+"
        r"(?:you\s+|every\s+|each\s+|any\s+)?(?:commit|push|every|each|any\b|you\b|edit|chang|install|deploy|build|run)",
        60,
    ),
    shape(
        "use-instead",
        "use|run|prefer|stick|through",
        rf"{START}{YOU_SHOULD}(?:use|run|prefer|go\s+through|stick\s+(?:to|with))\s+"
        rf"(?:(?:it|that)\s+(?:with|via|through)\s+)?{BARE}(?:\S+\s+){{0,4}}?\S+?,?\s+"
        r"(?:instead\b|not\s+\S|rather\s+than\s|over\s|(?<=,\s)no\s+\S)",
        55,
    ),
    shape(
        "not-there",
        "use",
        r"\bis(?:n't|\s+not)\s+(?:available|installed|allowed)\b.{0,30}?[,;.]?\s+(?:so\s+)?(?:please\s+)?use\s+" + BARE,
        60,
    ),
    shape(
        "no-use",
        "use|run",
        rf"{START}(?:use|run\s+with)\s+{BARE}\S+(?:\s+(?!to\b|the\b)\S+){{0,3}}$",
        60,
        objecting=True,
    ),
    shape("place", "not", rf"{IS_AT}{PLACE}\S*{NOT_AT}\S", 60, generic=False, of_agent=True),
    shape(
        "place", "not", rf"{IS_AT}(?:\S+\s+){{0,2}}?\S+?{NOT_AT}{PLACE}(?:\s|[.!]|$)", 60, generic=False, of_agent=True
    ),
    shape(
        "remember",
        "remember|mind|record",
        rf"{START}(?:remember|keep\s+in\s+mind|bear\s+in\s+mind|for\s+the\s+record)(?:\s+that|[,:])\s+\S+\s+\S+\s+\S",
        60,
    ),
    shape(
        "yourself",
        "yourself",
        r"(?:\byou\s+(?:can|should|could|must|need\s+to|have\s+to)\s+(?:\w+\s+)?"
        rf"|{START}){FINDING_OUT}\s[\w' ]{{1,60}}?(?<=\s)yourself\b",
        55,
        generic=False,
        of_agent=True,
    ),
)

# What holds for all things of one kind that the agent writes or runs.
OF_THINGS = (
    shape(
        "things-must",
        "must|should|to ",
        rf"{START}(?:(?:all|every|our|any)\s+)?(?!(?:the|this|that|these|those|your|my)\b)(?:[\w-]+\s+){{0,2}}?{THINGS}\s+"
        rf"{MUST}\s+(?:be\s+)?{HANDLED}\s+\S",
        60,
    ),
    shape(
        "things-must",
        "must|should|to ",
        rf"{START}the\s+(?:[\w-]+\s+){{0,2}}?{THINGS}\s+{MUST}\s+(?:be\s+)?{HANDLED}\s"
        rf".{{0,60}}?(?:(?<=\s)--?[a-z]|\bhere\b|{HERE}|\bbefore\s+(?:you|each|every|any)\b|\bby\s+hand\b)",
        60,
    ),
    shape(
        "things-are",
        "not |here|only|this|our",
        rf"{START}(?!(?:the|this|that|these|those|your|my)\b)(?:[\w-]+\s+){{0,2}}?{THINGS}\s+"
        r"(?:go|live|belong|stay|are\s+(?:always\s+)?(?:run|made|written|generated|kept|named))\s"
        rf".{{2,60}}?(?:\bnot\s|\bhere\b|\bonly\b|{HERE})",
        60,
    ),
    shape(
        "via-not",
        "not |here|never",
        r"\b(?:is|are|gets?)\s+(?:always\s+|only\s+)?(?:\w+ed|run|built|made|written|done)\s+(?:with|via|through|by|from)\s+\S"
        r".{0,60}?(?:,?\s+not\s|\s+here\b)",
        60,
    ),
    shape(
        "must-never",
        "never",
        rf"{START}(?!(?:the|this|that|it|a|an|he|she|they|i)\b)(?:[\w./-]+\s+){{1,4}}?(?:must|should|may)\s+never\s+\w+\s+\S",
        60,
    ),
    shape(
        "must-before",
        "before",
        rf"\b{MUST}\s+(?:be\s+)?\w+.{{0,40}}?\bbefore\s+(?:every|each|any|you\s+(?:say|tell|commit|push|merge)|committing|pushing"
        r"|merging|releasing|deploying)\b",
        60,
    ),
    shape(
        "each-needs",
        "every|each|all",
        rf"{START}(?:every|each|all)\s+(?:[\w-]+\s+)?{THING}\s+(?:needs?|requires?|gets?)\s+\S",
        60,
    ),
    shape(
        "ruled",
        " is | are ",
        rf"\b(?:is|are)\s+(?:mandatory|required|forbidden|banned|not\s+allowed|off[\s-]limits)\b.{{0,20}}?(?:\bhere\b|{HERE})",
        60,
        generic=False,
    ),
    shape(
        "no-need-to-ask",
        "ask",
        rf"\byou\s+(?:{DO_NOT}\s+(?:need|have)\s+to|needn'?t)\s+ask\b",
        60,
        generic=False,
        of_agent=True,
    ),
    shape(
        "speak",
        " in ",
        rf"{START}(?:answer|reply|respond|speak|talk|explain)\s+(?:(?:to\s+)?me\s+)?(?:\w+\s+)?in\s+{LANGUAGE}\b",
        60,
        of_agent=True,
    ),
    shape("none-in", "no ", rf"^no\s+[\w-]+(?:\s+[\w-]+)?\s+in\s+(?:[\w-]+\s+){{0,2}}?(?:{THINGS}|code|files)\b", 60),
    shape(
        "we-do",
        "we ",
        rf"{START}we\s+(?:always\s+|only\s+)?(?:squash|rebase|sign|lint|format|prefix|pin|tag)\s+(?!(?:the|this|that|it)\b)\S",
        55,
    ),
    shape("use-ours", "use", rf"{START}use\s+{BARE}[^\s,;]+(?:\s+[^\s,;]+)?[,;]\s+we\s+\w", 55),
    shape("it-is", "not ", rf"{START}(?:it|that)(?:'?s|\s+is)\s+`[^`]+`,?\s+(?:and\s+)?not\s+\S", 60, generic=False),
    shape("it-is", "not ", rf"^(?:it|that)(?:'?s|\s+is)\s+{BARE}\S+?,?\s+not\s+{BARE}\S+[.!]*$", 60, generic=False),
    shape("it-is", "here", r"\bhere\s+(?:it'?s|it\s+is|we\s+(?:use|run))\s+`[^`]+`", 60, generic=False),
    shape(
        "claim",
        "without",
        rf"{START}(?:{DO_NOT}|never|stop)\s+(?:tell|say|claim|report|mark|declar|assum)\w*\s.{{2,60}}?\bwithout\s",
        65,
        generic=False,
        of_agent=True,
    ),
)
