"""Quotes an error in a sentence, and finds the fix that it proposes itself."""

import re
from itertools import takewhile

from lessons.capture.wording.text import cut, unticked, with_short_homes
from lessons.failure.layers import innermost

_PREFIX = re.compile(
    r"(?:\([\w-]+\):\d+: |(?:/\S+/)?(?:ba|z|da|k)?sh:(?: line)? ?\d*:? )?"
    r"(?:npm (?:error|err!) |(?:fatal|error)(?:\[\w+\])?: *)*",
    re.IGNORECASE,
)
_LONG_PATH = re.compile(
    r"(?<![\w/.~@-])(?:~|[A-Za-z]:)?[\w.@+-]*(?:/[\w.@+*-]+){1,20}?(/[\w.@+*-]+/[\w.@+*-]+)(?![\w/.@+*-])"
)
_MEANT = re.compile(
    r"(?:did you mean|you (?:probably )?meant|similar (?:command|name|option)s? (?:is|are|exists?))", re.I
)
_QUOTED = re.compile(r"['\"`‘“]([^'\"`‘’“”]{1,80})['\"`’”]|(?:[:,] +|^[^\w'\"`‘“-]*)(-{0,2}\w[^\s'\"`‘“’”]{0,79}?)\??$")
_ADVICE = re.compile(
    r"(?:^|[.;,!?(] ?|\b(?:please|hint:|help:|tip:|or|to|you can|instead,?) )"
    r"(?:re-?run|run|use|try|pass|add|install|specify|provide|set|consider)\b(?=:| +\S)"
    r"|\binstead\b|\b(?:only|must) be (?:used|called|run)\b|\bit first\b"
    r"|\ballowed (?:values|roots|choices)\b|\bexpected one of\b|\bvalid \w+ are\b",
    re.IGNORECASE,
)
# Advice about something else: where help is, how to hide the message, how to bypass the check.
_NO_ADVICE = re.compile(
    r"help\b|more information|to (?:see|list|show|view) |this message|advice\.|skip (?:this|the)|not recommended"
    r"|no-verify|report|debug|verbose"
    r"|\(use \"git|log of|--force|--hard|really want|(?:at|own) (?:the |your )?risk|break-system|insecure|override",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"^npm (?:error|ERR!) +")
# Possible replacements of the wrong word.
_CHOICES = re.compile(
    r"(?:possible values:|choose from|(?:valid|allowed) (?:values|choices) are:?|expected one of:?) *([^\])\n]{3,})"
)
_LIST = re.compile(r"\b(?:[Aa]vailable|[Vv]alid|[Pp]ossible|[Ss]upported) \w+:$")
_NAME = re.compile(r"[A-Za-z][\w.-]{0,40}")
_HINT = re.compile(r"hint: *", re.IGNORECASE)
_USAGE = re.compile(r"\s*usage: *(\S.{3,})", re.IGNORECASE)


def spoken(line: str, limit: int) -> str:
    """Formats the telling line for the end of a sentence: no `error:` prefix, long paths cut, no backticks."""
    bare = _PREFIX.sub("", line, count=1) or line
    if bare.lower().strip("!. ") in ("error", "failed", "failure"):
        return ""
    return cut(innermost(_LONG_PATH.sub(r"…\1", with_short_homes(unticked(bare))), limit), limit).rstrip(" .:")


def proposal(lines: list[str], limit: int) -> tuple[str, str]:
    """Returns (`meant` or `choices`, names), (`advice`, a sentence), (`usage`, the syntax), or two empty texts."""
    lines = [_SPEAKER.sub("", line) for line in lines]
    following = [*lines, ""][1:]
    for kind, find in (("meant", _meant), ("choices", _choices), ("advice", _advice), ("usage", _usage)):
        if kind == "choices" and (text := _listed(lines)):
            return kind, cut(unticked(text), limit)
        for line, next_line in zip(lines, following, strict=True):
            if text := find(line, next_line):
                return kind, cut(_LONG_PATH.sub(r"…\1", with_short_homes(unticked(text))), limit)
    return "", ""


def _meant(line: str, next_line: str) -> str:
    heading = _MEANT.search(line)
    if heading is None:
        return ""
    found = _QUOTED.search(line[heading.end() :]) or _QUOTED.search(next_line)
    return found[1] or found[2] if found else ""


def _choices(line: str, next_line: str) -> str:
    found = _CHOICES.search(line)
    return found[1].strip() if found else ""


def _listed(lines: list[str]) -> str:
    """Returns the lines below `Available fields:`, each of them one name."""
    place = next((place for place, line in enumerate(lines) if _LIST.search(line)), None)
    if place is None:
        return ""
    names = list(takewhile(_NAME.fullmatch, (line.strip(" -*•") for line in lines[place + 1 :])))
    return ", ".join(names) if len(names) > 1 else ""


def _advice(line: str, next_line: str) -> str:
    """Returns the advice from the start of its sentence."""
    found = _ADVICE.search(line)
    if found is None or _NO_ADVICE.search(line):
        return ""
    said = line[line.rfind(". ", 0, found.start() + 1) + 1 :].strip()
    return _HINT.sub("", f"{said} {next_line}" if said.endswith((":", ",")) else said)


def _usage(line: str, next_line: str) -> str:
    found = _USAGE.match(line)
    return found[1] if found else ""
