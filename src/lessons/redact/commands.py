"""Finds the secrets that commands and headers give away: `curl -u`, `Bearer`, cookies."""

import re
from collections.abc import Iterable

from lessons.redact.spans import Span
from lessons.redact.values import is_random, is_stand_in, strength_of_name

_VALUE = r"(?:\\*[\"'])?([^\s\"'\\\-][^\s\"'\\]*)"
_OPTIONS = r"[^\n|;]{0,300}?[ \t]"

# literal that must be in the text, where the secret is (group 1). All are searched in lower case.
_COMMANDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("secrets", re.compile(r"secrets[ \t]+set[ \t]+(?:-\S+[ \t]+){0,4}\w+=(?:\\*[\"'])?([^\s\"'\\]+)")),
    ("login ", re.compile(r"\blogin[ \t]+\S{1,100}\s+password[ \t]+([^\s\"'\\]+)")),
    ("/p:", re.compile(r"[ \t]/p:(?:\\*[\"'])?([^\s\"'\\]+)")),
    ("net use", re.compile(r"\bnet[ \t]+use\b[^\n|;]{0,200}?/user:\S{1,100}[ \t]+([^\s/*\"'][^\s\"']*)")),
    ("net use", re.compile(r"\bnet[ \t]+use[ \t]+\S{1,200}[ \t]+([^\s/*\"'\\][^\s\"']*)[ \t]+/user:")),
    ("auth", re.compile(r"auth(?<=\d> auth)[ \t]+([^\s\"']{4,})")),
    (":", re.compile(r":(?:5[34]\d\d|6432|\*):[^:\s]{1,63}:[^:\s/]{1,63}:([^\s:/\"'][^\s\"']*)")),
    (
        "define",
        re.compile(
            r"define\(\s{0,8}\\*[\"']\w{0,40}(?:key|salt|password|secret|token)\\*[\"']\s{0,20},\s{0,20}\\*[\"']([^\"'\\]{6,200})"
        ),
    ),
    (
        "send",
        re.compile(r"ssword[^\n\"']{0,20}\\*[\"'](?:[\s;{]|\\n){0,20}send[ \t]+(?:--[ \t]+)?\\*[\"']([^\"'\\\s]+)\\"),
    ),
)
# What is piped into a command that reads a password.
_PIPED = tuple(
    re.compile(
        rf"\b{speaker}[ \t]+(?:-[ne]+[ \t]+)?(?:\\*[\"']%s(?:\\+n)?\\*[\"'][ \t]+)?(?:\\*[\"'])?([^\s\"'\\|]+)"
        r"(?:\\*[\"'])?[ \t]{0,4}\|[^\n|;]{0,200}?"
        r"(?:--password-stdin|\bsudo[ \t]+-[a-z]{0,4}s\b|\bchpasswd\b|\bpasswd[ \t]+--stdin|\bsecret[ \t]+set\b)"
    )
    for speaker in ("echo", "printf")
)
_PIPED_INTO = ("-stdin", "sudo -", "chpasswd", "secret set")
# Programs with an option of one dash for a password.
_OPTION_COMMANDS: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    ("p", "sshpass", re.compile(rf"sshpass[ \t]+(?:-[ve][ \t]+){{0,2}}-p[ \t]*{_VALUE}")),
    (
        "p",
        "mysql",
        re.compile(r"mysql(?:dump|admin|import|check)?\b[^\n|;]{0,300}?[ \t]-p(?:\\*[\"'])?([^\s\"'\\\-][^\s\"'\\]*)"),
    ),
    ("p", "mariadb", re.compile(r"mariadb(?:-dump)?\b[^\n|;]{0,300}?[ \t]-p(?:\\*[\"'])?([^\s\"'\\\-][^\s\"'\\]*)")),
    (
        "p",
        "login",
        re.compile(
            rf"(?:docker|podman|buildah|skopeo|az|helm registry|oc)[ \t]+login\b[^\n|;]{{0,300}}?[ \t]-p[ \t=]*{_VALUE}"
        ),
    ),
    ("p", "mongo", re.compile(rf"mongo(?:sh|dump|restore|export|import)?\b[^\n|;]{{0,300}}?[ \t]-p[ \t]+{_VALUE}")),
    ("a", "redis-cli", re.compile(rf"redis-cli\b[^\n|;]{{0,200}}?[ \t]-a[ \t]+{_VALUE}")),
    (
        "b",
        "htpasswd",
        re.compile(rf"htpasswd[ \t]+-\w*b\w*[ \t]+(?:-\w+[ \t]+)?\S{{1,100}}[ \t]+\S{{1,100}}[ \t]+{_VALUE}"),
    ),
    ("bsd", "htpasswd", re.compile(rf"htpasswd[ \t]+-\w*n\w*[ \t]+\S{{1,100}}[ \t]+{_VALUE}")),
    ("p", "pass:", re.compile(r"[ \t]-pass(?:in|out)?[ \t]+(?:\\*[\"'])?pass:([^\s\"'\\]+)")),
    ("b", "secret", re.compile(rf"secrets?[ \t]+set\b[^\n|;]{{0,200}}?[ \t](?:-b|--body)[ \t=]*{_VALUE}")),
    ("p", "7z", re.compile(rf"\b7z[ar]?\b{_OPTIONS}-p{_VALUE}")),
    ("p", "rar", re.compile(rf"\b(?:un)?rar\b{_OPTIONS}-h?p{_VALUE}")),
    ("w", "ldap", re.compile(rf"\bldap[a-z]{{3,8}}\b{_OPTIONS}-w[ \t]+{_VALUE}")),
    (
        "u",
        "client",
        re.compile(rf"(?:smb|rpc)client\b{_OPTIONS}-u[ \t=]*(?:\\*[\"'])?[^\s%\"']{{1,100}}%([^\s\"'\\]+)"),
    ),
    ("u", "lftp", re.compile(rf"\blftp\b{_OPTIONS}-u[ \t]+(?:\\*[\"'])?[^\s,\"']{{1,100}},([^\s\"'\\]+)")),
    ("p", "ncftp", re.compile(rf"\bncftp[a-z]{{0,5}}\b{_OPTIONS}-p[ \t]+{_VALUE}")),
    ("p", "cqlsh", re.compile(rf"\bcqlsh\b{_OPTIONS}-p[ \t]+{_VALUE}")),
    ("p", "twine", re.compile(rf"\btwine\b{_OPTIONS}-p[ \t]+{_VALUE}")),
    ("p", "rdesktop", re.compile(rf"\brdesktop\b{_OPTIONS}-p[ \t]+{_VALUE}")),
    ("k", "openssl", re.compile(rf"\bopenssl[ \t]+enc\b{_OPTIONS}-k[ \t]+{_VALUE}")),
    ("pksd", "pass", re.compile(rf"[ \t]-(?:(?:src|dest)?storepass|keypass|passwd|password|passphrase)[ \t]+{_VALUE}")),
)
_OPTION = re.compile(r"[ \t]-(?:h?([puwkasd])|(?:n)?[a-z]?(b)|-(b)ody)")
# Programs whose -P is a password and -p something else; searched in the text as it is.
_CAPITAL_P: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (program, re.compile(rf"\b{pattern}\b{_OPTIONS}-P[ \t]*{_VALUE}"))
    for program, pattern in (
        ("sqlcmd", "sqlcmd"),
        ("bcp", "bcp"),
        ("ipmitool", "ipmitool"),
        ("mosquitto_", "mosquitto_[ps]ub"),
        ("zip", "(?:un)?zip"),
    )
)
_IDENTIFIED = re.compile(r"identified\s+(?:with\s+\S{1,60}\s+)?by\s+(?:password\s+)?\\*[\"']([^\"'\\]+)")
_SQL_PASSWORD = re.compile(r"password\s{1,8}(?:=\s{0,8})?\\*'([^'\\]+)")
_SQL_USER = re.compile(r"(?:alter|create)\s+(?:user|role|login|group)\s[^;]*$|(?:with|encrypted)\s+$")
_SQL = re.compile(r"(?:create|alter|grant)\s")
_CONFIGURED = re.compile(
    r"config(?:ure)?[ \t]+set[ \t]+(?:--?[a-z\-]{1,30}[ \t]+){0,4}([^\s\"'=]{3,200})[ \t=]+(?:\\*[\"'])?([^\s\"'\\]+)"
)
_CURL_USER = re.compile(
    r"-(?:(?<=[ \t]-)[a-z]{0,8}u|-user|-proxy-user)[ \t=]*(?:\\*[\"'])?[^\s:\"'$<>]{1,100}:([^\s\"'\\]+)"
)
_CURL_COOKIE = re.compile(r"-(?:(?<=[ \t]-)b|-cookie)[ \t=]*(?:\\*[\"'])?(?=[^\s=\"'\\/]{1,100}=)")
_BEARER = re.compile(r"bearer(?:[ +]|%20)(?:\\*[\"'])?([a-z0-9_\-.~+/=]{12,})")
_AUTHORIZATION = re.compile(
    r"authorization(?:\\*[\"'`])?\]?[ \t]{0,4}[:=,][ \t]{0,4}(?:\\*[\"'`])?"
    r"(?:(?:bearer|basic|token|api-?key|digest|negotiate|key|bot|ghtoken)[ \t]{1,4})?([a-z0-9_\-.~+/=:!@#%^&*$<{]{3,})"
)
_COOKIE = re.compile(
    r"cookie2?(?:\\*[\"'`])?\]?[ \t]{0,4}[:=,][ \t]{0,4}(?:\\*[\"'`])?(?=[^\s=;,:\"'\\()]{1,100}=[^=\s])"
)
_COOKIE_LINE = re.compile(r"(?:[^\n\r\"'`\\]|\\(?![nr\"']))*")
_COOKIE_PAIR = re.compile(r"([^\s=;,]{1,100})=([^;\s]+)")
_COOKIE_ATTRIBUTES = frozenset("path domain expires max-age samesite version priority".split())


