"""What a person typed after a call of the agent in; the durable rule that it states out, which most do not."""

import re

from lessons.capture.correction_bounds import (
    asks,
    doubts,
    generality,
    gives_task,
    points_at_something,
    points_at_this_work,
    task_follows,
    without_reason,
)
from lessons.capture.correction_shapes import SHAPES, Shape
from lessons.capture.correction_text import Sentence, sentences
from lessons.capture.correction_words import same_rule
from lessons.episode import Correction, Step

_LONGEST_RULE = 200
# Of a hundred.
_ENOUGH = 50
_CONTRAST = 65
_STANDS = 75  # from here on the words themselves say that the rule is meant for ever
_SUREST = 95

_OBJECTION = re.compile(
    r"\W*(?:(?:ok|okay|hmm+|oh|uh|um)\W+)?(?:no+|nope|nah|wait|stop|hey|whoa|hold on)\b", re.IGNORECASE
)
_MEANT = re.compile(r"i\s+(?:meant|said)\b|use\b", re.IGNORECASE)
_CONTRASTED = re.compile(r"\b(?:instead\s+of|rather\s+than|not|over|use)\s+`?([\w@./-]{2,40})", re.IGNORECASE)
_LAST_NAMED = re.compile(r"\bnot\s+(?:with\s+|via\s+)?`?([\w@-]{2,30})(?:[ _][\w@-]{1,30}){0,2}`?[.!]*$", re.IGNORECASE)
_FEW_WORDS = 12
# A full stop or dash may belong to a name: ".env", "--force", "git add .".
_EDGES = re.compile(r"^[\s,;:!–—]+|(?:[\s,;:!–—]|(?<=\S)[.]|\s-)+$")


def correction(text: str, sureness: str, action: Step | None, stopped: bool) -> Correction | None:
    """The rule that the text states, in its own words; `stopped`: the person had just stopped or refused the action."""
    remarks = sentences(text) if action is not None else []
    if action is None or not remarks:
        return None
    objects = _OBJECTION.match(text) is not None
    best, chosen, after_task = 0, 0, False
    for number, remark in enumerate(remarks):
        points = _points(remark, action, objects, after_task)
        if points > best:
            best, chosen = points, number
        after_task = after_task or remark.asks or gives_task(remark.plain)
    best += (10 if objects else 0) + (15 if stopped else 0) if best else 0
    rule = _rule(remarks, chosen) if best >= _ENOUGH else ""
    if not same_rule(rule) - {"not"}:
        return None
    return Correction(rule, min(_SUREST, best + (5 if sureness == "sure" else 0)) / 100)


def _points(remark: Sentence, action: Step, objects: bool, after_task: bool) -> int:
    """How sure it is that the sentence is a rule; 0 where it has no shape of one or is about this work only."""
    plain = remark.plain
    if " " not in plain:
        return 0
    asking = remark.asks or asks(plain)
    if not asking and _names_another(plain, action):
        return _CONTRAST
    fitting = _fitting(plain, asking, objects)
    if fitting is None or doubts(plain):
        return 0
    shape, found = fitting
    rule = without_reason(plain, found.start(), found.end())
    points = shape.points
    stands = points >= _STANDS
    pointing = points_at_something(rule) if stands else points_at_this_work(rule)
    if pointing if shape.generic else task_follows(plain[found.end() :]):
        return 0
    # What follows a task is a condition of that task.
    if not stands and (after_task or (found.start() > 0 and gives_task(plain))):
        points -= 25
    return points + (0 if stands else _manner(shape, rule, action))


def _names_another(plain: str, action: Step) -> bool:
    """Whether it ends in the name of the program that was run as what it should not have been: "pnpm, not npm"."""
    named = _LAST_NAMED.search(plain) if plain.count(" ") < _FEW_WORDS and not points_at_this_work(plain) else None
    return named is not None and _holds(action, named[1])


def _fitting(plain: str, asking: bool, objects: bool) -> tuple[Shape, re.Match[str]] | None:
    lowered = plain.lower()
    for shape in SHAPES:
        if (asking and not shape.may_ask) or (shape.objecting and not objects):
            continue
        for cue in shape.cues:
            if cue in lowered and (found := shape.find(plain)) is not None:
                return shape, found
    return None


def _manner(shape: Shape, rule: str, action: Step) -> int:
    """What the wording of the rule and the call that it answers add to its sureness."""
    if shape.name not in ("use-instead", "no-use"):
        return generality(rule)
    spoken_of = any(_holds(action, word) for word in _CONTRASTED.findall(rule))
    # After an edit, or without saying instead of what, it is likely about the text that was written.
    vague = not action.command or rule.rstrip(".! ").endswith("instead")
    return (10 if spoken_of else 0) - (15 if vague else 0)


def _holds(action: Step, word: str) -> bool:
    """Whether the call that was made holds the word, as a word."""
    return word in action.command and re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", action.command) is not None


def _rule(remarks: list[Sentence], chosen: int) -> str:
    """The sentence, and the one after it where that says what was meant."""
    words = remarks[chosen].words
    if chosen + 1 < len(remarks) and _MEANT.match(remarks[chosen + 1].plain):
        words = f"{words} {remarks[chosen + 1].words}"
    words = _EDGES.sub("", words)
    if len(words) > _LONGEST_RULE:
        words = words[: words.rfind(" ", 0, _LONGEST_RULE) if " " in words[:_LONGEST_RULE] else _LONGEST_RULE]
    return _EDGES.sub("", words)
