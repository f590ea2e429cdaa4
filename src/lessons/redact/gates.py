"""Decides which families of secrets a text could contain, with a few one-letter searches."""

import re
from typing import AnyStr, NamedTuple


class Suspects(NamedTuple):
    tokens: bool
    urls: bool
    named: bool
    long_values: bool


# Lower case, one operator, one joiner, no quotes: `"Api-Key": "x` and `API_KEY='x` become `api_key= x` and `api_key=x`.
_FOLD = bytes(
    ord({"-": "_", ":": "=", ">": "=", "\t": " "}.get(chr(code), chr(code).lower() if code < 128 else "~"))
    if code < 128
    else code
    for code in range(256)
)
_DROPPED = b"\"'\\`]}"


def _preceded_by(endings: list[str]) -> str:
    """Builds one look-behind per width, because each needs a fixed width; a [class] counts as one character."""
    by_width: dict[int, list[str]] = {}
    for ending in endings:
        by_width.setdefault(len(re.sub(r"\[[^\]]*\]", "x", ending)), []).append(ending)
    return "|".join(f"(?<={'|'.join(group)})" for group in by_width.values())


def _could_end(endings: list[str]) -> str:
    """Builds one look-behind that holds if any of the endings does: classes of their last letters, tried at once."""
    letters = zip(*(re.findall(r"\[[^\]]*\]|.", ending)[-4:] for ending in endings), strict=True)
    return f"(?<={''.join('[' + ''.join(sorted({item.strip('[]') for item in place})) + ']' for place in letters)})"


# Prefixes of tokens whose random part may have `-` and `_`, cut to few widths (each width costs a search). A random
# part of only letters and digits is recognised by itself.
_PREFIXES = (
    "xox[a-z]_ pat_ oat_ tkn_ _pw_ _v1_ 1_a_ tfp_ glc_ fm2_ m1[ar]_ io_u_ k_us_ a_sk_ tvly_ avns_ pypi_ hrku_ figd_ "
    "glrt_ gldt_ glft_ fo1_ p8e_ lptt_ soat_ gent_ loas_ lcbt_ limt_ ffct_ 2_[ps][tk]_ [kble]_live_ "
    "[kble]_test_ k_prod_ pi_org_ _oauth_ secret_ whsec_ nvapi_ ocspx_ q0atp_ q0csp_ ntrys_"
).split()
_NAMES = (
    "word oken cret rets key[0-9] ials tial cred reds auth pass rase okie kies sswd _pwd ord[0-9] "
    "ass[0-9] ken[0-9] ret[0-9]"
).split()
_NAMES.append("[a-z0-9_?& ]key")
_LONGER_NAMES = (
    "scode= [a-z_]keys= ization= etvalue= envalue= eyvalue= nature= eybase= eydata= nemonic= seed= appid= hmac= "
    "[?&]sid= psk= [?&=;]sig= /user="
).split()
_LONGER_NAMES.append(" /p=")

# Every pattern starts with ONE letter, which the engine finds with memchr; the rest is tried only there.
_RANDOM_PART = r"(?=[a-z0-9]{16})(?:[a-z]{0,30}+[0-9]|[a-z]{20})"
_PREFIX = (
    rf"{_RANDOM_PART}|(?<=[a-z0-9]_)(?:(?=[a-z_+/]{{0,40}}+[0-9])(?=[a-z0-9_+/]{{10}})"
    rf"(?:{_preceded_by(_PREFIXES)}|(?<=sk_)(?<![aeiou]sk_)|(?<=sdk_|api_|ion_|box_|ent_|na1_|eu1_|aat_)[0-9a-f]{{8}}_[0-9a-f]{{4}}_)"
    r"|token\$|(?<=glpat_)[a-z0-9_]{20}|(?<=[0-9a-f]_)(?:us[0-9]{1,2}|[0-9a-f]{8}_[0-9a-f]{8})(?![a-z0-9_]))"
    r"|(?<=____) ?(?:begin|end) |lines=(?<=private_lines=)"
)
_FLAG = (
    r"(?<=__)(?=[a-z0-9])(?:user|value|[a-z0-9_]{0,30}(?:pass|tok|secr|key|auth|cred|cook|pwd?|psk|bearer|mnem))"
    r"|(?<= _)(?:(?:[a-z]{0,8}[ub]|a) ?[^ =%,\n]{1,60}[=%,]|[pwk] ?[^ \n_]|s(?<=sudo _s) "
    r"|(?:[uo]pw|[ax]p) |[tanx] ?(?=[a-z0-9_+/]{8})[a-z_+/]{0,40}+[0-9]"
    r"|[a-z0-9_]{0,30}(?:pass(?:w(?:or)?d)?|pwd|token|secret|key) ?[^ \n_])"
    r"|(?<=sword_|token_|ecret_|_pass_|[a-z0-9]_key_)[a-z0-9_]{1,20} ?="
    r"|(?<=login _|hpass _)|(?<=__)encrypt |(?:key|salt|token|secret|pass|pwd),(?= ?[a-z0-9_+/]{6})"
    r"|(?<= _)v ?3 |a (?<=http _a |ttps _a )|securestring(?<=convertto_securestring)|keygen(?<=ssh_keygen)"
)
# `name: API_TOKEN` with its value in a neighbouring field.
_LABEL = r"(?<=name=|[ ,{]key=) ?[a-z0-9_.]{0,40}(?:oken|cret|word|key|pass|auth|ization|okie)n?(?![a-z0-9_.=])"


