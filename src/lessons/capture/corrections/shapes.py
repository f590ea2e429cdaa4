"""The shapes of a permanent rule in a person's sentence: how to recognise each, and its certainty out of a hundred."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from lessons.capture.corrections.patterns import compiled, rows

# Name, points, flags ("-": none), cues (try the pattern only if one of them is in the lower-case sentence; "_" is a
# space), pattern. First permanent rules, then prohibitions, how to do things, and general statements. fact: may be the
# reason for a task, and need not be general; question: counts in a question too; objecting: counts only after "no" and
# "wait"; agent: about the agent's behaviour, whatever its words; contrast: its object counts, not its verb; told:
# neither counts; call: only if it names what the call ran.
_SHAPES = r"""
from-now-on 80 - now_on|forward|here_on|rule
    \b(?:from now on|going forward(?! with)|from here on|as a (?:general )?rule(?! of))\b
    (?!,? (?:the|this|that|it|its|a|an|i)\b)
always 80 - always|never
    {START}(?:{YOU_SHOULD}|(?:you|we) |i want you to |remember to )(?:always|never(?: ever)?) {IDLE}[a-z]
every-time 60 - whenever|time \b(?:whenever|every time|each time) (?:you|we) \w+
next-time 60 - next_time (?:{START}next time,? (?!i\b|it\b)\w+|\S next time *[.!]*$)
here 60 fact this|our|whole|entire
    {HERE},? (?:(?:we|you) )?(?:only |always )?(?:use|run|write|keep|put|{DO_NOT}|never|always|only)\b
    |{HERE},? (?:[\w-]+ ){1,3}?(?:is|are) (?:made|done|run|written|generated|created|built)[ ]
    |\b(?:(?:we|you|{DO_NOT}|only|always|never) (?:use|run|write|keep|put)|{START}(?:prefer|keep|write|name)) .{3,100}
    {HERE}|\b(?:this|our) (?:repo|project|code ?base|mono-?repo|team) (?:only )?(?:uses|requires|needs|follows) \S
we-never 65 - dont|don't|do_not {START}we {DO_NOT} (?:{WORKING}|write|do|put|add|keep|allow|create|test) \S
we-use 65 - we_ {START}we (?:only )?(?:use|prefer|run|write|keep|put|follow|name|build|deploy) (?:\S+ ){1,6}?
    (?:here\b|instead\b|not |rather than )
not-unasked 75 fact,agent unless|without {START}(?:{DO_NOT}|never|stop|avoid) \w.{1,60}\b(?:unless|without)
    [ ](?:i|me|my|we|you|ask|explicit|being|permission|telling)
only-when 70 fact,agent only
    {START}(?:only {WORKING}|{WORKING} .{0,40}?\bonly)\b.{0,60}?\b(?:when|if|after) (?:i|we|asked|told|you)\b
