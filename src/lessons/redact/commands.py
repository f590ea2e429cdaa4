"""Finds secrets in command lines: passwords of common clients, headers and connection strings."""

import base64
import re
from collections.abc import Callable, Iterable

from lessons.redact.spans import Span
from lessons.redact.values import is_random, is_stand_in, strength_of_name

_QUOTE = r"(?:\\*[\"'])?"
_REST = r"([^\s\"'\\]+)"
_VALUE = _QUOTE + r"([^\s\"'\\\-][^\s\"'\\]*)"
_BETWEEN = r"[^\n|;]{0,300}?[ \t]"

# Text that must occur, then a pattern whose group 1 is the secret. All are searched in lower case.
_ARGUMENTS = (
    ("secrets", r"secrets[ \t]+set[ \t]+(?:-\S+[ \t]+){0,4}\w+=" + _QUOTE + _REST),
    ("login ", r"\blogin[ \t]+\S{1,100}\s+password[ \t]+" + _REST),
    ("/p:", r"[ \t]/p:" + _QUOTE + _REST),
    ("net use", r"\bnet[ \t]+use\b[^\n|;]{0,200}?/user:\S{1,100}[ \t]+([^\s/*\"'][^\s\"']*)"),
    ("net use", r"\bnet[ \t]+use[ \t]+\S{1,200}[ \t]+([^\s/*\"'\\][^\s\"']*)[ \t]+/user:"),
    ("auth", r"auth(?<=\d> auth)[ \t]+([^\s\"']{4,})"),
    (":", r":(?:5[34]\d\d|6432|\*):[^:\s]{1,63}:[^:\s/]{1,63}:([^\s:/\"'][^\s\"']*)"),
    (
        "define",
        r"define\(\s{0,8}\\*[\"']\w{0,40}(?:key|salt|password|secret|token)\\*[\"']\s{0,20},\s{0,20}\\*[\"']"
        r"([^\"'\\]{6,200})",
    ),
    ("send", r"ssword[^\n\"']{0,20}\\*[\"'](?:[\s;{]|\\n){0,20}send[ \t]+(?:--[ \t]+)?\\*[\"']([^\"'\\\s]+)\\"),
    (
        "rabbitmqctl",
        r"rabbitmqctl[ \t]+(?:-\S+[ \t]+){0,4}(?:add_user|change_password|authenticate_user)[ \t]+\S{1,100}[ \t]+"
        + _VALUE,
    ),
    ("vault login", r"vault login[ \t]+(?:-\S{1,60}[ \t]+){0,4}(?:token=)?(?=[a-z.]{0,30}\d)([a-z0-9._\-]{8,})"),
    ("sqlplus", r"sqlplus[ \t]+(?:-\S{1,20}[ \t]+){0,4}" + _QUOTE + r"\w{1,60}/([^\s@\"'/]+)@"),
    ("requirepass", r"requirepass[ \t]+" + _QUOTE + r"(?=[^\s\d]{0,60}\d)" + _REST),
    (
        "convertto-securestring",
        r"convertto-securestring[ \t]+(?:-(?:string|asplaintext|force)[ \t]+){0,3}\\*[\"']([^\"'\\$]+)",
    ),
    (
        "auth=(",
        r"auth=\(\s{0,8}\\*[\"'][^\"'\\]{1,100}\\*[\"']\s{0,4},\s{0,20}\\*[\"'](?=[a-z]{0,60}[^a-z\"'\\])([^\"'\\]{6,})",
    ),
    ("password(", r"(?<=[=\s]password\()\s{0,4}\\*'([^'\\]+)\\*'\)"),
    (
        "-oauth",
        r"-oauth\\*[\"']\s{0,4}:\s{0,4}\{\s{0,20}\\*[\"'][^\"'\\]{1,100}\\*[\"']\s{0,4}:\s{0,4}\\*[\"']([^\"'\\]{8,})",
    ),
)
# Input piped into a command that reads a password; a line that ends with a pipe continues.
_PIPED = tuple(
    re.compile(
        rf"\b{speaker}[ \t]+(?:-[ne]+[ \t]+)?(?:\\*[\"']%s(?:\\+n)?\\*[\"'][ \t]+)?(?:\\*[\"'])?([^\s\"'\\|]+)"
        r"(?:\\*[\"'])?[ \t]{0,4}\|(?:[ \t]{0,4}\r?\n)?[^\n|;]{0,200}?"
        r"(?:--password-stdin|\bsudo[ \t]+-[a-z]{0,4}s\b|\b(?:ch|smb)?passwd\b|\bsecret[ \t]+(?:set|put|create)\b"
        r"|--with-token|--passphrase-fd|\bkinit\b|\bcryptsetup\b)"
    )
    for speaker in ("echo", "printf")
)
_PIPED_INTO = (
    *("-stdin", "sudo -", "passwd", "secret set", "secret put", "secret create", "with-token", "passphrase-fd"),
    *("kinit", "cryptsetup"),
)
# Where a word begins: in a JSON string also after the letter of an escaped line end.
_START = r"(?:\b|(?<=\\[nrt]))"
# Programs with a single-dash option for a password: letters of the option, text that must occur, program, option and
# value.
_OPTIONS = (
    ("p", "sshpass", r"sshpass[ \t]+(?:-[ve][ \t]+){0,2}-p[ \t]*", _VALUE),
    ("p", "mysql", rf"mysql(?:dump|admin|import|check)?\b{_BETWEEN}-p", _VALUE),
    ("p", "mariadb", rf"mariadb(?:-dump)?\b{_BETWEEN}-p", _VALUE),
    ("p", "login", rf"(?:docker|podman|buildah|skopeo|az|helm registry|oc)[ \t]+login\b{_BETWEEN}-p[ \t=]*", _VALUE),
    ("p", "mongo", rf"mongo(?:sh|dump|restore|export|import)?\b{_BETWEEN}-p[ \t]+", _VALUE),
    ("a", "redis-cli", r"redis-cli\b[^\n|;]{0,200}?[ \t]-a[ \t]+", _VALUE),
    ("bn", "htpasswd", r"htpasswd[ \t]+-\w*b\w*[ \t]+(?:-\w+[ \t]+)?\S{1,100}[ \t]+\S{1,100}[ \t]+", _VALUE),
    ("bsdn", "htpasswd", r"htpasswd[ \t]+-\w*n\w*[ \t]+\S{1,100}[ \t]+", _VALUE),
    ("p", "pass:", r"[ \t]-pass(?:in|out)?[ \t]+" + _QUOTE + "pass:", _REST),
    ("b", "secret", r"secrets?[ \t]+set\b[^\n|;]{0,200}?[ \t](?:-b|--body)[ \t=]*", _VALUE),
    ("p", "7z", rf"{_START}7z[ar]?\b{_BETWEEN}-p", _VALUE),
    ("p", "rar", rf"{_START}(?:un)?rar\b{_BETWEEN}-h?p", _VALUE),
    ("w", "ldap", rf"{_START}ldap[a-z]{{3,8}}\b{_BETWEEN}-w[ \t]+", _VALUE),
    ("u", "client", rf"(?:smb|rpc)client\b{_BETWEEN}-u[ \t=]*{_QUOTE}[^\s%\"']{{1,100}}%", _REST),
    ("u", "lftp", rf"{_START}lftp\b{_BETWEEN}-u[ \t]+{_QUOTE}[^\s,\"']{{1,100}},", _REST),
    ("p", "ncftp", rf"{_START}ncftp[a-z]{{0,5}}\b{_BETWEEN}-p[ \t]+", _VALUE),
    ("p", "cqlsh", rf"{_START}cqlsh\b{_BETWEEN}-p[ \t]+", _VALUE),
    ("p", "twine", rf"{_START}twine\b{_BETWEEN}-p[ \t]+", _VALUE),
    ("p", "rdesktop", rf"{_START}rdesktop\b{_BETWEEN}-p[ \t]+", _VALUE),
    ("k", "openssl", rf"{_START}openssl[ \t]+enc\b{_BETWEEN}-k[ \t]+", _VALUE),
    ("w", "security", rf"security[ \t]+add-(?:generic|internet)-password\b{_BETWEEN}-w[ \t]+", _VALUE),
    ("a", "http", rf"{_START}https?[ \t](?:[^\n|;]{{0,200}}?[ \t])?-a[ \t]+{_QUOTE}[^\s:\"']{{1,100}}:", _REST),
    ("p", "-pw", r"[ \t]-pw[ \t]+", _VALUE),
    ("pksd", "pass", r"[ \t]-(?:(?:src|dest)?storepass|keypass|passwd|password|passphrase)[ \t]+", _VALUE),
)
_OPTION_SECRETS = tuple((letters, occurs, re.compile(before + value)) for letters, occurs, before, value in _OPTIONS)
_OPTION_LETTER = re.compile(r"[ \t]-(?:h?([puwkasdn])|(?:n)?[a-z]?(b)|-(b)ody)")
# Any program: `-u me … -p X`, in this order.
_USER_AND_PASSWORD = re.compile(
    rf"[ \t]-u[ \t=]*{_QUOTE}[^\s\"'\-][^\s\"']{{0,99}}[\"']?[ \t](?:[^\n|;]{{0,200}}?[ \t])?-p[ \t=]*{_VALUE}"
)
# Programs whose upper-case option is a password, unlike the lower-case one; searched in the original text.
_CAPITAL_OPTIONS = tuple(
    (program, re.compile(rf"{_START}{pattern}\b{_BETWEEN}-[{letters}][ \t]*{_VALUE}"))
    for program, pattern, letters in (
        ("sqlcmd", "sqlcmd", "P"),
        ("bcp", "bcp", "P"),
        ("ipmitool", "ipmitool", "P"),
        ("mosquitto_", "mosquitto_[ps]ub", "P"),
        ("zip", "(?:un)?zip", "P"),
        # In two rows: a match starts at the program, and one command may have both.
        ("snmp", "snmp[a-z]{2,12}", "A"),
        ("snmp", "snmp[a-z]{2,12}", "X"),
        ("ssh-keygen", "ssh-keygen", "N"),
    )
)


