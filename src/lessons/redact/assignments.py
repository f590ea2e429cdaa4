"""Finds secrets that a name announces: in an assignment, a flag, a sentence, a table or the previous line."""

import re
from bisect import bisect_left

from lessons.redact.spans import Span
from lessons.redact.values import (
    is_jumbled,
    is_mixed,
    is_random,
    is_random_assignment,
    is_random_key,
    is_secret_if_bare,
    is_secret_if_quoted,
    is_stand_in,
    name_words,
    strength_of_name,
)

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
    ("psk", r"psk(?<![a-z0-9]psk)"),
    ("key", r"key(?<=[ \-_]key)"),
)
_SPACED = r"(?:[\"'`][ \t]{1,2}(?=[\"'`])|[ \t]{1,2})(?:(?:changed |set |reset |rotated )?to |are |-value )?"
_NEXT_LINE = r"(?:[ \t]is)?:?[ \t]?(?:\r?\n[-=]{3,40})?(?:\r?\n){1,2}[ \t]{0,8}"
# A command that sets a name: a blank links it to its value as `=` does.
_SETTING = re.compile(
    r"(?<![\w.])(?:(?:config:|env:|--)?set(?:env|x|-env|-item|-environment)?|config(?:ure)?|put|write|modify|new-item"
    r"|with-env)(?![\w.])"
)
_LONGEST_SETTING = 120
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
# The seed phrase of a wallet: a dozen words or two without articles and conjunctions, perhaps numbered.
_SEED_NAME = re.compile(
    r"(?:mnemonic|(?:seed|recovery|backup|secret|passphrase)[ _\-]?(?:phrase|words)|\bseed\b(?=[\"' ]{0,2}[:=]))"
    r"\.?[a-z]{0,12}[^a-z]{0,12}(?:(?:is|are)[^a-z]{1,12})?"
)
_SEED_WORDS = re.compile(r"(?<![a-z])[a-z]{3,8}(?:(?: |, | ?\d{1,2}[.)] ?| \d{1,2}[.)] )[a-z]{3,8}){11,23}(?![a-z])")
_NO_SEED_WORDS = frozenset("the and are for not from has was its per but too".split())
_OWNER = re.compile(r"([A-Za-z]{2,20})[ \-_]$")
_CODE = re.compile(r"[(){}\[\]=;$&]|\w@\w+\.|::|://|->|\.\w+\(|^[./~@#%]|^[A-Za-z]:[/\\]")
_MEASURE = re.compile(r"\d+(?:[.,:\-]\d+)*[a-z%]{0,10}(?:-[a-z]+)*")
_WORD_AND_NUMBER = re.compile(r"[A-Za-z]+(?:[-_./][A-Za-z0-9]+)*")


def announced_secrets(text: str, lower: str) -> list[Span]:
    """`lower` is the text in lower case, with every character at the same index."""
    spans: list[Span] = []
    settings: list[int] = []
    for literal, pattern in _ANNOUNCED:
        if literal not in lower:
            continue
        for match in pattern.finditer(lower):
            start, value = match.start(4), text[match.start(4) : match.end(4)].rstrip(".,;:!?)]}*")
            linked, spaced = match[2] is not None, match[3] is not None
            if spaced and not settings:
                settings = [found.start() for found in _SETTING.finditer(lower)] or [len(lower)]
            if spaced and text[start] not in "-/(" and _is_set(lower, settings, match.start()):
                linked, spaced = True, False
            strength = _strength(text, match, spaced)
            quoted = text[start - 1] in "\"'`" and not value.isalpha()
            if strength and (
                _is_secret(value, strength, linked, spaced)
                or (quoted and match[2] and strength == "password" and _is_quoted_password(value))
            ):
                spans.append((start, start + len(value), "password" if strength == "password" else "secret"))
    return spans + _announced(text, lower)


def _is_set(lower: str, settings: list[int], position: int) -> bool:
    """Whether a command that sets a name stands before the position in its line, not far away."""
    index = bisect_left(settings, position) - 1
    nearest = position - _LONGEST_SETTING
    return index >= 0 and settings[index] >= max(nearest, lower.rfind("\n", max(0, nearest), position))


def _announced(text: str, lower: str) -> list[Span]:
    spans: list[Span] = []
    for pattern in (_AFTER_WORDS, *_PAIRS):
        for match in pattern.finditer(lower):
            value = text[match.start(1) : match.end(1)].rstrip(".,;:!?)*")
            if is_mixed(value) and is_random(value, 8) and not _CODE.search(value.rstrip("=")):
                spans.append((match.start(1), match.start(1) + len(value), "password"))
    if "mnemonic" in lower or "phrase" in lower or "words" in lower or "seed" in lower:
        spans += _seed_phrases(lower)
    return spans