# Telegram tokens, a line of .pgpass: recognised by what follows one operator.
_PLACES = (
    r"(?=[a56*])(?:aa(?<=[0-9]=aa)[a-z0-9_]{30}"
    r"|(?:5[34][0-9][0-9]|6432|\*)=[^= \n]{1,63}=[^= \n]{1,63}=[^ \n])"
    r"| auth (?<=[0-9]= auth )|[a-z0-9](?<= on =.)(?=[a-z]{0,20}+[0-9])|(?<=/[0-9]{16}=)[0-9a-f]{32}"
)


def _named(more: list[str]) -> str:
    near, spaced = (
        [name + "=" for name in _NAMES] + _LONGER_NAMES + more,
        [name + " =" for name in [*_NAMES, "code", "ybase", "y_base", "seed", "onic"]],
    )
    return (
        f"{_LABEL}|{_could_end(near)}(?:{_preceded_by(near)})|(?<= =)(?:{_preceded_by(spaced)})"
        rf"|(?<=pw=)(?<![a-z0-9]pw=)|{_PLACES}"
    )


# A random value has a digit or a plus somewhere.
_RUN = r" {0,4}+(?!/)(?=[a-z0-9+/_%]{20})[a-z_/]{0,120}+(?:[0-9+]|%[23][bdf])"
# Both at once first: most texts have neither.
_JOINED, _PREFIXED, _FLAGGED = (re.compile(f"_(?:{rest})".encode()) for rest in (f"{_PREFIX}|{_FLAG}", _PREFIX, _FLAG))
_ASSIGNED, _NAMED, _LONG = (re.compile(f"=(?:{rest})".encode()) for rest in (f"{_RUN}|{_named([])}", _named([]), _RUN))
_PLACED = re.compile(f"=(?:{_PLACES}|(?<=ature=)|(?<=sig=))".encode())
# In JSON the name of the secret may be in the previous or next field.
_ASSIGNED_IN_JSON = re.compile(f"=(?:{_RUN}|{_named(['alue='])})".encode())
_DOTTED = re.compile(
    rb"\.(?:[a-z0-9_]{6}\.[a-z0-9_]{27}|slack\.com/|com/(?:api/|integration/|v1/integ|v2/[a-z0-9_]{32})|io/(?:ws/)?v3/[0-9a-f]{32}|pro/[0-9a-f]{40}|com/[0-9a-f]{8}_(?<=hc_ping\.com/.{9})|zapier\.com/|office\.com/|mws\.(?<=amzn\.mws\.)"
    rb"|(?=[a-z0-9_]{20})"
    rb"(?:(?<=ya29\.)|(?<=hv[sbr]\.)|(?<=dp\.[psc][ta]\.)|(?<=atlasv1\.)|(?<=sl\.)(?=[a-z0-9_]{60})"
    rb"|(?=[a-z0-9]{0,19}[0-9])[a-z0-9]{20}))"
)
_SHORTEST_TOKEN = 16
# Rare capitals in the fixed part of a token, searched in the original text.
_CAPITAL_A = (
    r"A(?:KIA|SIA|BIA|CCA|Iza|TATT3|TCTT3|TBB|BSK|KCp|QVN|I(?<=LTAI)|K(?<=EZAK)|St(?<=\+ASt)|3-|PA91b|A(?<=EAA)"
    r"|AAAAAAAAAAAAAAAAAA|L(?<=NRAL)|[A-Z2-7]{8}(?<=SUA[A-Z2-7]{8})|Q(?:(?<=!AQ)[A-Za-z0-9._]{60}|(?<={AQ)AAABAAAA))"
)
_CAPITAL_J = r"J(?:(?<=eyJ)[A-Za-z0-9_\-]{8}|QQJ99|Ti(?<=UdJTi)|b3J)"
_CAPITAL_S = r"S(?:K[0-9a-f]{32}|G\.)"
_CAPITAL_G = r"G(?:R1348941|9rO|tuOj|ZXIv)"
_TILDE = r"~[A-Za-z0-9_\-]{30}"
_KEY_ID = re.compile(_CAPITAL_A)
_CAPITALS = (_KEY_ID, *map(re.compile, (_CAPITAL_J, _CAPITAL_S, _CAPITAL_G)))
_CAPITALS_OR_TILDE = (*_CAPITALS, re.compile(_TILDE))
_IN_SOURCE = tuple(re.compile(pattern.pattern.encode()) for pattern in _CAPITALS_OR_TILDE)
# Words that announce a secret without an operator, as in `the token is X`, `| API key | X |`: a telling word, at most
# one word between, and something with a digit. Also tokens without a joiner, by a letter they share.
_VALUE = r"(?:[ |*=(]{1,4}(?:(?:is|was|→) ?=? ?\n?)?|=?\n{1,2})(?=[a-z0-9_+/.~]{8})[a-z_+/.~]{0,40}+[0-9]"
# Text before a secret, as folded: of programs, verbs and functions.
_LITERALS = (
    *("bw login ", "bw unlock ", "operator unseal ", "twilio login ", "wandb login ", "cargo login ", "snyk auth "),
    *("mc alias set ", "obscure ", "hub_oauth.", "lab_token.", "pypi_token.", "encrypt_string ", "keys set ", "kinit "),
    *("tified by", "password by", "plugin by", "rabbitmqctl ", "requirepass ", "sqlplus ", "impdp ", "expdp "),
    *("cryptsetup ", " /p ", " /rp ", ".psk ", "_psk ", " psk ", "passphrase", "bearer ", "bearer_auth(", "pgp_sym_"),
    *("credential(", "credentials(", "wifi.begin(", "db.auth(", "fernet(b", "jwt.sign(", "jwt.encode(", "jwt.verify("),
    *("aes.new(", "hmac.new(", "keyspec(", "createhmac(", "createcipheriv(", "cookieparser(", "new pdo("),
)
# By the letter that is searched.
_BEFORE_VALUES = {
    "w": r"(?<=ssw)|(?<=pw)d|ords(?: are)? ?=",
    "b": r"asic (?=[a-z+/]{0,40}+[0-9=])[a-z0-9+/]{12}|asic_?auth[a-z]{0,12}[( ]|asic\.[a-z0-9_.]{1,40} "
    r"|1d(?<=4b1d)(?<![a-z0-9_]4b1d)[a-z0-9]{38}(?![a-z0-9])",
    "k": rf"en{_VALUE}|ey(?:_base)?(?<= key|_key|base|ikey){_VALUE}|ey/(?<=/key/)(?=[a-z0-9_]{{16}})"
    r"|(?:/(?<=hook/)|s/(?<=hooks/)|\.(?<=/hook\.))(?=[a-z0-9_/.@]{16})[a-z_/.@]{0,80}+[0-9]",
    "c": rf"onfig(?:ure)? (?:set|create|update|__[a-z]{{1,8}}) |ret(?:s? (?:set|put|create) |{_VALUE})"
    r"|onnect(?:ion)?\([^\n()]{1,80},[^\n()]{1,60},|onnect to [^ \n]{1,40} user |rypt\((?=[^\n()]{0,60}[0-9])"
    r"|[=(t_.](?<=mnemonic.)| (?<=mnemonic )(?:[=(]|[a-z]{3,8} [a-z]{3,8} )|io(?<![a-z0-9_]cio)[a-z0-9]{32}(?![a-z0-9])"
    r"|flt(?<![a-z0-9_]cflt)[a-z0-9+/]{60}(?![a-z0-9+/])",
    "p": r"hrase(?: ?[=(]| is )|ass (?<=[_ ]pass )(?=[a-z0-9_+/]{8})[a-z_+/]{0,40}+[0-9]|i(?<=dapi)[0-9a-f]{32}"
    r"|rv(?<=[tuxyz]prv)(?<![a-z0-9_].prv)[a-z0-9]{100}",
    "y": r"/(?<=verify/)(?=[a-z0-9_]{16})|2(?<=oy2)(?<![a-z0-9_]oy2)[a-z0-9]{43}(?![a-z0-9])",
}


