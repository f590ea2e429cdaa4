"""Finds secrets in command lines: passwords of common clients, headers and connection strings."""

import base64
import re
from collections.abc import Callable, Iterable

from lessons.redact.spans import Span
from lessons.redact.values import is_jumbled, is_mixed, is_public_id, is_random, is_stand_in, strength_of_name

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
        r"define\(\s{0,8}\\*.\w{0,40}(?:key|salt|password|secret|token)\\*.\s{0,20},\s{0,20}\\*[\"']([^\"'\\]{6,200})",
    ),
    ("send", r"ssword[^\n\"']{0,20}\\*[\"'](?:[\s;{]|\\n){0,20}send[ \t]+(?:--[ \t]+)?\\*[\"']([^\"'\\\s]+)\\"),
    ("rabbitmqctl", r"(?:add_user|change_password|authenticate_user)[ \t]+\S{1,100}[ \t]+" + _VALUE),
    ("on >", r"\buser[ \t]+\w{1,60}[ \t]+(?:on|reset)[ \t]+>([^\s\"'>]+)"),
    ("vault login", r"vault login[ \t]+(?:-\S{1,60}[ \t]+){0,4}(?:token=)?(?=[a-z.]{0,30}\d)([a-z0-9._\-]{8,})"),
    *(
        (tool, tool + r"[ \t]+(?:-\S{1,20}[ \t]+){0,4}" + _QUOTE + r"\w{1,60}/([^\s@\"'/]+)@")
        for tool in ("sqlplus", "impdp", "expdp", "sqlldr", "target")
    ),
    (" using ", r"connect[ \t]+to[ \t]+\S{1,60}[ \t]+user[ \t]+\S{1,60}[ \t]+using[ \t]+" + _VALUE),
    ("encrypt", r"qpdf[^\n|;]{0,200}?[ \t]--encrypt[ \t]+" + _VALUE),
    ("encrypt", r"qpdf[^\n|;]{0,200}?[ \t]--encrypt[ \t]+\S{1,100}[ \t]+" + _VALUE),
    ("pragma", r"pragma[ \t]+(?:re)?key[ \t]{0,4}=[ \t]{0,4}\\*[\"']([^\"'\\]+)"),
    ("htpasswd", r"htpasswd[ \t]+-\w*b\w*[ \t]+(?:-\w+[ \t]+)?\S{1,100}[ \t]+\S{1,100}[ \t]+" + _VALUE),
    ("htpasswd", r"htpasswd[ \t]+-\w*n\w*[ \t]+\S{1,100}[ \t]+" + _VALUE),
    ("pass:", r"-pass(?:in|out)?[ \t]+" + _QUOTE + "pass:" + _REST),
    ("pw", r"-(?<=[ \t]-)[uo]?pw[ \t]+" + _VALUE),
    ("/rp", r"/rp(?<=[ \t]/rp)[ \t]+" + _VALUE),
    ("requirepass", r"requirepass[ \t]+" + _QUOTE + r"(?=[^\s\d]{0,60}\d)" + _REST),
    ("-securestring", r"convertto-securestring[ \t]+(?:-(?:string|asplaintext|force)[ \t]+){0,3}\\*[\"']([^\"'\\$]+)"),
    ("auth=(", r"auth=\(\s{0,8}[^,()\n]{1,100},\s{0,20}\\*[\"'](?=[a-z]{0,60}[^a-z\"'\\])([^\"'\\]{6,})"),
    ("password(", r"(?<=[=\s]password\()\s{0,4}\\*'([^'\\]+)\\*'\)"),
    ("-oauth", r"-oauth\\*.\s{0,4}:\s{0,4}\{\s{0,20}\\*[\"'][^\"'\\]{1,100}\\*.\s{0,4}:\s{0,4}\\*[\"']([^\"'\\]{8,})"),
)
# Input of a command that reads a password, from a pipe or a here-string; a line that ends with a pipe continues.
_READER = (
    r"(?:--(?:password|token|secret)-stdin|--with-token|--passphrase-fd|preshared-key|\bsudo[ \t]+-[a-z]{0,4}s\b"
    r"|\b(?:(?:ch|smb)?passwd|secret[ \t]+(?:set|put|create)|env[ \t]+add|kinit|cryptsetup|keepassxc-cli|load-key)\b)"
)
_PIPED = tuple(
    re.compile(
        rf"\b{speaker}[ \t]+(?:-[ne]+[ \t]+)?(?:\\*[\"']%s(?:\\+n)?\\*[\"'][ \t]+)?(?:\\*[\"'])?([^\s\"'\\|]+)"
        rf"(?:\\*[\"'])?[ \t]{{0,4}}\|(?:[ \t]{{0,4}}\r?\n)?[^\n|;]{{0,200}}?{_READER}"
    )
    for speaker in ("echo", "printf")
)
# Anything else that it may be piped into decodes, counts or filters it.
_PIPED_DRAWN = re.compile(
    rf"echo[ \t]+(?:-[ne]+[ \t]+)?{_QUOTE}([^\s\"'\\|]+)(?:\\*[\"'])?[ \t]{{0,4}}\|[ \t]{{0,4}}"
    r"(?!(?:base(?:64|32)|xxd|jq|sed|tr|cut|wc|rev|grep|awk|od|\w{2,8}sum|bc|openssl[ \t]+(?:base64|dgst))\b)"
)
_HERE_STRING = re.compile(rf"{_READER}[^\n|;<]{{0,200}}<<<[ \t]{{0,4}}\$?{_QUOTE}{_REST}")
# What follows a verb that unlocks or logs in, after so many words of another kind.
_POSITIONS = tuple(
    (
        verb,
        re.compile(
            re.escape(verb) + r"[^\s=]{0,60}(?:[ \t]+-[\w\-]+(?:=\S*)?){0,4}"
            rf"(?:[ \t]+[^\s\-][^\s|;&]{{0,100}}){{{words}}}[ \t]+{_VALUE}"
        ),
    )
    for words, verbs in (
        (0, "operator unseal,bw unlock,wandb login,cargo login,snyk auth,authtoken,obscure,encrypt_string"),
        (0, "admin-password,initial-password,pypi-token.,github-oauth.,gitlab-token."),
        (1, "bw login,twilio login,net user,user add, -passwd,wpa_passphrase,http-basic."),
        (3, "alias set"),
    )
    for verb in verbs.split(",")
)
# In the rest of a line after one of these, a word that looks drawn at random is a secret.
_TELLING = (
    "login unlock unseal passwd psk pre-shared-key <<< basic_auth basicauth auth( credential connect( "
    "connection( pdo( mysqli ldap_bind( wifi.begin( crypt( cipheriv( hmac( hmac.new jwt. fernet( aes.new keyspec "
    "cookieparser("
).split()
_DRAWN_WORD = re.compile(
    r"(?:(?<=[\s\"'>(])|(?<=[\s(,]b[\"']))([A-Za-z0-9][^\s\"'`\\,;|&()<>{}\[\]=:/]{9,200})=?(?=[\s\"'`\\,;)]|$)"
)
# Options with a password and their programs, which start with a literal; searched in the original text.
_OPTIONS = (
    ("-p", "mysql(?:dump|admin|import|check)? mariadb(?:-dump)? 7z[ar]?"),
    ("-h?p", "rar unrar"),
    ("-p[ \t]*", r"sshpass(?:\s+-[ve]){0,2}"),
    (
        "-p[ \t=]*",
        r"docker\s+login podman\s+login buildah\s+login skopeo\s+login az\s+login registry\s+login oc\s+login",
    ),
    ("-p[ \t]+", "mongo(?:sh|dump|restore|export|import)? ncftp[a-z]{0,5} cqlsh twine rdesktop"),
    ("-P[ \t]*", r"sqlcmd bcp ipmitool mosquitto_[ps]ub zip unzip security\s+import ssh-keygen"),
    # In two rows: a match starts at the program, and one command may have both.
    ("-A[ \t]*", "snmp[a-z]{2,12}"),
    ("-X[ \t]*", "snmp[a-z]{2,12}"),
    ("-N[ \t]*", "ssh-keygen"),
    ("-a[ \t]+", "redis-cli valkey-cli"),
    ("-w[ \t]+", r"ldap[a-z]{3,8} security\s+add-(?:generic|internet)-password"),
    ("-k[ \t]+", r"openssl\s+enc"),
    ("-t[ \t]+", r"codecov[\w.]{0,9}"),
    (rf"-u[ \t]+{_QUOTE}[^\s,\"']{{1,100}},", "lftp"),
    (rf"-U[ \t=]*{_QUOTE}[^\s%\"']{{1,100}}%", "smbclient rpcclient"),
    (rf"-a[ \t]+{_QUOTE}[^\s:\"']{{1,100}}:", "https?"),
    ("-(?:b|-body)[ \t=]*", r"secrets?\s+set"),
    ("--value[ \t=]*", r"secret\s+set keys\s+set SecureString"),
    ("-Value[ \t]+", "Env"),
)
_LITERAL = re.compile(r"[\w\-]+(?![?{*])")
_LETTER = re.compile(r"-(?:(?<=[ \t]-)h?|-(?=body|value))([a-zA-Z])")


