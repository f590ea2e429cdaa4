"""Secrets announced by a sentence, a table or the previous line: `the token is X`, `| API key | X |`."""

import re

from lessons.redact.spans import Span
from lessons.redact.values import is_jumbled, is_mixed, is_random, is_stand_in, strength_of_name

# Between the telling word and the value. A link is strong evidence that the value is the secret; a space alone is weak.
_LINK = (
    r"(?:\*\*)?(?: for [^\n:|]{1,40}?)?"
    r"(?:[ \t]{1,3}(?:is|was|ist|=)(?:[ \t]?:)?[ \t]{1,3}|[ \t]{0,3}(?:\||->|→|=>)[ \t]{0,3})"
)
_QUOTES = r"(?:\\{0,8}[\"'`*]{1,2})?"
_VALUE = r"([^\s\"'`|<>\\]{6,200})"
_WORDS: tuple[tuple[str, str], ...] = (
    ("passw", r"passw(?:ord|ort|d)"),
    ("passphrase", r"passphrase"),
    ("pass ", r"pass(?<![a-z0-9]pass)"),
    ("pw", r"pw(?<![a-z0-9_]pw)d?"),
    ("token", r"token"),
    ("secret", r"secret"),
    ("key", r"key(?<=[ \-_]key)"),
)
_SPACED = r"[ \t]{1,2}(?:(?:changed |set |reset |rotated )?to |are )?"
_NEXT_LINE = r"[ \t]?\r?\n[ \t]{0,4}"
_ANNOUNCED = tuple(
    (literal, re.compile(rf"({word})(?:({_LINK})|({_SPACED})|{_NEXT_LINE}){_QUOTES}{_VALUE}"))
    for literal, word in _WORDS
)
# `password generated for root@localhost: X`: more words between, so the value must look random.
_AFTER_WORDS = re.compile(rf"pass(?:w(?:or)?d|phrase)[ \t][^\n:=|\"'`<>]{{2,60}}:[ \t]{{1,3}}{_QUOTES}{_VALUE}")
# `credentials: bob / X`
_PAIRS = tuple(
    re.compile(rf"{word}[ \t]?:[ \t]{{1,3}}[^\s:/\"'`]{{1,60}}[ \t]?[/:][ \t]?{_QUOTES}{_VALUE}")
    for word in ("cred(?:ential)?s?", "logins?")
)
# The seed phrase of a wallet.
_SEED_PHRASE = re.compile(
    r"(?:mnemonic|(?:seed|recovery|backup|secret|mnemonic)[ _\-]?(?:phrase|words))(?:\\{0,8}[\"'`])?[ \t]{0,3}"
    r"(?:is|[:=])[ \t]{0,3}(?:\\{0,8}[\"'`])?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z])"
)
_OWNER = re.compile(r"([A-Za-z]{2,20})[ \-_]$")
_CODE = re.compile(r"[(){}\[\]=;$&]|\w@\w+\.|::|://|->|\.\w+\(|^[./~@#%]")
_MEASURE = re.compile(r"\d+(?:[.,:\-]\d+)*[a-z%]{0,10}(?:-[a-z]+)*")
_WORD_AND_NUMBER = re.compile(r"[A-Za-z]+(?:[-_./][A-Za-z0-9]+)*")


def announced_secrets(text: str, lower: str) -> list[Span]:
    """`lower` is the text in lower case, with every character at the same index."""
    spans: list[Span] = []
    for literal, pattern in _ANNOUNCED:
        if literal not in lower:
            continue
        for match in pattern.finditer(lower):
            start, value = match.start(4), text[match.start(4) : match.end(4)].rstrip(".,;:!?)*")
            strength = _strength(text, match)
            linked, spaced = match[2] is not None, match[3] is not None
            quoted = text[start - 1] in "\"'`" and not value.isalpha()
            if strength and (
                _is_secret(value, strength, linked, spaced)
                or (quoted and linked and strength == "password" and _is_quoted_password(value))
            ):
                spans.append((start, start + len(value), "password" if strength == "password" else "secret"))
    return spans + _announced(text, lower)


def _announced(text: str, lower: str) -> list[Span]:
    spans: list[Span] = []
    for pattern in (_AFTER_WORDS, *_PAIRS):
        for match in pattern.finditer(lower):
            value = text[match.start(1) : match.end(1)].rstrip(".,;:!?)*")
            if is_mixed(value) and is_random(value, 8) and not _CODE.search(value.rstrip("=")):
                spans.append((match.start(1), match.start(1) + len(value), "password"))
    if "mnemonic" in lower or "phrase" in lower or "words" in lower:
        spans += [(match.start(1), match.end(1), "secret") for match in _SEED_PHRASE.finditer(lower)]
    return spans


def _strength(text: str, match: re.Match[str]) -> str:
    word = match[1]
    spaced = match[3] is not None and text[match.end(3) : match.end(3) + 1] not in ("'", '"', "`")
    if spaced and word != "password" and text[match.start() - 1 : match.start()] in ("-", "_", ".", "/"):
        return ""  # `-i ~/.ssh/deploy-key host`
    if word == "key":
        owner = _OWNER.search(text, max(0, match.start() - 22), match.start())
        return strength_of_name(f"{owner[1]}_key") if owner else ""
    return strength_of_name(word)


def _is_quoted_password(value: str) -> bool:
    return len(value) >= 8 and value != value.lower() and not is_stand_in(value) and not _CODE.search(value)


def _is_secret(value: str, strength: str, linked: bool, spaced: bool) -> bool:
    if len(value) < 6 or is_stand_in(value) or _CODE.search(value.rstrip("=")):
        return False
    if not any(c.isdigit() for c in value):
        return strength != "key" and is_jumbled(value)
    if _MEASURE.fullmatch(value.lower()):
        return False
    if strength == "password" and linked:
        return not _WORD_AND_NUMBER.fullmatch(value) or is_mixed(value) or is_random(value, 8) or value.isalnum()
    if strength == "key":
        return False
    return is_random(value, 8 if strength == "password" and (spaced or is_mixed(value)) else 16)