def _searched(letter: str, pattern: str) -> str:
    """Adds the literals in which this is the first of the searched letters."""
    found = [literal for literal in _LITERALS if next(each for each in "kwbypc" if each in literal) == letter]
    ends = [re.escape(literal.partition(letter)[2]) + f"(?<={re.escape(literal)})" for literal in found]
    return f"{letter}(?:{'|'.join([pattern, *ends])})"


_ANNOUNCED = tuple(
    re.compile(pattern.encode())
    for pattern in (
        *(_searched(letter, pattern) for letter, pattern in _BEFORE_VALUES.items()),
        r"/0(?<=1//0)[a-z0-9_]{30}",
        r"<<<(?!<)(?<!<<<<)",
        r"echo (?:_[ne]{1,2} )?(?=[a-z0-9_+/.]{10})[a-z_+/.]{0,40}+[0-9][^\n |]{0,200} ?\|",
        r"login(?:\([^\n(),]{1,60}, ?| (?=[a-z0-9_+/]{12}))[a-z_+/]{0,40}+[0-9]",
        # A hash of a password, as crypt writes it.
        r"\$(?:[1567y]|2[abxy]|gy|apr1|argon2[id]{1,2}|pbkdf2[a-z0-9_]{0,10}|scrypt)\$[^ \n]{20}",
    )
)
# The tokens among them: checked only after something was found.
_ANNOUNCED_TOKEN = re.compile(
    rb"(?<![a-z0-9_])(?:[tuxyz]prv[a-z0-9]{100}|\$[a-z0-9_]{1,16}\$[^ \n]{20}|1//0[a-z0-9_]{30}|dapi[0-9a-f]{32}"
    rb"|oy2[a-z0-9]{43}|4b1d[a-z0-9]{38}|cio[a-z0-9]{32}|cflt[a-z0-9+/]{60})"
)
_IN_LONG_VALUES = ("Key=", "oauth:", "kty")