def command_secrets(text: str, lower: str) -> list[Span]:
    """`lower` is the text in lower case, every character in its place."""
    spans: list[Span] = []
    for literal, pattern in _COMMANDS:
        if literal in lower:
            spans += [
                _span(match, "password") for match in pattern.finditer(lower) if not is_stand_in(_value(text, match))
            ]
    if "|" in lower and any(reader in lower for reader in _PIPED_INTO):
        found = [match for pattern in _PIPED for match in pattern.finditer(lower)]
        spans += [_span(match, "password") for match in found if not is_stand_in(_value(text, match))]
    letters = {match[match.lastindex or 0] for match in _OPTION.finditer(lower)}
    if letters:
        spans += _option_secrets(text, lower, letters)
    if "identified" in lower:
        spans += _identified(text, lower)
    if "password" in lower:
        spans += [
            _span(match, "password")
            for match in _SQL_PASSWORD.finditer(lower)
            if not is_stand_in(_value(text, match))
            and _SQL_USER.search(lower[max(0, match.start() - 200) : match.start()])
        ]
    if "config set" in lower or "configure set" in lower:
        spans += _configured(text, lower)
    if "curl" in lower or "wget" in lower:
        spans += _curl_secrets(text, lower)
    if "bearer" in lower:
        spans += [_span(match, "bearer") for match in _BEARER.finditer(lower) if _is_credential(_value(text, match))]
    if "authorization" in lower:
        headers = _AUTHORIZATION.finditer(lower)
        spans += [_span(match, "authorization") for match in headers if _is_credential(_value(text, match))]
    if "cookie" in lower:
        spans += _cookies(text, _COOKIE.finditer(lower))
    return spans


