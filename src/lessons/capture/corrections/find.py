"""Finds the permanent rule that a person states after a call of the agent; most messages state none."""

import re

from lessons.capture.corrections.pasted import is_pasted
from lessons.capture.corrections.patterns import compiled, search
from lessons.capture.corrections.sentences import Sentence, sentences
from lessons.capture.corrections.shapes import Shape, fitting
from lessons.capture.corrections.words import same_rule
from lessons.episode import Correction, Step

_LONGEST_RULE = 200
# Out of a hundred.
_ENOUGH_POINTS = 50
_HABITUAL = 65  # from here on it is a habit, even if its words refer to this moment
_STANDS = 75  # from here on the words themselves say that the rule is permanent
_SUREST = 95
_FEW_WORDS = 12
# A full stop or dash may belong to a name: ".env", "--force", "git add .".
_EDGES = re.compile(r"^[\s,;:!–—]+|(?:[\s,;:!–—]|(?<=\S)[.]|\s-)+$")


def correction(text: str, sureness: str, action: Step | None, stopped: bool) -> Correction | None:
    """Returns the rule in its own words; `stopped`: the person had just stopped or refused the action."""
    remarks = sentences(text) if action is not None else []
    if action is None or not remarks:
        return None
    objects = search("OBJECTS", text) is not None
    best, chosen, after_task = 0, 0, False
    for number, remark in enumerate(remarks):
        points = _points(remark, action, objects, after_task)
        if points > best:
            best, chosen = points, number
        after_task = after_task or remark.asks or search("TASK", remark.plain) is not None
    best += (10 if objects else 0) + (15 if stopped else 0) if best else 0
    # Whether it was pasted is asked last: that is the slowest check, and few messages state a rule.
    rule = _rule(remarks, chosen) if best >= _ENOUGH_POINTS and not is_pasted(text.strip()) else ""
    if not same_rule(rule) - {"not"}:
        return None
    return Correction(rule, min(_SUREST, best + (5 if sureness == "sure" else 0)) / 100)


def _points(remark: Sentence, action: Step, objects: bool, after_task: bool) -> int:
    """Scores how certain the sentence is a rule; 0 if it has no such shape or is about this work only."""
    plain = remark.plain
    if " " not in plain:
        return 0
    if search("DOUBTS", plain):
        return 0
    asking = remark.asks or search("ASKS", plain) is not None
    return max((_of_shape(*fit, plain, action, after_task) for fit in fitting(plain, asking, objects)), default=0)


def _of_shape(shape: Shape, found: re.Match[str], plain: str, action: Step, after_task: bool) -> int:
    if "call" in shape.flags:
        few = plain.count(" ") < _FEW_WORDS
        return shape.points if few and _holds(action, found[2]) and not search("POINTS_HERE", found[1]) else 0
    reason = search("REASON", plain, found.end())
    rule = plain[found.start() : reason.start() if reason else len(plain)]
    if "fact" in shape.flags:
        only_now = search("TASK_BEHIND", plain, found.end())  # it was the reason for that task
    else:
        only_now = search("POINTS" if shape.points >= _HABITUAL else "POINTS_HERE", rule)
    if only_now:
        return 0
    if not ("agent" in shape.flags or _is_about_work(plain[: found.start()] + rule) or _contrasts(rule, action)):
        return 0
    if shape.points >= _STANDS:
        return shape.points
    # A sentence after a task is a condition of that task.
    behind_task = after_task or (found.start() > 0 and search("TASK", plain))
    return shape.points - (25 if behind_task else 0) + _manner(shape, rule, action)


def _is_about_work(rule: str) -> bool:
    """Whether it names a tool, a branch, a test, a kind of file or the agent's behaviour, not a product's behaviour."""
    if search("SHOWN", rule):
        return False
    rule = rule.replace("_", " ")  # a quotation is one word for the shapes, but not here
    return bool(search("OF_WORK", rule) or (search("MAY_BE_WORK", rule) and not search("OF_PRODUCT", rule)))


def _manner(shape: Shape, rule: str, action: Step) -> int:
    """Returns the points that the rule's wording and the answered call add."""
    if "told" in shape.flags:
        return 0
    if "contrast" not in shape.flags:
        return _generality(rule)
    # Without saying instead of what, it is probably about the written text.
    vague = rule.rstrip(".! ").endswith("instead")
    return (10 if _contrasts(rule, action) else 0) - (15 if vague else 0)


def _generality(rule: str) -> int:
    """Returns the points for verb and object of a prohibition: a way of working, not a part of a product."""
    points = 10 if search("FORBIDS_WORKING", rule) else -10 if search("FORBIDS_CRAFTING", rule) else 0
    points += (20 if search("LASTS", rule) else 0) - (25 if search("FORBIDS_FILE", rule) else 0)
    if search("FORBIDS_THE", rule):
        return points - (20 if search("FORBIDS_SEVERAL", rule) else 30)
    return points - (10 if search("FORBIDS_ONE", rule) else 0)


def _contrasts(rule: str, action: Step) -> bool:
    """Whether it names part of the call as what should not have been used."""
    return any(_holds(action, found[1]) for found in compiled("{CONTRASTED}").finditer(rule))


def _holds(action: Step, word: str) -> bool:
    return word in action.command and re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", action.command) is not None


def _rule(remarks: list[Sentence], chosen: int) -> str:
    """Returns the sentence, with the next one if that says what was meant."""
    words = remarks[chosen].words
    if chosen + 1 < len(remarks) and search("MEANT", remarks[chosen + 1].plain):
        words = f"{words} {remarks[chosen + 1].words}"
    words = _EDGES.sub("", words)
    if len(words) > _LONGEST_RULE:
        words = words[: words.rfind(" ", 0, _LONGEST_RULE) if " " in words[:_LONGEST_RULE] else _LONGEST_RULE]
    return _EDGES.sub("", words)