def _option_row(option: str, program: str) -> tuple[str, re.Pattern[str]]:
    """The literal comes first, and then where a word begins: in a JSON string also after an escaped line end."""
    literal = _LITERAL.findall(program)[0]
    begins = rf"{literal}(?:(?<!\w{literal})|(?<=\\[nrt]{literal}))"
    return literal, re.compile(rf"{begins}{program[len(literal) :]}\b{_BETWEEN}{option}{_VALUE}")


_OPTION_SECRETS = tuple(
    (option.strip("-(?:h")[0], [_option_row(option, program) for program in programs.split()])
    for option, programs in _OPTIONS
)
_IDENTIFIED = re.compile(r"identified\s+(?:with\s+\S{1,60}\s+)?by\s+(?:password\s+)?\\*[\"']([^\"'\\]+)")
_IDENTIFIED_BARE = re.compile(r"identified\s+by\s+(?=[^\s;]{0,60}\d)([^\s\"'\\:;$<?&@]{6,})")
_SQL_PASSWORD = re.compile(r"password\s{1,8}(?:=\s{0,8})?n?\\*'([^'\\]+)")
_SQL_USER = re.compile(r"(?:alter|create)\s+(?:user|role|login|group)\s[^;]*$|(?:with|encrypted)\s+$")
_SQL = re.compile(r"(?:create|alter|grant)\s")
_CONFIGURED = re.compile(
    r"config(?:ure)?[ \t]+(?:set|--[a-z\-]{1,20})[ \t]+(?:--?[a-z\-]{1,30}[ \t]+){0,4}"
    r"([^\s\"'=]{3,200})[ \t=]+(?:\\*[\"'])?([^\s\"'\\]+)"
)
# A line of a Dockerfile.
_ENVIRONMENT = re.compile(r"env(?<![a-z0-9_.\-/]env)[ \t]+([a-z][a-z0-9_]{2,60})[ \t]+(?:\\*[\"'])?([^\s\"'\\]+)")
_ADDRESS = re.compile(r"^[\w.+\-]+@[\w\-]+\.\w|://|\(|^(?:\$\w+|[~.]*)/|^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$")
# App-specific passwords of Apple.
_APP_PASSWORD = re.compile(r"[a-z]{4}(?:-[a-z]{4}){3}")
_CURL_USER = re.compile(
    r"-(?:(?<=[ \t]-)[a-z]{0,8}u|-user|-proxy-user)[ \t=]*(?:\\*[\"'])?[^\s:\"'$<>]{1,100}:([^\s\"'\\]+)"
)
_CURL_COOKIE = re.compile(r"-(?:(?<=[ \t]-)b|-cookie)[ \t=]*(?:\\*[\"'])?(?=[^\s=\"'\\/]{1,100}=)")
_BEARER = re.compile(r"bearer(?:[ +]|%20)(?:\\*[\"'])?([a-z0-9_\-.~+/=]{12,})")
_BASIC = re.compile(r"basic[ \t]{1,3}(?=[a-z+/]{0,60}[0-9=])([a-z0-9+/]{12,}={0,2})")
_AUTHORIZATION = re.compile(
    r"authorization(?:\\*[\"'`])?\]?(?:[ \t]{0,4}[:=,]|(?=[ \t]\\*[\"']))[ \t]{0,4}(?:\\*[\"'`])?"
    r"(?:(?:bearer|basic|token|api-?key|digest|negotiate|key|bot|ghtoken)[ \t]{1,4}"
    r"|[a-z][a-z0-9\-]{1,20}[ \t]{1,4}(?=[a-z0-9_\-.~+/=]{16}))?([a-z0-9_\-.~+/=:!@#%^&*$<{]{3,})"
)
_COOKIE = re.compile(
    r"cookie2?(?:\\*[\"'`])?\]?[ \t]{0,4}[:=,][ \t]{0,4}(?:\\*[\"'`])?(?=[^\s=;,:\"'\\()]{1,100}=[^=\s])"
)
_COOKIE_LINE = re.compile(r"(?:[^\n\r\"'`\\]|\\(?![nr\"']))*")
_COOKIE_PAIR = re.compile(r"([^\s=;,]{1,100})=([^;\s]+)")
_COOKIE_ATTRIBUTES = frozenset("path domain expires max-age samesite version priority".split())


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