_IDENTIFIED = re.compile(r"identified\s+(?:with\s+\S{1,60}\s+)?by\s+(?:password\s+)?\\*[\"']([^\"'\\]+)")
_SQL_PASSWORD = re.compile(r"password\s{1,8}(?:=\s{0,8})?n?\\*'([^'\\]+)")
_SQL_USER = re.compile(r"(?:alter|create)\s+(?:user|role|login|group)\s[^;]*$|(?:with|encrypted)\s+$")
_SQL = re.compile(r"(?:create|alter|grant)\s")
_CONFIGURED = re.compile(
    r"config(?:ure)?[ \t]+(?:set|--[a-z\-]{1,20})[ \t]+(?:--?[a-z\-]{1,30}[ \t]+){0,4}"
    r"([^\s\"'=]{3,200})[ \t=]+(?:\\*[\"'])?([^\s\"'\\]+)"
)
# A line of a Dockerfile.
_ENVIRONMENT = re.compile(r"env(?<![a-z0-9_.\-/]env)[ \t]+([a-z][a-z0-9_]{2,60})[ \t]+(?:\\*[\"'])?([^\s\"'\\]+)")
# App-specific passwords of Apple.
_APP_PASSWORD = re.compile(r"[a-z]{4}(?:-[a-z]{4}){3}")
_CURL_USER = re.compile(
    r"-(?:(?<=[ \t]-)[a-z]{0,8}u|-user|-proxy-user)[ \t=]*(?:\\*[\"'])?[^\s:\"'$<>]{1,100}:([^\s\"'\\]+)"
)
_CURL_COOKIE = re.compile(r"-(?:(?<=[ \t]-)b|-cookie)[ \t=]*(?:\\*[\"'])?(?=[^\s=\"'\\/]{1,100}=)")
_BEARER = re.compile(r"bearer(?:[ +]|%20)(?:\\*[\"'])?([a-z0-9_\-.~+/=]{12,})")
_BASIC = re.compile(r"basic[ \t]{1,3}(?=[a-z+/]{0,60}[0-9=])([a-z0-9+/]{12,}={0,2})")
_AUTHORIZATION = re.compile(
    r"authorization(?:\\*[\"'`])?\]?[ \t]{0,4}[:=,][ \t]{0,4}(?:\\*[\"'`])?"
    r"(?:(?:bearer|basic|token|api-?key|digest|negotiate|key|bot|ghtoken)[ \t]{1,4}"
    r"|[a-z][a-z0-9\-]{1,20}[ \t]{1,4}(?=[a-z0-9_\-.~+/=]{16}))?([a-z0-9_\-.~+/=:!@#%^&*$<{]{3,})"
)
_COOKIE = re.compile(
    r"cookie2?(?:\\*[\"'`])?\]?[ \t]{0,4}[:=,][ \t]{0,4}(?:\\*[\"'`])?(?=[^\s=;,:\"'\\()]{1,100}=[^=\s])"
)
_COOKIE_LINE = re.compile(r"(?:[^\n\r\"'`\\]|\\(?![nr\"']))*")
_COOKIE_PAIR = re.compile(r"([^\s=;,]{1,100})=([^;\s]+)")
_COOKIE_ATTRIBUTES = frozenset("path domain expires max-age samesite version priority".split())


