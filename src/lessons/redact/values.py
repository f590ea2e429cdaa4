"""Decides whether the value of a name is a secret, a placeholder or plain code."""

import itertools
import re
from functools import lru_cache

# Last words of a secret's name, by strength: a password may be any word, a token never is a plain one.
_PASSWORD_OWNERS = (
    "admin auth bind db encryption ftp git http imap key ldap login mail mongo mqtt my mysql owner pg pgp postgres "
    "proxy redis root sasl smtp src srcstore deststore ssh store sudo user vnc wifi zip"
).split()
_PASSWORD_WORDS = frozenset(
    "password passwords passwd passphrase passcode pass pwd pgpassword passw passwort pw psk psw kennwort senha".split()
) | {owner + word for owner in _PASSWORD_OWNERS for word in ("pass", "pwd", "pw")}
_TOKEN_WORDS = frozenset(
    "token secret apikey secrets authtoken accesskey secretkey privatekey accesstoken authkey masterkey signingkey "
    "licensekey".split()
)
# The same at the end of a word in capitals, which shows no border: DBPASSWORD, GHTOKEN.
_PASSWORD_ENDS = ("password", "passwd", "passphrase")
_TOKEN_ENDS = ("token", "secret", "apikey")
_WEAK_WORDS = frozenset("auth credential credentials creds cred cookie cookies authorization bearer login".split())
_KEY_OWNERS = frozenset(
    "api access private secret account encryption encrypt signing sign master auth license licence shared service "
    "client deploy app application admin function functions subscription storage session jwt hmac webhook stripe "
    "openai anthropic aws consumer ingest write server root bearer decryption".split()
)
# These are not secret keys: they identify a row, an entry, a button or a text.
_PLAIN_KEYS = frozenset(
    "primary foreign cache public pub sort partition range hash query row column group map dict object s3 item index "
    "idx registry host lookup unique translation i18n message locale route config settings setting state field parent "
    "child prop attr json tree node dedup dedupe idempotency issue project space file event metric hot arrow shortcut "
    "meta known ssh composite natural surrogate react list tab menu label section page form data value type class test "
    "feature socket flag image asset template resource entity record document redis bucket path url blob commit lock "
    "ref block content last first next prev start end current selected active sha md5 checksum".split()
)
_SUFFIXES = frozenset(
    "prod production dev development staging stage test testing local old new value raw base b64 base64 str string "
    "plain default".split()
)
_HARMLESS_WORDS = frozenset(
    "hash sha sha1 sha256 sha384 sha512 md5 checksum sum commit digest integrity uuid guid id ids version "
    "ref rev revision head base tree parent blob etag src href url uri path file files dir image img data "
    "class classname font content fingerprint build branch tag name names slug mappings points public "
    "label title description text type mode filter pattern regex format style cid signature sri resolved "
    "oid object email host hostname link query cursor example examples address addr boundary thread d "
    "color test tests describe it module import from cwd root to command cmd selector testid user "
    "username author nonce h1 accept".split()
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+[0-9]*|[0-9]+")
_TYPE_WORDS = frozenset(
    "str string bytes int integer number bool boolean any none null nil undefined true false object self "
    "this optional unknown never void float char text varchar required include omit same-origin bearer "
    "basic env auto default enabled disabled yes no on off not set missing empty hidden invalid expired "
    "redacted secretstr let const var await new return type jwt oauth oauth2 password secret token passwd "
    "apikey api_key api-key credentials cookie unset todo prompt ask password_here changeit n/a is was "
    "has for and the read write inherit pass pw pwd".split()
)
_STAND_IN = re.compile(
    r"\$\w+(?:[.:>\[\]\-/]+\w+)*\]?|`.*|\$\{.*|\$\(.*|\$\$.*|%\w+%|%[sdr]|%\(.*|<[^>]*>?|\{+[^{}]*\}+|\[redacted:.*|"
    r"\[[\w ]*\]|\*+|[xX.…•_\-#?]+|id_(?:rsa|dsa|ecdsa|ed25519)\w*|"
    r".*(?:\.\.\.|…)|(?i:redacted|masked|hidden).*|!(?:Ref|Sub|vault|secret|env|GetAtt|reference)\b.*|"
    r"(?i:your|my|the|some|insert|enter|replace|example|placeholder|dummy|fake|sample|put)[-_ ].*|"
    r"[a-z]{2,10}[-_](?:[a-z0-9]{2,8}[-_])?(?:(?i:your|my|example|placeholder)[-_].*|[xX]{4,})|"
    r"(?i:op|bw|bws|vault|ref\+\w+|env|file|secret|keychain|https?|arn)[:+].*|"
    # The name of a secret in a store.
    r"[a-z]+(?:-[a-z]+)*-(?:secret|credential|cred|token|key|tl)s?(?:-v?\d{1,3})?|"
    r"(?:os|process|env|secrets|vars|config|settings|self|this|args|options|opts|import\.meta|Deno|ENV|System|std|github"
    r"|inputs|steps)[.\[:(].*|"
    r"(?:[A-Z][a-z]+|[A-Z]{2,4})\d{1,5}(?:Array|Clamped|String|Bytes|Buffer|Private|Public|Secret|Signing|Key|Pair)+",
    re.DOTALL,
)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->|::|\?\.|!\.)[A-Za-z_]\w*)*[!?]?")
_CALL = re.compile(r"(?:await |new |&|\*)?[A-Za-z_][\w.:>?!\-]*(?:\(|\[|\{|<[A-Za-z])")
_WORDS_ONLY = re.compile(r"[A-Za-z]+(?:[-_./:][A-Za-z]+)*[-_./:]?")
_PATH = re.compile(r"(?:~|\.{1,2})?/[\w.\-/@*{}$ ]*|[A-Za-z]:\\.*|[\w.\-@]+/(?:[\w.\-@]+/)*[\w\-]*\.\w{1,10}")
_VENDOR_ID = re.compile(
    r"(?:toolu|srvtoolu|msg|req|call|resp|run|thread|asst|file|cmpl|chatcmpl|sess|item|evt|cus|acct|price|prod|sha\d+|md5)[_\-:]"
)
# Ids and keys that vendors publish; the random part after them is not secret.
_PUBLIC_ID = re.compile(
    r"(?:pk|phc|pub|public|cs|pi|ch|sub|in|si|pm|seti|txn|user|org|sha\d*|md5|h1|index|main|chunk|vendor|css|sc|jss|kwdo|rev|"
    r"build|commit|img|image|asset|hash|key)(?:_(?:test|live))?[_\-]|[a-z]{1,4}_publishable[_\-]|[a-z]+_k?kwdo",
    re.IGNORECASE,
)
_UUID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_LOWER_RUN = re.compile(r"[a-z]{4,}")
_SHORTEST_WORD = 2.8  # on average, in camel case: TestGetHookNames has 4
_CLASSES = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "A" * 26 + "a" * 26 + "0" * 10
)


