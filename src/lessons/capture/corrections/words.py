"""The words that say what a rule is about: equal for the same rule in other words."""

import re

_WORD = re.compile(r"[^\W_](?:[\w.@/+'-]*[\w+])?")
_NOT = frozenset("not no never don't dont doesn't shouldn't mustn't can't cannot avoid stop quit without".split())
# Words of a rule that say nothing about its subject.
_EMPTY = frozenset(
    """a an the this that these those it its i'm i me my we our us you your they them their he she his her i've i'd
    i'll is are was were be been being am do does did doing done have has had having will would can could should
    must may might shall to of in on at by for from with as into onto than then so and or but if when whenever
    because since while just only also too always ever every each any all some time times now again next please
    pls ok okay use used using run make sure need want like instead rather there here what which who how why one
    thing things stuff way keep let get got go going told said asked know think remember mind yes yeah no hmm
    wait hey well really still already better best own out up it's that's you're we're yourself don future
    forward general rule""".split()
)


def same_rule(rule: str) -> frozenset[str]:
    """Returns the content words of a rule, to compare rules by shared words; includes `not` if it forbids."""
    words = {word.lower() for word in _WORD.findall(rule.replace("’", "'"))}
    content = {_stem(word) for word in words - _EMPTY - _NOT if len(word) > 1 or word.isdigit()}
    return frozenset(content | ({"not"} if words & _NOT else set()))


def _stem(word: str) -> str:
    """Reduces `files`, `committing` and `committed` to `file` and `commit`; names with a dot or digit stay."""
    if not word.isalpha():
        return word
    for ending, shortest in (("ing", 6), ("ed", 5), ("ies", 5), ("es", 5), ("s", 4)):
        if word.endswith(ending) and len(word) >= shortest and not word.endswith("ss"):
            stem = word[: -len(ending)]
            if ending == "es" and not stem.endswith(("s", "x", "z", "ch", "sh")):
                return stem + "e"
            if ending == "ies":
                return stem + "y"
            return stem[:-1] if ending in ("ing", "ed") and len(stem) > 3 and stem[-1] == stem[-2] else stem
    return word