def _seed_phrases(lower: str) -> list[Span]:
    spans: list[Span] = []
    name = _SEED_NAME.search(lower)
    while name:
        phrase = _SEED_WORDS.match(lower, name.end())
        words = [word for word in name_words(phrase[0]) if not word.isdigit()] if phrase else []
        if phrase and len(words) in (12, 15, 18, 21, 24) and _NO_SEED_WORDS.isdisjoint(words):
            spans.append((*phrase.span(), "secret"))
        name = _SEED_NAME.search(lower, phrase.end() if phrase else name.end())
    return spans


def _strength(text: str, match: re.Match[str], spaced: bool) -> str:
    word = match[1]
    spaced = spaced and text[match.end(3) : match.end(3) + 1] not in ("'", '"', "`")
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


# Judge only the start of a value: limits how much a hostile text makes us read twice.
_JUDGED = 200
_LONGEST_NAME = 60
_NAME_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.")

_TAIL = (
    r"[a-z0-9_.\-]{0,32}(?:\\{0,8}[\"'`]|\*\*)?[\]}]?[ \t]{0,8}"
    r"(:[ \t]{0,4}[a-z_.\[\]| ]{1,40}=(?=[ \t]{0,4}\\{0,8}[\"'])|=>|:=|[!=]==?|=|:(?!:)|>"
    r"|(?:string|&str|char\*?)[ \t]{0,4}=(?=[ \t]{0,4}\\{0,8}[\"'])"
    r"|(?:[,(]|\|\||\?\?|,[ \t]?with:|\){1,2}\.(?:send_?keys|type|fill|set)\()(?=[ \t]{0,4}\\{0,8}[\"']))"
    r"(?:\*\*)?[ \t]{0,8}"
)
_NAMED = tuple(
    (word, re.compile(word + _TAIL))
    for word in ("pass", "pw", "secret", "token", "key", "cred", "auth", "cookie", "psk")
)
_SETTER = re.compile(r"(?:[\w.]*\.)?(?:(?:[sS]et|change|update|reset|with|use)(?:_|[A-Z])|(?<=\.)password$)")
_FLAG = re.compile(r"-(?:-|(?<=[ \t]-)(?=[A-Za-z_]{3}))([A-Za-z0-9][A-Za-z0-9_.\-]{0,40})[ \t]{1,8}(?=[^\s\-(])")
_FLAG_WORDS = frozenset(
    "flag flags option options argument parameter to is and or in for with if value on from as when".split()
)
# Between operator and value: a line break, the sign of a YAML block, or an object with one telling field.
_BEFORE_VALUE = re.compile(
    r"(?:some|string::from|secretstr|buffer\.from)\((?=\\{0,8}[\"'])"
    r"|(?:[>|][+\-]?\d?[ \t]{0,4}|\([ \t]{0,4})?(?:(?:\r?\n|(?:\\+r)?\\+n)[ \t]{0,40}){1,2}(?=\S)"
    r"|\{(?:\s|\\+n){0,20}(?:\\{0,8}[\"'])?(?:value|default|stringvalue|plaintext)(?:\\{0,8}[\"'])?"
    r"[ \t]{0,4}[:=][ \t]{0,4}",
    re.IGNORECASE,
)
_FIRST_BETWEEN = ("{", ">", "|", "\n", "\r", "\\", "(", "S", "B")
_QUOTE = re.compile(r"[rbfunRBFUN]{0,2}(\\{0,64})([\"'`])")
_BARE = re.compile(r"(?:[^\s\"'`\\<>&]|\\(?![nrt\"'\\\s])|&(?![\w.\-]{1,60}=))+")
_LONG_VALUES = tuple(
    re.compile(
        operator + r"[ \t]{0,4}(?:\\{0,8}[\"'`])?(?=[A-Za-z0-9+/_%\-]{20})"
        r"([A-Za-z0-9+/_\-]*+(?:%(?:2[BF]|3D)[A-Za-z0-9+/_\-]*+)*+={0,2})(?![\w(.])"
    )
    for operator in "=:"
)
# A name and its value in two fields: `name: API_TOKEN` and below it `value: x`; searched in lower case.
_PAIR = re.compile(
    r"(?:name|key)(?:\\{0,8}[\"'])?[ \t]{0,4}[:=][ \t]{0,4}(?:\\{0,8}[\"'])?([a-z0-9_.\-]{3,60})(?:\\{0,8}[\"'])?,?"
    r"(?:\s|\\+[nrt]){0,40}(?:\\{0,8}[\"'])?value(?:\\{0,8}[\"'])?[ \t]{0,4}[:=](?:\s|\\+[nrt]){0,20}"
    r"(?:\\{0,8}([\"']))?"
)
_BETWEEN = frozenset("\"'`\\] \t:=")


