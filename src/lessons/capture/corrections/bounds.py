"""A sentence in; whether it asks, doubts, gives a task or points at this piece of work, and how general it is, out."""

import re

from lessons.capture.corrections.phrases import DO_NOT, WORKING

# "In this repository" is said of all that is done there.
_THIS = r"this(?!\s+(?:repo|project|code\b|code\s?base|mono-?repo|machine|box|host|checkout|team|org))"

_POINTING = re.compile(
    rf"\b(?:{_THIS}|that(?=\s+\w+$|[\s.!]*$)|it|its|them|these"
    r"|those|there|yet|now(?!\s+on)|today|tomorrow|tonight|until|till|else|rest|above|below|current|currently|existing"
    r"|others?|new|next(?!\s+(?:time|to))|same|either|too|last|previous|recent|anything|something|nothing"
    r"|(?:the|my|your)\s+(?:pr|ticket|issue)|first\s+\w+|second|third|button|page|screen|modal|for\s+now|at\s+the\s+moment|meanwhile|atm|just\s+(?!use|run)\w+)\b"
    r"|#\d|(?<![\w-])(?!port)\w+\s#?\d+\b",
    re.IGNORECASE,
)
_BARELY_POINTING = re.compile(rf"\b(?:{_THIS}|that(?=\s+\w+\b(?!\s+\w))|it|these|those|them)\b", re.IGNORECASE)
_DOUBTING = re.compile(
    r"\b(?:may\s?be|perhaps|might|possibly|eventually|someday|consider|wonder(?:ing)?|what\s+if|what\s+about|how\s+about"
    r"|not\s+sure|for\s+(?:now|today|the\s+moment|this\s+(?:one|time|phase|pr))|before\s+we\s+(?:continue|start|move)"
    r"|just\s+this\s+once)\b|^(?:if|when|once|while)\s+(?!(?:you|we|i|asked|in)\b)",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"^(?:can|could|would|will|should|shall|is|are|do|does|did|why|what|what's|how|where|which|who|isn't"
    r"|aren't|doesn't|have\s+you|has|any)\b(?!n't|\s+not\b)",
    re.IGNORECASE,
)
_TASK = re.compile(
    r"^(?:now\s+|then\s+|just\s+|go\s+ahead\s+and\s+)?(?:add|fix|make|create|update|remove|implement|change"
    r"|write|move|rename|refactor|show|display|put|continue|revert|build|resolve|address|merge|increase|reply|review"
    r"|investigate|let'?s|can\s+(?:you|we)|could\s+you|i\s+want|i'd\s+like|generate|design|replace|convert|clean|finish"
    r"|look|explain|give|commit|push|open|try|do|set|keep\s+going|go\s+on|proceed|spawn|test|delete|drop|use|run)\b(?!\s+not\b)",
    re.IGNORECASE,
)
_TASK_BEHIND = re.compile(
    r"[,;]\s*(?:(?:please|so|and|then)\s+)*(?:add|fix|make|create|update|remove|change|move|rename|delete|revert|replace|try"
    r"|check|find|unify|go\s+ahead|let'?s)\b",
    re.IGNORECASE,
)
# Where a rule ends and its reason begins.
_REASON = re.compile(
    r"[;(–—]|\s-\s|\b(?:because|cause|cuz|since|otherwise|so\s+that|as\s+(?:it|they))\b"
    r"|,\s*(?:it|they|that|this|which|these|those|we|you|i|the)\b",
    re.IGNORECASE,
)
_FORBIDDEN = (
    rf"\b(?:{DO_NOT}|never|stop|quit|avoid|not\s+to|to\s+not|rather\s+(?:you\s+)?not|(?:should|must)(?:\s+not|n'?t)|want(?:\s+you)?\s+to)"
    r"\s+(?:ever\s+|be\s+)?"
)
_WORKING = re.compile(_FORBIDDEN + WORKING, re.IGNORECASE)
_CRAFTING = re.compile(
    rf"{_FORBIDDEN}(?:add|mak|show|display|chang|mov|put|render|styl|align|includ|renam|set|hid|animat|translat|updat|remov"
    r"|replac|convert|refactor|wrap|split|return|throw|creat|fix|implement|open|clos|print|call|send)",
    re.IGNORECASE,
)
_THE = re.compile(rf"{_FORBIDDEN}\w+\s+(?:\w+\s+)?(?:the|your|his|her|their)\s", re.IGNORECASE)
_SEVERAL = re.compile(rf"{_FORBIDDEN}\w+\s+the\s+(?:[\w-]+\s+){{0,2}}?[\w-]{{2,}}[^s\W]s\b", re.IGNORECASE)
_HABIT = re.compile(r"\b(?:stop|quit|avoid)\s+\w+ing\b", re.IGNORECASE)
_ONE_FILE = re.compile(rf"{_FORBIDDEN}\w+\s+`?\w[\w/-]*\.\w{{1,5}}\b(?!\s+files)", re.IGNORECASE)
_LASTING = re.compile(
    r"\b(?:(?:after|before|on|with)\s+(?:each|every)\s+\w|by\s+hand\b|manually\b|yourself\b)", re.IGNORECASE
)
_ONE = re.compile(rf"{_FORBIDDEN}\w+\s+(?:a|an|another)\s", re.IGNORECASE)


def asks(sentence: str) -> bool:
    """Whether it begins as a question does, whatever it ends in."""
    return _ASKING.match(sentence) is not None


def doubts(sentence: str) -> bool:
    """Whether the person only weighs it, means it for the time being or tells how a program should behave."""
    return _DOUBTING.search(sentence) is not None


def gives_task(sentence: str) -> bool:
    """Whether it tells the agent what to do now."""
    return _TASK.match(sentence) is not None


def task_follows(rest: str) -> bool:
    """Whether the rest of a sentence says what to do now, so that what came before it was the reason."""
    return _TASK_BEHIND.search(rest) is not None


def points_at_something(rule: str) -> bool:
    """Whether a rule that says itself that it stands cannot be understood alone all the same."""
    return _BARELY_POINTING.search(rule) is not None


def points_at_this_work(rule: str) -> bool:
    """Whether it needs the moment to be understood: "this", "it", "yet", "line 40"."""
    return _POINTING.search(rule) is not None


def without_reason(sentence: str, start: int, end: int) -> str:
    """The sentence from a start up to the reason that follows an end."""
    reason = _REASON.search(sentence, end)
    return sentence[start : reason.start() if reason else len(sentence)]


def generality(rule: str) -> int:
    """What verb and object of a prohibition add to its sureness: a way of working, not a part of a product."""
    points = 10 if _WORKING.search(rule) else -10 if _CRAFTING.search(rule) else 0
    points += (20 if _LASTING.search(rule) else 0) - (25 if _ONE_FILE.search(rule) else 0)
    if _THE.search(rule):
        return points - (20 if _SEVERAL.search(rule) or _HABIT.search(rule) else 30)
    return points - 10 if _ONE.search(rule) else points