def name_words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]


@lru_cache(maxsize=1024)
def strength_of_name(name: str) -> str:
    """Returns the strength of a name: "password", "token" (also secret), "weak" (auth, cookie), "key" (of anything) or
    empty.
    """
    words = name_words(name)
    while len(words) > 1 and (words[-1] in _SUFFIXES or words[-1].isdigit() or words[-2:] == ["key", "data"]):
        words.pop()
    if not words:
        return ""
    last = words[-1].rstrip("0123456789")
    if last in _PASSWORD_WORDS or last.endswith(_PASSWORD_ENDS):
        return "password"
    if last in _TOKEN_WORDS or last.endswith(_TOKEN_ENDS):
        return "token"
    if last in ("key", "keys") and len(words) > 1:
        return _strength_of_key(words[-2], last)
    return "weak" if last in _WEAK_WORDS else ""


def asks_password(label: str) -> bool:
    """For a form field, whose label may continue: `#password-input`."""
    return not {"password", "passwd", "passphrase", "passcode"}.isdisjoint(name_words(label))


def _strength_of_key(owner: str, last: str) -> str:
    if owner in _KEY_OWNERS:
        return "token"
    return "key" if last == "key" and owner not in _PLAIN_KEYS else ""


def is_random_key(value: str, least: int = 16) -> bool:
    """Whether the value of a key is random, and not an id."""
    return is_random(value, least) and not (_VENDOR_ID.match(value) or _UUID.search(value))


def is_stand_in(value: str) -> bool:
    """Whether the value is a placeholder for a secret: a variable, a template, stars, a type, a word."""
    return value.lower() in _TYPE_WORDS or _STAND_IN.fullmatch(value) is not None


def is_mixed(value: str) -> bool:
    """Whether capitals, small letters and digits all occur."""
    classes = set(value.translate(_CLASSES))
    return {"A", "a", "0"} <= classes


def is_public_id(prefix: str) -> bool:
    return bool(_VENDOR_ID.match(prefix) or _PUBLIC_ID.match(prefix))


def is_id(value: str) -> bool:
    """Whether it is a UUID, or as long as a hash in hexadecimal digits."""
    return bool(_UUID.fullmatch(value) or (len(value) >= 24 and _HEX.fullmatch(value)))


def is_random(value: str, least: int = 20) -> bool:
    """Whether the characters change class (upper, lower, digit) as often as in random text, unlike in words."""
    value = value[:128]
    if len(value) < least or len(set(value)) < 8:
        return False
    classes = value.translate(_CLASSES)
    switches = sum(1 for left, right in itertools.pairwise(classes) if left != right)
    mixed = "A" in classes and "a" in classes and "0" in classes
    if mixed and sum(map(len, _LOWER_RUN.findall(value))) > len(value) * 0.4:
        return False
    return switches >= len(value) * (0.33 if mixed else 0.27) and ("0" in classes or "+" in classes)


def is_jumbled(value: str, least: int = 12) -> bool:
    """Whether it has only letters with random case: one of thirty random passwords has no digit."""
    if len(value) < least or not value.isalpha() or not value.isascii() or len(set(value)) < 8:
        return False
    return len(value) < _SHORTEST_WORD * len(name_words(value))