def _is_value(text: str, match: re.Match[str]) -> bool:
    return not is_stand_in(_value(text, match))


def _is_carried(text: str, match: re.Match[str]) -> bool:
    return _is_credential(_value(text, match))


def _is_of_sql_user(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 200) : match.start()].lower()
    return _is_value(text, match) and _SQL_USER.search(before) is not None


def _is_identifying(text: str, match: re.Match[str]) -> bool:
    """Whether it is `IDENTIFIED BY 'x'`, not prose, where something may also be identified by a quoted word."""
    before = text[max(0, match.start() - 200) : match.start() + 10]
    return _is_value(text, match) and (
        before[-10:].isupper() or any(letter.isdigit() for letter in match[1]) or bool(_SQL.search(before.lower()))
    )


def _is_pair(text: str, match: re.Match[str]) -> bool:
    """Whether it is the base64 of `user:password`."""
    value = _value(text, match)
    try:
        user, colon, password = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode().partition(":")
    except ValueError:
        return False
    return bool(colon and password) and user.isprintable() and password.isprintable()


# Text that must occur, pattern, kind, and what decides about a match.
_RULES: tuple[tuple[str, re.Pattern[str], str, Callable[[str, re.Match[str]], bool]], ...] = (
    *((occurs, re.compile(pattern), "password", _is_value) for occurs, pattern in _ARGUMENTS),
    ("identified", _IDENTIFIED, "password", _is_identifying),
    ("password", _SQL_PASSWORD, "password", _is_of_sql_user),
    ("basic", _BASIC, "authorization", _is_pair),
    ("bearer", _BEARER, "bearer", _is_carried),
    ("authorization", _AUTHORIZATION, "authorization", _is_carried),
)