told-you 65 told told|asked|said \b(?:i(?:'ve| have)?(?: already)? (?:told|asked) you|i(?: already)? said)\b.{0,20}?
    \b(?:not to|to use|to always|never|{DO_NOT}|no|to stop) \w
keep-doing 55 question,agent you_keep \byou keep (?!(?:gett|hav|be|go|fail|los)ing)\w+ing \w
must-never-be 75 - be_ \b(?:should|must|may|can)(?: never be (?:\w+ly )?{DONE}\b
    |(?: not|n'?t) (?:ever be {DONE}\b|be {DONE}\b.{0,30}\b(?:ever\b|by hand|manually)))
stop-doing 65 - stop|quit|avoid|more {START}(?:stop|quit|avoid|no more) (?!being|going)\w+ing \S
do-not 60 - dont|don't|do_not {START}(?:you )?{DO_NOT} (?:ever )?{IDLE}\w+ \S
want-not 60 - want \bi {DO_NOT} want (?:you to {IDLE}\w+|to {WORKING}) \S
better-not 60 - not \b(?:better|best|prefer|rather|safer) (?:you )?(?:not to|to not|not) {IDLE}\w+ \S
should-not 55 - not|n't|nt_ {START}(?:you|we|u) (?:should|must)(?: not|n'?t) (?:be (?=\w+ing))?{IDLE}\w+ \S
when-you 55 - when|if|before|after ^(?:when|if|before|after) (?:you|we)
    [ ](?!(?:are|'re|can|could|have|want|think|need|finish|get|feel|see|like|do)\b)\w+\b.{0,80}?,?
    [ ](?:always|run|use|make sure|{DO_NOT}|bump|regenerate|rebuild) \S
order 55 - before|after
    ^(?:before|after) (?:every |each )?(?:commit|push|merg|deploy|releas)\w*, (?:always )?{WORKING} \S
order 60 - before|after {START}{YOU_SHOULD}(?:{WORKING}|read|pull|test|check|source|activate) .{0,60}?\b(?:before|after)
    [ ](?:you |every |each |any )?(?:commit|push|every|each|any\b|you\b|edit|chang|install|deploy|build|run)
use-instead 55 contrast use|run|prefer|stick|through {START}{YOU_SHOULD}(?:use|run|prefer|go through|stick (?:to|with))
    [ ](?:(?:it|that) (?:with|via|through) )?{BARE}(?:\S+ ){0,4}?\S+?,?
    [ ](?:instead\b|not \S|rather than |over |(?<=, )no \S)
not-there 60 - use \bis(?:n't| not) (?:available|installed|allowed)\b.{0,30}?[,;.]? (?:so )?(?:please )?use {BARE}
no-use 60 objecting,contrast use|run {START}(?:use|run with) {BARE}\S+(?: (?!to\b|the\b)\S+){0,3}$
place 60 fact,agent not {IS_AT}{PLACE}\S*,? (?:and )?not (?:in |on |at |under |to )?\S
remember 60 - remember|mind|record
    {START}(?:remember|keep in mind|bear in mind|for the record)(?: that|[,:]) \S+ \S+ \S
yourself 55 fact,agent yourself (?:\byou (?:should|must|need to|have to) (?:\w+ )?|{START})
    (?:test|check|verify|run|try|look|read|debug|reproduce) [\w' ]{1,60}?(?<= )yourself\b
things-are 60 - not_|here|only|this|our|before|hand|_-
    {START}(?!(?:it|that|this|your|my)\b)(?:[\w./-]+ ){1,4}?
    (?:(?:is|are|gets?|{MUST})(?: be)? (?:always |only )?(?:\w+ed|{HANDLED})|go|live|belong|stay)\b.{0,60}?
    (?:\bnot |\bhere\b|\bonly\b|{HERE}|\bbefore (?:you|each|every|any|\w+ing)\b|\bby hand\b|(?<= )--?[a-z])
must-never 60 - never
    {START}(?!(?:the|this|that|it|a|an|he|she|they|i)\b)(?:[\w./-]+ ){1,4}?(?:must|should|may) never \w+ \S
each-needs 60 - every|each {START}(?:every|each) (?:[\w-]+ )?(?:test|commit|branch|migration|script|pr|package) needs \S
no-need-to-ask 60 fact,agent ask \byou (?:{DO_NOT} (?:need|have) to|needn'?t) ask\b
speak 60 agent _in_ {START}(?:answer|reply|respond|speak|talk|explain) (?:(?:to )?me )?(?:\w+ )?in
    [ ](?:\w+(?:ish|ese|ian)|german|french|dutch|korean)\b
none-in 60 - no_ ^no [\w-]+(?: [\w-]+)? in (?:[\w-]+ ){0,2}?
    (?:tests|commits|messages|branch(?:es| names)|migrations|scripts|prs|docs|docstrings|comments|code|files)\b
we-do 55 - we_ {START}we (?:always |only )?(?:squash|rebase|sign|lint|format|prefix|tag) (?!(?:the|this|that|it)\b)\S
use-ours 55 - use {START}use {BARE}[^ ,;]+(?: [^ ,;]+)?[,;] we \w
not-this 65 call not_ ^(?:(?:it|that)(?:'?s| is) )?(.*\bnot (?:with |via )?`?
    ([\w@-]{2,30})(?:[ _][\w@-]{1,30}){0,2}`?[.!]*$)
it-is 60 fact not_|here ^(?:it|that)(?:'?s| is) {BARE}\S+?,? not {BARE}\S+[.!]*$|\bhere it(?:'?s| is) `[^`]+`
claim 65 fact,agent without
    {START}(?:{DO_NOT}|never|stop) (?:tell|say|claim|report|mark|declar|assum)\w* .{2,60}?\bwithout[ ]
"""


class Shape(NamedTuple):
    """One way to state a rule; another language would be more rows of the table."""

    name: str
    points: int
    flags: list[str]
    cues: list[str]
    pattern: str


def fitting(sentence: str, asking: bool, objects: bool) -> Iterator[tuple[Shape, re.Match[str]]]:
    """Yields the shapes of a sentence, with their matches."""
    lowered = sentence.lower()
    for shape in _shapes():
        if (asking and "question" not in shape.flags) or ("objecting" in shape.flags and not objects):
            continue
        if any(cue in lowered for cue in shape.cues) and (found := compiled(shape.pattern).search(sentence)):
            yield shape, found


@cache
def _shapes() -> list[Shape]:
    return [
        Shape(name, int(points), flags.split(","), cues.replace("_", " ").split("|"), pattern)
        for (name, points, flags, cues), pattern in rows(_SHAPES, 4)
    ]