def _reads_as_code(value: str) -> bool:
    """Whether it is a call, an address or a path."""
    return bool(_CALL.match(value)) or "://" in value or (_PATH.fullmatch(value) is not None and not is_random(value))


def is_secret_if_quoted(name: str, value: str) -> bool:
    strength = strength_of_name(name)
    if not strength or len(value) < 3 or is_stand_in(value) or value.lower() == name.lower() or value[0].isspace():
        return False
    if " " in value or "\t" in value:
        return strength == "password" and not _reads_as_prose(value)
    if _IDENTIFIER.fullmatch(value) and value.isupper() and "_" in value and not any(c.isdigit() for c in value):
        return False
    if _reads_as_code(value):
        return False
    if strength == "password":
        return "${" not in value and "{{" not in value
    if strength == "key":
        return is_random_key(value)
    if _WORDS_ONLY.fullmatch(value):
        return strength == "token" and len(value) >= 16 and value.isalpha() and not value.islower()
    if strength == "weak":
        return is_random(value, 8)
    return len(value) >= 6 and any(c.isdigit() for c in value) and "{" not in value


_PROSE = re.compile(
    r"(?i)\b(?:password|passwords|passphrase|required|must|your|enter|invalid|please|the|is|are|for|not|or)\b"
)


def _reads_as_prose(value: str) -> bool:
    return bool(_PROSE.search(value)) or value[-1] in ".:?!…" or len(value) > 80


def is_secret_if_bare(name: str, value: str, attached: bool, ends_line: bool) -> bool:
    """Judges an unquoted value. `attached`: no blanks around `=`; `ends_line`: nothing after the value."""
    strength = strength_of_name(name)
    if not strength or len(value) < 3 or is_stand_in(value) or value.lower() == name.lower():
        return False
    if _reads_as_code(value):
        return False
    if not attached and (value[0] == "&" or "::" in value):
        return False
    shell = attached and (name.isupper() or ends_line)
    if value.replace(".", "").replace(",", "").isdigit():
        return strength == "password" and attached and len(value) >= 4
    if strength == "key":
        return is_random_key(value)
    if strength == "weak":
        return is_random(value, 8 if shell else 16)
    if is_jumbled(value):
        return True
    if _WORDS_ONLY.fullmatch(value):
        if "." in value or (value.isupper() and "_" in value):
            return False
        plain = attached if strength == "password" else (attached and name.isupper() and len(value) >= 8)
        return (plain and shell) or (
            strength == "password"
            and ends_line
            and not attached
            and ("-" in value if not value.islower() else "_" not in value)
        )
    if _IDENTIFIER.fullmatch(value) and not shell:
        least = (6 if strength == "password" else 8) if ends_line else 12
        return len(value) >= least and any(c.isdigit() for c in value) and (ends_line or is_random(value, 12))
    return len(value) >= (4 if strength == "password" else 6) and not any(c in value for c in "(){}[]")


def _is_plain_key(name: str, words: list[str]) -> bool:
    return words[-1] in ("key", "keys") and (words[-2] in _PLAIN_KEYS if len(words) > 1 else name.islower())


def is_random_assignment(name: str, value: str) -> bool:
    """Whether a long value under a neutral name is too random to be a word, a path, an id or a checksum."""
    words = name_words(name)
    while len(words) > 1 and words[-1].isdigit():  # SHA256
        words.pop()
    if (
        not words
        or not _HARMLESS_WORDS.isdisjoint(words[-1:])
        or any(w in _HARMLESS_WORDS for w in words if len(w) > 3 and w != "base")
        or _is_plain_key(name, words)
    ):
        return False
    if "%" in value:  # a query
        value = value.replace("%2F", "/").replace("%2B", "+").replace("%3D", "=")
    if is_stand_in(value) or _VENDOR_ID.match(value) or _UUID.search(value) or _PATH.fullmatch(value):
        return False
    bare = value.rstrip("=")
    if _HEX.fullmatch(bare):
        return len(bare) not in (32, 40, 56, 64, 96, 128) and is_random(bare)
    mixed = bool(re.search("[a-z]", bare) and re.search("[A-Z]", bare))
    if not mixed and (len(bare) < 24 or re.search(r"[-_/]", bare)):
        return False
    return is_random(bare)


_VARIABLE = re.compile(r"(?<![\w-])([A-Za-z0-9_]+)=([^\s`]+)")
_SECRET_WORDS = frozenset("key keys session pin pat webhook jwt bearer otp salt dsn".split())
_SWITCH = re.compile(r"[01]|true|false|yes|no|on|off", re.IGNORECASE)


def without_secret_values(text: str) -> str:
    """Replaces the value of each variable whose name announces a secret."""
    return _VARIABLE.sub(_shown, text)


def _shown(found: re.Match[str]) -> str:
    name, value = found.groups()
    return f"{name}=…" if _is_secret(name) and not _SWITCH.fullmatch(value) else found[0]


def _is_secret(name: str) -> bool:
    words = [word for word in name_words(name) if not word.isdigit()]
    return bool(strength_of_name(name)) or (bool(words) and words[-1].rstrip("0123456789") in _SECRET_WORDS)