def _is_value(text: str, match: re.Match[str]) -> bool:
    return not is_stand_in(_value(text, match))


# Text that must occur, pattern, kind, and what decides about a match.
_RULES: tuple[tuple[str, re.Pattern[str], str, Callable[[str, re.Match[str]], bool]], ...] = (
    *((occurs, re.compile(pattern), "password", _is_value) for occurs, pattern in _ARGUMENTS),
    ("identified", _IDENTIFIED, "password", _is_identifying),
    ("identified", _IDENTIFIED_BARE, "password", _is_of_sql_user),
    ("password", _SQL_PASSWORD, "password", _is_of_sql_user),
    ("basic", _BASIC, "authorization", _is_pair),
    ("bearer", _BEARER, "bearer", lambda text, match: _is_credential(_value(text, match))),
    ("authorization", _AUTHORIZATION, "authorization", lambda text, match: _is_credential(_value(text, match))),
)


def command_secrets(text: str, lower: str) -> list[Span]:
    """`lower` is the text in lower case, with every character at the same index."""
    spans: list[Span] = []
    for occurs, pattern, kind, is_secret in _RULES:
        if occurs in lower:
            spans += [_span(match, kind) for match in pattern.finditer(lower) if is_secret(text, match)]
    if "|" in lower and ("echo" in lower or "printf" in lower):
        spans += _passwords(text, (match for pattern in _PIPED for match in pattern.finditer(lower)))
        spans += [_span(match, "secret") for match in _PIPED_DRAWN.finditer(lower) if _is_random(_value(text, match))]
    if " -" in text or "\t-" in text or " /" in text:
        spans += _option_secrets(text, lower)
    if "<<<" in lower:
        spans += _passwords(text, _HERE_STRING.finditer(lower))
    for verb, pattern in _POSITIONS:
        if verb in lower:
            spans += [_span(match, "password") for match in pattern.finditer(lower) if _is_key(text, match)]
    for telling in _TELLING:
        if telling in lower:
            spans += _drawn_words(text, lower, telling)
    if "config" in lower:
        spans += _configured(text, _CONFIGURED.finditer(lower))
    if "ENV " in text:
        spans += _configured(text, (found for found in _ENVIRONMENT.finditer(lower) if text[found.start()] == "E"))
    if "curl" in lower or "wget" in lower:
        spans += _curl_secrets(text, lower)
    if "cookie" in lower:
        spans += _cookies(text, _COOKIE.finditer(lower))
    return spans


