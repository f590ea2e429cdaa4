"""Finds the permanent rule that a person states after a call of the agent, in English; most messages state none."""

import re
from collections.abc import Sequence
from functools import cache

from lessons.candidate import CORRECTION, CandidateDocument, Quote
from lessons.episode import Correction, Step
from lessons.failure.error_text import COLOUR
from lessons.mistakes.group import Made, fingerprint, grouped
from lessons.model import LONGEST_SUMMARY
from lessons.store.history.candidates import CandidateRow
from lessons.store.history.episodes import CorrectionRow
from lessons.store.history.history import History

_ALIKE = 0.5
_HIGHEST = 0.9
_LONGEST_REMARK, _MOST_LINES, _MOST_WORDS, _LONGEST_RULE = 600, 6, 45, 200
_STOPPED, _OBJECTS, _SURE = 0.15, 0.1, 0.05  # what adds to the certainty: the call was stopped, the person says no
_KEYS = ("tool", "problem", "solution", "summary", "trigger", "quotes", "userCorrection")
_DO_NOT = r"(?:don'?t|do not|never|stop|avoid)"
_START = (
    r"(?:^|[,;:(–—] *|\b(?:and|but|so|because|then) )(?:(?:please|pls|also|actually|just|you should|no)\b[ ,]*){0,2}"
)
_ACT = r"(?:use|run|commit|push|merge|edit|touch|delete|install|deploy|mock|skip|ask|assume|guess|stash|force|amend)"
_IDLE = (
    r"(?!(?:worry|think|know|see|understand|care|need|have|mind|like|forget|get|be|want|believe|remember|look|seem|work"
    r"|let|wait|even|really|give|add|show|change|move|put|make|remove|include|the|a)\b)"
)
# How a permanent rule is worded, and how certain it is that it also applies next time.
_RULES = {
    r"\b(?:from now on|going forward|from here on|as a (?:general )?rule)\b(?!,? (?:the|this|it|a|i)\b)": 0.8,
    rf"{_START}(?:you must |we |i want you to |remember to )?(?:always|never(?: ever)?) (?!mind|know|be\b)[a-z]": 0.8,
    rf"{_START}{_DO_NOT} \w.{{1,60}}\b(?:unless|without) (?:i|me|my|you|ask|explicit|being|permission|telling)": 0.75,
    rf"{_START}only {_ACT}\b.{{0,60}}\b(?:when|if|after) (?:i|we|asked|told|you)\b": 0.7,
    r"\b(?:should|must|may) never (?:be )?\w+": 0.75,
    rf"{_START}we (?:don'?t|do not|never|only) {_ACT} \S": 0.65,
    r"\b(?:in|for) (?:this|our) (?:repo(?:sitory)?|project|code ?base|team),? (?:we|you|always|never|only|use)\b": 0.65,
    rf"{_START}(?:use|run|prefer) \S+(?: \S+)?,? (?:instead of|not|rather than) \S+": 0.55,
    rf"{_START}(?:stop|quit|no more) (?!being|going)\w+ing \S": 0.55,
    rf"^(?:(?:and|please|you) )*(?:don'?t|do not) (?:ever )?{_IDLE}[a-z]+ (?!(?:the|that|this|it|them|any)\b)\S": 0.55,
    rf"\b(?:better|best|prefer|rather|safer) (?:you )?(?:not to|to not|not(?! to)) {_IDLE}\w+ \S": 0.6,
    r"\b(?:test|check|verify|try|reproduce) (?:\w+ ){0,3}yourself\b": 0.55,
    r"\bi(?:'ve| have)?(?: already)? (?:told you|asked you|said)\b.{0,20}\b(?:not to|to use|never|don'?t)\b": 0.6,
    r"\bevery time you \w+|\bwhenever you (?!want|like|can)\w+|\bnext time,? (?!i\b|it\b)\w+": 0.6,
}
# About this moment, a doubt, a question or a condition: no rule.
_NO_RULE = re.compile(
    r"\b(?:may ?be|perhaps|might|possibly|what if|not sure|for now|for today|this (?:one|time|pr|ticket|issue|page)|yet"
    r"|just this once|currently|button|screen|modal|users?|customers?|seems?|looks like)\b|\?\s*$|#\d"
    r"|^(?:can|could|would|will|is|are|do|does|did|why|what|how|where|which|who)\b(?!n't| not\b)",
    re.IGNORECASE,
)
# Pasted: an issue, a log, a mail, code.
_PASTED = re.compile(
    r"```|~~~|\bTraceback \(|^\s*(?:at \S+ ?\(|File \"|[$>%❯➜] |[-+]{3} )|[;{}]\s*$|=>|\b\d{1,2}:\d{2}:\d{2}\b"
    r"|^\W?(?:INFO|WARN\w*|ERROR|DEBUG|FATAL|PASS|FAIL)\b|\b\w*(?:Error|Exception|Warning): |^(?:#\d|[A-Z]{2,9}-\d+)"
    r"|https?://\S+/(?:issues?|pulls?)/|:[ \t]*\n\s*\S|^\W*(?:issue|title|from|subject|summary|steps|expected)\W*:",
    re.MULTILINE,
)
_FOREIGN = (*"/ < > { [ | + # @@".split(), "$ ", "% ", "- ", "* ", "• ", "1. ", "1) ")
_ENDS = re.compile(r"(?<=[.!?])\s+|(?<=[.!?][\"')\]])\s+|\n+")
_OBJECTION = re.compile(r"^\W*(?:no+|nope|nah|wait|stop|hey|whoa|hold on)\b", re.IGNORECASE)
_OPENING = re.compile(
    r"^(?:(?:no+|nope|wait|hey|ok(?:ay)?|yes|but|so|well|also|please|actually)\b[\s,:;!.-]*)+", re.IGNORECASE
)
_WORD = re.compile(r"[^\W_](?:[\w.@/+'-]*[\w+])?")
_NOT = frozenset("not no never don't dont shouldn't mustn't can't cannot avoid stop without".split())
_EMPTY = frozenset(
    """a an the this that these those it its i me my we our us you your they them is are was were be been do does have
    has had will would can could should must to of in on at by for from with as than then so and or but if when
    whenever because while just only also too always ever every each any all time now again next please use used
    using run make sure need want instead rather there here what which how let get go going told said""".split()
)


