"""One redaction pass over a text that may contain secrets of certain families."""

import re

from lessons.redact import shapes
from lessons.redact.assignments import announced_secrets, flag_secrets, named_secrets, random_values
from lessons.redact.commands import command_secrets
from lessons.redact.gates import Suspects, around_joiners, has_capital, has_dotted
from lessons.redact.spans import Span, Text
from lessons.redact.values import is_id, is_jumbled, is_mixed, is_public_id, is_random, is_stand_in

_LONGEST_SHORT_LINE = 200
_SHORTEST_TOKEN = 24
_MOST_KEY_LINES = 400
_LONGEST_KEY = 20_000


def swept(whole: Text, found: Suspects) -> str:
    if found.tokens:
        whole.cut(_private_keys(whole.text))
        _cut_tokens(whole)
    if found.urls:
        whole.cut(_url_passwords(whole.text))
    text = whole.text
    spans = random_values(text) if found.long_values else []
    if found.named:
        lower = _lower(text)
        spans += command_secrets(text, lower) + named_secrets(text, lower) + flag_secrets(text)
        spans += announced_secrets(text, lower)
    whole.cut(spans)
    return whole.restored()


def _lower(text: str) -> str:
    """Lower-cases without moving characters (one Unicode capital becomes two characters)."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text.replace("İ", "I").lower()


def _cut_tokens(whole: Text) -> None:
    around = around_joiners(whole.text)
    if around:
        for kind, literal, pattern in shapes.JOINED_TOKENS:
            if literal in around:
                whole.cut(_found(kind, pattern, whole.text))
    tokens = shapes.OTHER_TOKENS
    if has_capital(whole.text):
        tokens += shapes.CAPITAL_TOKENS
    if has_dotted(whole.text):
        tokens += shapes.DOTTED_TOKENS
    for kind, name, pattern in tokens:
        if name in whole.text:
            whole.cut(_found(kind, pattern, whole.text))
    if shapes.DISCORD_TAIL.search(whole.text):
        whole.cut(_found("discord-token", shapes.DISCORD_TOKEN, whole.text))
    if "[redacted:aws-key-id]" in whole.text:
        values = ((span, whole.text[span[0] : span[1]]) for span in _found("aws-secret", shapes.AWS_SECRET, whole.text))
        whole.cut([span for span, value in values if is_random(value) and not value.islower()])
    for name, pattern in shapes.KEY_PARTS:
        if name in whole.text:
            whole.cut([(match.start(1), match.end(1), "private-key") for match in pattern.finditer(whole.text)])
    if around:
        keys = [(at.start() - shapes.HEX_BEFORE, at.end(), "token") for at in shapes.HEX_KEY_TAIL.finditer(whole.text)]
        whole.cut(_prefixed_runs(whole.text) + keys)


def _found(kind: str, pattern: re.Pattern[str], text: str) -> list[Span]:
    return [(match.start(), match.end(), kind) for match in pattern.finditer(text)]


def _prefixed_runs(text: str) -> list[Span]:
    spans: list[Span] = []
    for match in shapes.PREFIXED_RUN.finditer(text):
        run = match[1] or match[2]
        prefix = shapes.PREFIX_OF_RUN.search(text, max(0, match.start() - 50), match.start())
        if prefix and is_mixed(run) and is_random(run) and not is_public_id(prefix[1] + text[match.start()]):
            spans.append((prefix.start(1), match.start() + 1 + len(run), "token"))
    return spans


def _private_keys(text: str) -> list[Span]:
    if "PRIVATE KEY" not in text:
        return []
    spans: list[Span] = []
    begin = shapes.PRIVATE_KEY_BEGIN.search(text)
    while begin:
        position = begin.end()
        following = shapes.PRIVATE_KEY_BEGIN.search(text, position)
        limit = following.start() if following else len(text)
        found = shapes.PRIVATE_KEY_END.search(text, position, limit)
        end = found.end() if found else 0
        if not end and shapes.PRIVATE_KEY_LINE.search(text, position, min(position + 200, limit)):
            end = _end_of_broken_key(text, position, limit)
        if end:
            spans.append((begin.start(), end, "private-key"))
        begin = following
    return spans + _tail_of_key(text)


def _tail_of_key(text: str) -> list[Span]:
    """Finds a key whose start was cut off: the lines before its end marker, as far back as they have base64."""
    end = shapes.PRIVATE_KEY_END.search(text)
    if not end or shapes.PRIVATE_KEY_BEGIN.search(text, 0, end.start()):
        return []
    ends = [
        window.span()
        for window in shapes.PRIVATE_KEY_LINE_END.finditer(text, max(0, end.start() - _LONGEST_KEY), end.start())
    ]
    starts = [max(0, end.start() - _LONGEST_KEY), *(stop for _, stop in ends)]
    start = end.start()
    # The line of the marker may have a number or a quote mark; the line before it may be short.
    for line_start, line_end in zip(reversed(starts[:-1]), (begin for begin, _ in reversed(ends)), strict=True):
        is_rest = start == end.start() and line_end - line_start <= _LONGEST_SHORT_LINE
        if not shapes.PRIVATE_KEY_LINE.search(text, line_start, line_end) and not is_rest:
            break
        start = line_start
    return [(start, end.end(), "private-key")] if start < end.start() else []


def _end_of_broken_key(text: str, position: int, limit: int) -> int:
    """Returns where a key without an end marker stops; each of its lines may start with a number or a mark."""
    body = shapes.PRIVATE_KEY_BODY.match(text, position, limit)
    end = body.end() if body else position
    for _ in range(_MOST_KEY_LINES):
        separator = shapes.PRIVATE_KEY_LINE_END.search(text, position, limit)
        stop = separator.start() if separator else limit
        if shapes.PRIVATE_KEY_LINE.search(text, position, stop):
            end = max(end, stop)
        elif not shapes.PRIVATE_KEY_LINE_BETWEEN.fullmatch(text, position, min(stop, position + _LONGEST_SHORT_LINE)):
            if shapes.PRIVATE_KEY_LAST_LINE.fullmatch(text, position, stop):
                return max(end, stop)
            padded = shapes.PRIVATE_KEY_PADDED.match(text, position, stop)  # the sentence that quotes the key continues
            return max(end, padded.end()) if padded else end
        if not separator:
            break
        position = separator.end()
    return end


def _url_passwords(text: str) -> list[Span]:
    spans: list[Span] = []
    for match in shapes.URL_PASSWORD.finditer(text):
        if _is_url_password(match[2]):
            spans.append((match.start(2), match.end(2), "url-password"))
        if len(match[1]) >= _SHORTEST_TOKEN and is_random(match[1]):  # https://TOKEN:x-oauth-basic@host
            spans.append((match.start(1), match.end(1), "url-password"))
    spans += [
        (match.start(2), match.end(2), "url-password")
        for match in shapes.URL_PASSWORD_WITH_SLASH.finditer(text)
        if _is_url_password(match[2])
    ]
    spans += [
        (m.start(), m.end(), "url-password") for m in shapes.URL_TOKEN.finditer(text) if any(c.isdigit() for c in m[0])
    ]
    for host in shapes.DSN_HOST.finditer(text):
        before = re.split(r"[\s\"'`]", text[max(0, host.start() - _LONGEST_SHORT_LINE) : host.start()])[-1]
        _, colon, password = before.partition(":")
        is_clear = host[0] != "@/" or any(c.isdigit() for c in password) or is_jumbled(password)
        if colon and len(password) >= 3 and is_clear and not is_stand_in(password):
            spans.append((host.start() - len(password), host.start(), "url-password"))
    found = [(path, 2) for path in shapes.HOOK_PATH.finditer(text)]
    for match, group in (*found, *((key, 1) for key in shapes.HOOK_KEY.finditer(text))):
        # A UUID below a plural is the public id of a hook.
        if is_random(match[group], 16) or (is_id(match[group]) and (group == 1 or not match[1])):
            spans.append((*match.span(group), "webhook"))
    return spans


def _is_url_password(value: str) -> bool:
    return not is_stand_in(value) or value.lower() in {"password", "secret", "token"}