def command_secrets(text: str, lower: str) -> list[Span]:
    """`lower` is the text in lower case, with every character at the same index."""
    spans: list[Span] = []
    for occurs, pattern, kind, is_secret in _RULES:
        if occurs in lower:
            spans += [_span(match, kind) for match in pattern.finditer(lower) if is_secret(text, match)]
    if "|" in lower and any(reader in lower for reader in _PIPED_INTO):
        spans += _passwords(text, (match for pattern in _PIPED for match in pattern.finditer(lower)))
    letters = {match[match.lastindex or 0] for match in _OPTION_LETTER.finditer(lower)}
    if letters:
        spans += _option_secrets(text, lower, letters)
    if "config" in lower:
        spans += _configured(text, _CONFIGURED.finditer(lower))
    if "ENV " in text:
        spans += _configured(text, (found for found in _ENVIRONMENT.finditer(lower) if text[found.start()] == "E"))
    if "curl" in lower or "wget" in lower:
        spans += _curl_secrets(text, lower)
    if "cookie" in lower:
        spans += _cookies(text, _COOKIE.finditer(lower))
    return spans


def _option_secrets(text: str, lower: str, letters: set[str]) -> list[Span]:
    """`letters`: which of the options that may have a password occur."""
    spans: list[Span] = []
    for options, occurs, pattern in _OPTION_SECRETS:
        if not letters.isdisjoint(options) and occurs in lower:
            spans += _passwords(text, pattern.finditer(lower))
    if "u" in letters and "p" in letters:
        drawn = (match for match in _USER_AND_PASSWORD.finditer(lower) if _is_drawn(_value(text, match)))
        spans += [_span(match, "password") for match in drawn]
    for occurs, pattern in _CAPITAL_OPTIONS:
        if occurs in lower:
            spans += _passwords(text, pattern.finditer(text))
    return spans