def _option_secrets(text: str, lower: str, letters: set[str]) -> list[Span]:
    """`letters`: which of the options that may hold a password occur."""
    spans = [
        _span(match, "password")
        for options, literal, pattern in _OPTION_COMMANDS
        if not letters.isdisjoint(options) and literal in lower
        for match in pattern.finditer(lower)
        if not is_stand_in(_value(text, match))
    ]
    for literal, pattern in _CAPITAL_P if "p" in letters else ():
        if literal in lower:
            spans += [_span(match, "password") for match in pattern.finditer(text) if not is_stand_in(match[1])]
    return spans


def _value(text: str, match: re.Match[str]) -> str:
    return text[match.start(1) : match.end(1)]


def _span(match: re.Match[str], kind: str) -> Span:
    return match.start(1), match.end(1), kind


def _identified(text: str, lower: str) -> list[Span]:
    """`IDENTIFIED BY 'x'`; in prose, too, something is identified by a quoted word."""
    return [
        _span(match, "password")
        for match in _IDENTIFIED.finditer(lower)
        if not is_stand_in(_value(text, match))
        and (
            text[match.start() : match.start() + 10].isupper()
            or any(letter.isdigit() for letter in match[1])
            or _SQL.search(lower, max(0, match.start() - 200), match.start())
        )
    ]