def correction(text: str, sureness: str, action: Step | None, stopped: bool) -> Correction | None:
    """Returns the rule in its own words; `stopped`: the person had just stopped or refused the action."""
    text = COLOUR.sub("", text.strip().replace("’", "'"))
    lines = text.splitlines()
    if action is None or not 3 < len(text) <= _LONGEST_REMARK or len(lines) > _MOST_LINES:
        return None
    if any(line.lstrip().startswith(_FOREIGN) for line in lines) or _PASTED.search(text):
        return None
    best, rule = max(((_certainty(part), part) for part in map(_bare, _ENDS.split(text))), key=lambda pair: pair[0])
    if not best or not same_rule(rule) - {"not"}:
        return None
    best += (_OBJECTS if _OBJECTION.match(text) else 0) + (_STOPPED if stopped else 0)
    best += _SURE if sureness == "sure" else 0
    return Correction(rule[:_LONGEST_RULE].rstrip(" ,;:!."), round(min(0.95, best), 2))


def same_rule(rule: str) -> frozenset[str]:
    """Returns the content words of a rule, to compare rules by shared words; includes `not` if it forbids."""
    words = {word.lower() for word in _WORD.findall(rule)}
    return frozenset((words - _EMPTY - _NOT) | ({"not"} if words & _NOT else set()))


def candidates(history: History, changed: bool) -> Made:
    """Rebuilds all candidates if one was added or removed: there are few."""
    if not changed:
        return Made([], set(), {})
    tools = history.episodes.corrected_tools
    made = [_candidate(name, rows, tools(rows)) for name, rows in grouped_corrections(history)]
    return Made(made, {candidate.fingerprint for candidate in made}, history.candidates.evidence(CORRECTION))


def grouped_corrections(history: History) -> list[tuple[str, list[CorrectionRow]]]:
    """Returns what people said about the same rule, with its fingerprint."""
    groups = grouped(history.episodes.corrections(), lambda row: ("", row.rule), same_rule, _ALIKE)
    return [(fingerprint("say-", rule), rows) for (_, rule), rows in groups]


def _certainty(sentence: str) -> float:
    if " " not in sentence or sentence.count(" ") >= _MOST_WORDS or _NO_RULE.search(sentence):
        return 0.0
    return max((certainty for pattern, certainty in _compiled() if pattern.search(sentence)), default=0.0)


@cache
def _compiled() -> list[tuple[re.Pattern[str], float]]:
    return [(re.compile(pattern, re.IGNORECASE), certainty) for pattern, certainty in _RULES.items()]


def _bare(sentence: str) -> str:
    return _OPENING.sub("", " ".join("".join(sign if sign.isprintable() else " " for sign in sentence).split()))


def _candidate(name: str, rows: Sequence[CorrectionRow], tools: Sequence[str]) -> CandidateRow:
    surest = max(rows, key=lambda row: row.sureness)
    rule = surest.rule
    document = CandidateDocument(
        tool=tools[0] if tools else "",
        problem=f"A person corrected the agent: “{rule}”",
        solution=f"Keep to what was said: “{rule}”",
        summary=rule if len(rule) <= LONGEST_SUMMARY else rule[:LONGEST_SUMMARY].rpartition(" ")[0],
        quotes=[Quote(error=row.rule) for row in rows[:3]],
        user_correction=True,
    )
    prompts, confidence = [(row.key, row.tool_use_id) for row in rows], min(_HIGHEST, surest.sureness)
    return CandidateRow(name, CORRECTION, "correction", document.text(*_KEYS), confidence, (), prompts)