def folded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass").translate(_FOLD, _DROPPED)


def around_joiners(text: str) -> bytes:
    """Returns the text around each joiner that a token's random part may follow, folded."""
    whole = folded(text)
    return b" ".join(whole[max(0, at.start() - 60) : at.end() + 10] for at in _PREFIXED.finditer(whole))


def has_capital(text: str) -> bool:
    return _any_in(_CAPITALS, text)


def has_key_id(text: str) -> bool:
    """Whether the public part of a key pair may be in the text."""
    return _KEY_ID.search(text) is not None


def has_dotted(text: str) -> bool:
    return _DOTTED.search(folded(text)) is not None


def _any_in(patterns: tuple[re.Pattern[AnyStr], ...], text: AnyStr) -> bool:
    for pattern in patterns:  # noqa: SIM110 (a loop is faster than any(), and every text is asked)
        if pattern.search(text):
            return True
    return False


def suspects(text: str) -> Suspects:
    whole = folded(text)
    joined = _JOINED.search(whole) is not None
    assigned = _ASSIGNED.search(whole) is not None
    long_values = assigned and _LONG.search(whole) is not None
    named = bool(
        (assigned and _NAMED.search(whole)) or (joined and _FLAGGED.search(whole)) or _any_in(_ANNOUNCED, whole)
    )
    urls = "@" in text and ("://" in text or "@tcp" in text or "@unix(" in text or "@(" in text or "@/" in text)
    urls = urls or (named and "://" in text)
    if len(text) < _SHORTEST_TOKEN:
        return Suspects(False, urls, named, False)
    tokens = bool(
        (joined and _PREFIXED.search(whole))
        or _any_in(_CAPITALS_OR_TILDE, text)
        or _DOTTED.search(whole)
        or (named and _PLACED.search(whole))
        or (long_values and any(literal in text for literal in _IN_LONG_VALUES))
        or (named and _ANNOUNCED_TOKEN.search(whole))
    )
    return Suspects(tokens, urls, named, long_values)


# What may be any character, and the backslash at the end of a line that continues (see spans.py).
_ESCAPED = re.compile(rb"\\(?:[u/]|\\\\[nr])")


def is_plain(written: bytes) -> bool:
    """Whether nothing in a piece of JSON source looks like a secret; a line that continues may have one."""
    whole = written.translate(_FOLD, _DROPPED)
    return not (
        _JOINED.search(whole)
        or _ASSIGNED_IN_JSON.search(whole)
        or (b"@" in written and any(sign in written for sign in (b"://", b"@tcp", b"@unix(", b"@(", b"@/")))
        or _ESCAPED.search(written)
        or (b"`" in written and b" `\\" in written)
        or (b"^" in written and b" ^\\" in written)
        or _any_in(_ANNOUNCED, whole)
        or _DOTTED.search(whole)
        or _any_in(_IN_SOURCE, written)
    )