def _option_secrets(text: str, lower: str) -> list[Span]:
    spans: list[Span] = []
    letters = {found[1] for found in _LETTER.finditer(text)}
    for letter, rows in _OPTION_SECRETS:
        if letter in letters:
            found = (match for literal, pattern in rows if literal in text for match in pattern.finditer(text))
            spans += _passwords(text, found)
    for pattern, is_drawn in _DRAWN:
        spans += [_span(match, "password") for match in pattern.finditer(lower) if is_drawn(_value(text, match))]
    return spans


def _passwords(text: str, found: Iterable[re.Match[str]]) -> list[Span]:
    return [_span(match, "password") for match in found if _is_value(text, match)]


def _drawn_words(text: str, lower: str, telling: str) -> list[Span]:
    spans: list[Span] = []
    start = lower.find(telling)
    while start >= 0:
        start += len(telling)
        end = start + len(text[start : start + 200].partition("\n")[0])
        words = _DRAWN_WORD.finditer(text, start, end)
        spans += [_span(word, "secret") for word in words if _is_random(word[1]) and not is_public_id(word[1])]
        start = lower.find(telling, end)
    return spans


def _is_random(value: str) -> bool:
    return ((is_mixed(value) and is_random(value, 10)) or is_jumbled(value)) and not _ADDRESS.search(value)


