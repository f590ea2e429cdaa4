"""What a person typed after a call of the agent in; the durable rule that it states out, which most do not."""

import re
from collections.abc import Iterator

from lessons.capture.corrections.bounds import (
    asks,
    doubts,
    generality,
    gives_task,
    points_at_something,
    points_at_this_work,
    task_follows,
    without_reason,
)
from lessons.capture.corrections.shape import Shape
from lessons.capture.corrections.shapes import SHAPES
from lessons.capture.corrections.text import Sentence, sentences
from lessons.capture.corrections.words import same_rule
from lessons.capture.corrections.work import speaks_of_work
from lessons.episode import Correction, Step

_LONGEST_RULE = 200
# Of a hundred.
_ENOUGH = 50
_CONTRAST = 65
_HABITUAL = 65  # from here on it tells a habit, whatever moment its words point at
_STANDS = 75  # from here on the words themselves say that the rule is meant for ever
_SUREST = 95

_OBJECTION = re.compile(
    r"\W*(?:(?:ok|okay|hmm+|oh|uh|um)\W+)?(?:no+|nope|nah|wait|stop|hey|whoa|hold on)\b", re.IGNORECASE
)
_MEANT = re.compile(r"i\s+(?:meant|said)\b|use\b", re.IGNORECASE)
_CONTRASTED = re.compile(r"\b(?:instead\s+of|rather\s+than|not|over|use)\s+`?([\w@./-]{2,40})", re.IGNORECASE)
_LAST_NAMED = re.compile(r"\bnot\s+(?:with\s+|via\s+)?`?([\w@-]{2,30})(?:[ _][\w@-]{1,30}){0,2}`?[.!]*$", re.IGNORECASE)
_IT_IS = re.compile(r"^(?:it|that)(?:'?s|\s+is)\s+", re.IGNORECASE)
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
    if doubts(plain):
        return 0
    return max((_of_shape(*fit, plain, action, after_task) for fit in _fitting(plain, asking, objects)), default=0)


def _of_shape(shape: Shape, found: re.Match[str], plain: str, action: Step, after_task: bool) -> int:
    rule = without_reason(plain, found.start(), found.end())
    stands = shape.points >= _STANDS
    pointing = points_at_something(rule) if shape.points >= _HABITUAL else points_at_this_work(rule)
    if pointing if shape.generic else task_follows(plain[found.end() :]):
        return 0
    if not (shape.of_agent or speaks_of_work(plain[: found.start()] + rule) or _contrasts(rule, action)):
        return 0
    points = shape.points
    # What follows a task is a condition of that task.
    if not stands and (after_task or (found.start() > 0 and gives_task(plain))):
        points -= 25
    return points + (0 if stands else _manner(shape, rule, action))


def _names_another(plain: str, action: Step) -> bool:
    """Whether it ends in the name of the program that was run as what it should not have been: "pnpm, not npm"."""
    plain = _IT_IS.sub("", plain)
    named = _LAST_NAMED.search(plain) if plain.count(" ") < _FEW_WORDS and not points_at_this_work(plain) else None
    return named is not None and _holds(action, named[1])


def _fitting(plain: str, asking: bool, objects: bool) -> Iterator[tuple[Shape, re.Match[str]]]:
    lowered = plain.lower()
    for shape in SHAPES:
        if (asking and not shape.may_ask) or (shape.objecting and not objects):
            continue
        if any(cue in lowered for cue in shape.cues) and (found := shape.find(plain)) is not None:
            yield shape, found


def _manner(shape: Shape, rule: str, action: Step) -> int:
    """What the wording of the rule and the call that it answers add to its sureness."""
    if shape.name == "told-you":
        return 0
    if shape.name not in ("use-instead", "no-use"):
        return generality(rule)
    # Without saying instead of what, it is likely about the text that was written.
    vague = rule.rstrip(".! ").endswith("instead")
    return (10 if _contrasts(rule, action) else 0) - (15 if vague else 0)


def _contrasts(rule: str, action: Step) -> bool:
    """Whether it names something of the call that was made as what it should not have been."""
    return any(_holds(action, word) for word in _CONTRASTED.findall(rule))


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