def _passwords(text: str, found: Iterable[re.Match[str]]) -> list[Span]:
    return [_span(match, "password") for match in found if _is_value(text, match)]


def _is_drawn(value: str) -> bool:
    """Whether it looks randomly generated: letters mixed with digits or signs; not a port, a path or a word with a
    number.
    """
    if _APP_PASSWORD.fullmatch(value):
        return True
    letters, others = sum(map(str.isalpha, value)), sum(not letter.isalpha() for letter in value)
    return (
        len(value) >= 8
        and letters >= 4
        and others > 0
        and not is_stand_in(value)
        and not any(letter in value for letter in ":/\\(){}[]<>$")
        and not re.fullmatch(r"[A-Za-z]+(?:[-_.]?[A-Za-z]+)*[-_.]?\d{0,4}(?:\.\d+)*", value)
    )


def _value(text: str, match: re.Match[str]) -> str:
    return text[match.start(1) : match.end(1)]


def _span(match: re.Match[str], kind: str) -> Span:
    return match.start(1), match.end(1), kind


def _configured(text: str, found: Iterable[re.Match[str]]) -> list[Span]:
    """Finds `npm config set NAME VALUE` and similar commands whose name announces a secret."""
    spans: list[Span] = []
    for match in found:
        value = text[match.start(2) : match.end(2)]
        strength = strength_of_name(text[match.start(1) : match.end(1)][-60:])
        if not is_stand_in(value) and (strength == "password" or (strength and _is_credential(value))):
            spans.append((match.start(2), match.end(2), "password" if strength == "password" else "secret"))
    return spans


def _is_credential(value: str) -> bool:
    """Whether a header could carry it to authenticate: neither a placeholder nor a plain word."""
    if is_stand_in(value) or value[0] in "$<{%" or "${" in value or len(value) < 6:
        return False
    if any(letter.isdigit() for letter in value):
        return not re.fullmatch(r"[a-z]+_?[0-9]?", value)
    return (
        is_random(value, 12)
        or (value.endswith("=") and len(value) >= 12)
        or (len(value) >= 12 and value.isalpha() and not _is_worded(value))
    )


def _is_worded(value: str) -> bool:
    """Whether it is camelCase or plain words: capitals only where a word starts."""
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
    """Returns the values of every header; reads each line once, however often it has the word."""
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