def named_secrets(text: str, lower: str) -> list[Span]:
    """`lower` is the text in lower case, with every character at the same index."""
    spans = [span for word, pattern in _NAMED if word in lower for span in _secrets_of(text, lower, pattern)]
    return spans + _paired_secrets(text, lower) if "value" in lower else spans


def _paired_secrets(text: str, lower: str) -> list[Span]:
    spans: list[Span] = []
    for match in _PAIR.finditer(lower):
        name, begin = text[match.start(1) : match.end(1)], match.end()
        if strength_of_name(name):
            end = _closing_quote(text, begin, 0, match[2]) if match[2] else _bare_end(text, begin, len(text))
            if is_secret_if_quoted(name, text[begin : min(end, begin + _JUDGED)].rstrip("\\")):
                spans.append((begin, end, _kind(name)))
    return spans


def random_values(text: str) -> list[Span]:
    # The public members of a JSON web key.
    public = ("n", "x", "y") if "kty" in text else ()
    return [
        (match.start(1), match.end(1), "high-entropy")
        for pattern in _LONG_VALUES
        for match in pattern.finditer(text)
        if (name := _name_before(text, match.start())) not in public and is_random_assignment(name, match[1][:_JUDGED])
    ]


def _secrets_of(text: str, lower: str, pattern: re.Pattern[str]) -> list[Span]:
    spans: list[Span] = []
    end = 0
    for match in pattern.finditer(lower):
        if match.start() < end:
            continue
        span = _secret_after(text, match)
        if span:
            spans.append(span)
            end = span[1]
    return spans


def _secret_after(text: str, match: re.Match[str]) -> Span | None:
    start = _name_start(text, match.start())
    name = text[start : match.start(1)].rstrip("\"'`\\] \t")
    if name.lower() in ("key", "keys") and text[start - 1 : start] == " ":  # `API key: x`
        owner = _name_start(text, start - 1)
        name = f"{text[owner : start - 1]}_{name}"
    if name == "key" and text[start - 1 : start] in ("?", "&"):
        end = _bare_end(text, match.end(), match.end() + _LONGEST_NAME)
        secret = is_random_key(text[match.end() : end], 12)
        return (match.end(), _bare_end(text, match.end(), len(text)), "secret") if secret else None
    if text[start - 10 : start] == "[redacted:" or not strength_of_name(name):
        return None
    if "arn:" in text[max(0, start - 120) : start].rpartition(" ")[2]:
        return None  # the name of a resource, `arn:aws:…:secret:name`
    if match[1] == ">" and not _is_element(text, start, match.end()):
        return None
    if match[1] == "(" and not _SETTER.match(name):
        return None
    if text.startswith("-", match.end()) and match[1] == ":" and text[start - 2 : start] == "${":
        begin, end = match.end() + 1, text.find("}", match.end() + 1, match.end() + _JUDGED)
        secret = end > begin and is_secret_if_quoted(name, text[begin:end].partition(" ")[0])
        return (begin, end, _kind(name)) if secret else None
    return _value_after(text, name, match)


def _is_element(text: str, start: int, end: int) -> bool:
    """Whether it is an element such as `<password>x</password>` or `<setting name="Token">x</setting>`."""
    opened = text[start - 1 : start] == "<" or text[max(0, start - 6) : max(0, start - 1)] in ("name=", " key=")
    return opened and "</" in text[end : end + 200]


def _value_after(text: str, name: str, match: re.Match[str]) -> Span | None:
    begin = match.end()
    between = _BEFORE_VALUE.match(text, begin) if text[begin : begin + 1] in _FIRST_BETWEEN else None
    begin = between.end() if between else begin
    if between and between[0][0] not in "{>|" and not _stands_alone(text, begin):
        return None
    begin, end, is_quoted = _value_at(text, begin)
    is_argument = match[1][0] in ",()|?"
    if is_quoted:
        value = text[begin:end]
        secret = is_secret_if_quoted(name, value) and (not is_argument or _has_digit(value) or is_jumbled(value))
    elif between:
        secret = is_secret_if_quoted(name, text[begin:end])
    else:
        secret = not is_argument and _bare_is_secret(text, name, match, begin, end)
    if not secret or end <= begin:
        return None
    return begin, end if is_quoted else _bare_end(text, begin, len(text)), _kind(name)