def _is_key(text: str, match: re.Match[str]) -> bool:
    """Whether a word after a verb is a password and neither a sentence goes on nor the command."""
    value = _value(text, match)
    return (
        len(value) >= 6
        and value[0] not in "/~$<>|&;([{"
        and (any(map(str.isdigit, value)) or is_jumbled(value))
        and not (_ADDRESS.search(value) or re.fullmatch(r"[A-Z]+_[A-Z0-9_]+", value) or is_stand_in(value))
    )


def _is_drawn(value: str) -> bool:
    """Whether it looks randomly generated: letters mixed with digits or signs; not a port, a path or a word with a
    number.
    """
    if _APP_PASSWORD.fullmatch(value) or is_jumbled(value):
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


# Any program: `-u me … -p X`, in this order; `-u me:X`; and what is random behind the options that often have it.
_DRAWN = tuple(
    (re.compile(option), is_drawn)
    for option, is_drawn in (
        (rf"-u(?<=[ \t]-u)[ \t=]*{_QUOTE}[^\s\"'\-][^\s\"']{{0,99}}[^\n|;]{{0,99}}?[ \t]-p[ \t=]*{_VALUE}", _is_drawn),
        (
            r"-(?:(?<=[ \t]-)[ua]|-(?:proxy-)?user|-(?:\w{1,8}-)?creds|-auth(?:-cred)?)[ \t=]+"
            rf"{_QUOTE}[a-z][\w.@+\-]{{0,59}}[:%]([^\s\"'\\]+)",
            _is_drawn,
        ),
        (r"-(?<=[ \t]-)(?:[a-z]p[ \t=]+|[pwktanx][ \t=]*)" + _VALUE, _is_random),
        (r"/p(?<=[ \t]/p)[ \t]+" + _VALUE, _is_random),
    )
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
        # Neither camelCase nor plain words.
        or (len(value) >= 12 and value.isalpha() and not re.fullmatch(r"[A-Z]?[a-z]{2,}(?:[A-Z][a-z]{2,})*", value))
    )


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
            for pair in _COOKIE_PAIR.finditer(text, header.end(), position):
                is_attribute = pair[1].lower() in _COOKIE_ATTRIBUTES
                if not (is_attribute or is_stand_in(pair[2]) or pair[2].endswith((")", "("))):
                    spans.append((pair.start(2), pair.end(2), "cookie"))
    return spans