def _configured(text: str, lower: str) -> list[Span]:
    """`npm config set NAME VALUE` and its likes, where the name says secret."""
    spans: list[Span] = []
    for match in _CONFIGURED.finditer(lower):
        value = text[match.start(2) : match.end(2)]
        strength = strength_of_name(text[match.start(1) : match.end(1)][-60:])
        if not is_stand_in(value) and (strength == "password" or (strength and _is_credential(value))):
            spans.append((match.start(2), match.end(2), "password" if strength == "password" else "secret"))
    return spans


def _is_credential(value: str) -> bool:
    """Not a stand-in, not a word: something a header would carry to prove who is asking."""
    if is_stand_in(value) or value[0] in "$<{%" or "${" in value or len(value) < 6:
        return False
    if any(letter.isdigit() for letter in value):
        return not re.fullmatch(r"[a-z]+_?[0-9]?", value)
    return (
        is_random(value, 12) or value.endswith("=") or (len(value) >= 12 and value.isalpha() and not _is_worded(value))
    )


def _is_worded(value: str) -> bool:
    """camelCase and plain words: capitals only where a word starts."""
    return re.fullmatch(r"[A-Z]?[a-z]{2,}(?:[A-Z][a-z]{2,})*", value) is not None


def _curl_secrets(text: str, lower: str) -> list[Span]:
    spans = []
    for match in _CURL_USER.finditer(lower):
        value = _value(text, match)
        # `-u 1000:1000` is a user and a group for docker.
        if not is_stand_in(value) and not (value.isdigit() and len(value) <= 5):
            spans.append(_span(match, "password"))
    return spans + _cookies(text, _CURL_COOKIE.finditer(lower))


def _cookies(text: str, headers: Iterable[re.Match[str]]) -> list[Span]:
    """The values of every header, each line read once however often the word stands in it."""
    spans: list[Span] = []
    position = 0
    for header in headers:
        if header.end() >= position:
            line = _COOKIE_LINE.match(text, header.end())
            position = line.end() if line else header.end()
            spans += _cookie_values(text, header.end(), position)
    return spans


def _cookie_values(text: str, start: int, end: int) -> list[Span]:
    return [
        (pair.start(2), pair.end(2), "cookie")
        for pair in _COOKIE_PAIR.finditer(text, start, end)
        if pair[1].lower() not in _COOKIE_ATTRIBUTES and not is_stand_in(pair[2]) and not pair[2].endswith((")", "("))
    ]