def _stands_alone(text: str, begin: int) -> bool:
    """Whether a value in a line of its own is quoted, or drawn at random: not a nested name, a tag or the next row."""
    begin, end, is_quoted = _value_at(text, begin)
    if is_quoted:
        return text[end + 1 : end + 8].lstrip("\"' \t")[:1] != ":"
    value = text[begin:end]
    return (is_random(value, 10) or is_jumbled(value)) and text[end : end + 1] in ("", "\r", "\n", "<", "\\")


def _value_at(text: str, begin: int) -> tuple[int, int, bool]:
    """Returns where the value starts and ends, of a long bare one only the start, and whether it is quoted."""
    quote = _QUOTE.match(text, begin)
    if quote:
        return quote.end(), _closing_quote(text, quote.end(), len(quote[1]), quote[2]), True
    return begin, _bare_end(text, begin, begin + _JUDGED), False


def _bare_is_secret(text: str, name: str, match: re.Match[str], begin: int, end: int) -> bool:
    value = text[begin : min(end, begin + _JUDGED)]
    attached = match[1] == "=" and begin == match.end(1) and text[match.start(1) - 1] in _NAME_LETTERS
    following = text[end : end + 1]
    rest = text[end : end + 80].lstrip(" \t")
    ends_line = following not in (",", ")") if attached else rest[:1] in ("", "\n", "\r", '"', "'", "\\", "<", "`")
    if name.startswith("--") and attached:
        strength = strength_of_name(name)
        if strength == "key":
            return is_random_key(value)
        return not is_stand_in(value) and len(value) >= 3 and strength != "weak"
    return is_secret_if_bare(name, value, attached, ends_line or (value != value.rstrip(";") and attached))


def flag_secrets(text: str) -> list[Span]:
    spans: list[Span] = []
    for match in _FLAG.finditer(text):
        strength = strength_of_name(match[1])
        if not strength:
            continue
        begin, end, is_quoted = _value_at(text, match.end())
        if end <= begin:
            continue
        value = text[begin : min(end, begin + _JUDGED)]
        worded = value.isalpha() and strength != "password" and len(value) < 8
        is_path = value.startswith(("id=", "/", "./", "~/", "pass:")) or value[1:3] in (":\\", ":/")
        if len(value) < 3 or is_stand_in(value) or value in _FLAG_WORDS or worded or is_path:
            continue
        if strength == "key" and not is_random_key(value):
            continue
        if strength != "weak" or _has_digit(value):
            spans.append((begin, end if is_quoted else _bare_end(text, begin, len(text)), _kind(match[1])))
    return spans


def _has_digit(value: str) -> bool:
    return any(letter.isdigit() for letter in value)


def _kind(name: str) -> str:
    return "password" if strength_of_name(name) == "password" else "secret"


def _name_start(text: str, position: int) -> int:
    """Returns where the name that ends at this position starts; excludes the n of an escaped newline."""
    start = position
    least = max(0, position - _LONGEST_NAME)
    while start > least and text[start - 1] in _NAME_LETTERS:
        start -= 1
    if start and text[start - 1] == "\\" and text[start : start + 1] in ("n", "r", "t") and start < position:
        start += 1
    return start


def _name_before(text: str, position: int) -> str:
    end = position
    least = max(0, position - _LONGEST_NAME)
    while end > least and text[end - 1] in _BETWEEN:
        end -= 1
    return text[_name_start(text, end) : end]


def _closing_quote(text: str, begin: int, depth: int, quote: str) -> int:
    """Returns the end of a quoted value: the same quote with no more backslashes than the opening one, else the line's
    end.
    """
    position = text.find(quote, begin)
    limit = begin + 20 * _JUDGED
    while begin <= position <= limit:
        slashes = 0
        while position - slashes > begin and text[position - slashes - 1] == "\\":
            slashes += 1
        if slashes <= depth or (depth == 0 and slashes % 2 == 0):
            return position - slashes if depth else position
        position = text.find(quote, position + 1)
    line_end = text.find("\n", begin, limit)
    return min(line_end if line_end >= 0 else limit, len(text))


def _bare_end(text: str, begin: int, limit: int) -> int:
    match = _BARE.match(text, begin, limit)
    end = match.end() if match else begin
    while end > begin and text[end - 1] in ",;)|}]":
        end -= 1
    return end
