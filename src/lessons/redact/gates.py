"""A text comes in; which families of secrets could be in it goes out, for the price of a few one-letter searches."""

import re
from typing import NamedTuple


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
_DROPPED = b"\"'\\`]"


def _preceded_by(endings: list[str]) -> str:
    """Look-behinds need one width each: the endings (a [class] is one character) grouped by theirs."""
    by_width: dict[int, list[str]] = {}
    for ending in endings:
        by_width.setdefault(len(re.sub(r"\[[^\]]*\]", "x", ending)), []).append(ending)
    return "|".join(f"(?<={'|'.join(group)})" for group in by_width.values())


def _could_end(endings: list[str]) -> str:
    """One look-behind that holds wherever any of the endings does: classes of their last letters, tried at once."""
    letters = zip(*(re.findall(r"\[[^\]]*\]|.", ending)[-4:] for ending in endings), strict=True)
    return f"(?<={''.join('[' + ''.join(sorted({item.strip('[]') for item in place})) + ']' for place in letters)})"


# What stands before a token's random part, cut to few widths (each width costs a look). `sk_` and `re_` also end
# words (task, more): they count where no such word does.
_PREFIXES = (
    "gh[pousr]_ npm_ ntn_ gsk_ xai_ sbp_ glc_ phx_ ops_ pat_ pul_ cfk_ vc[pkiar]_ oat_ tkn_ _pw_ _v1_ 1_a_ xox[a-z]_ "
    "pypi_ hrku_ pmak_ nrak_ pplx_ figd_ cf[ua]t_ glrt_ gldt_ glft_ lptt_ soat_ gent_ loas_ lcbt_ limt_ ffct_ glsa_ "
    "gems_ pp_[0-9]_ 2_[ps][tk]_ k_live_ k_test_ k_prod_ in_api_ pi_org_ _oauth_ sntry[su]_ "
    "shpss_ shpca_ shppa_ tskey_ whsec_ nvapi_ ocspx_ q0atp_ q0csp_"
).split()
_NAMES = (
    "word oken cret rets [a-z0-9_?&]key key[0-9] ials tial cred reds auth pass rase okie kies sswd _pwd ord[0-9] "
    "ass[0-9] ken[0-9] ret[0-9]"
).split()
_LONGER_NAMES = ["scode=", "[a-z_]keys=", "ization=", "etvalue=", "envalue=", "eyvalue="]

# Every pattern starts with ONE letter, which the engine looks for with memchr; what follows is tried only there.
_PREFIX = (
    rf"(?=[a-z0-9_+/]{{10}})(?:{_preceded_by(_PREFIXES)}|(?<=hf_|r8_|sk_|re_)(?<![aeiou]sk_)(?<![a-ce-lo-qsu-z]re_)"
    r"|(?<=ey_)(?:[0-9a-f]{32}|1[a-z0-9]{20})|(?<=et_)[a-z0-9_]{30}|(?<=\.0_)[0-9a-f]{24})|(?<=____) ?(?:begin|end) "
)
_FLAG = (
    r"(?<=__)(?:user|proxy_user|[a-z0-9_]{0,30}(?:pass|tok|secr|key|auth|cred|cook|pwd))"
    r"|(?<=sword_|token_|ecret_|_pass_|[a-z0-9]_key_)[a-z0-9_]{1,20} ?="
    r"|(?<= _)(?:[ub] ?[^ =\n]{1,60}=|p[^ \n])|(?<=login _|hpass _)|(?<=redis_)cli"
)
# `name: API_TOKEN` with its value in a field beside it.
_LABEL = r"(?<=name=) ?[a-z0-9_.]{0,40}(?:oken|cret|word|key|pass|auth|ization|okie)n?(?![a-z0-9_.=])"


def _named(more: list[str]) -> str:
    near, spaced = [name + "=" for name in _NAMES] + _LONGER_NAMES + more, [name + " =" for name in [*_NAMES, "code"]]
    return f"{_LABEL}|{_could_end(near)}(?:{_preceded_by(near)})|(?<= =)(?:{_preceded_by(spaced)})"


# What is random has a digit or a plus somewhere.
_RUN = r" {0,4}+(?!/)(?=[a-z0-9+/_]{20})[a-z_/]{0,120}+[0-9+]"
# The two at once first: most texts have neither.
_JOINED, _PREFIXED, _FLAGGED = (re.compile(f"_(?:{rest})".encode()) for rest in (f"{_PREFIX}|{_FLAG}", _PREFIX, _FLAG))
_ASSIGNED, _NAMED, _LONG = (re.compile(f"=(?:{rest})".encode()) for rest in (f"{_RUN}|{_named([])}", _named([]), _RUN))
# In JSON the name of the secret may stand in the field before or behind.
_ASSIGNED_IN_JSON = re.compile(f"=(?:{_RUN}|{_named(['alue='])})".encode())
_DOTTED = re.compile(
    rb"\.(?:[a-z0-9_]{6}\.[a-z0-9_]{27}|slack\.com/|com/api/|(?=[a-z0-9_]{20})"
    rb"(?:(?<=ya29\.)|(?<=hv[sbr]\.)|(?<=dp\.[psc][ta]\.)|(?<=atlasv1\.)))"
)
_PASSWORD = re.compile(rb"w(?:(?<=ssw)|(?<=pw)d)")
_SHORTEST_TOKEN = 16
_CAPITAL_A = re.compile(r"A(?:KIA|SIA|BIA|CCA|Iza|TATT3|TCTT3)")
_CAPITAL_J = re.compile(r"J(?<=eyJ)[A-Za-z0-9_\-]{8}")
_CAPITAL_S = re.compile(r"S(?:K[0-9a-f]{32}|G\.)")
# What announces a secret without any operator.
_PHRASE = re.compile(rb"b(?:earer |y(?<=tified by)|y(?<=password by)|y(?<=plugin by))")
_SETTING = re.compile(rb"s(?<= s)et (?:(?<=config set )|(?<=nfigure set )|(?<=secret set )|(?<=secrets set ))")
_IN_ASSIGNMENTS = (":AA", "Key=", "sig=", "Q~", "1//0", "dapi")


def suspects(text: str) -> Suspects:
    folded = text.encode("utf-8", "surrogatepass").translate(_FOLD, _DROPPED)
    joined = _JOINED.search(folded) is not None
    assigned = _ASSIGNED.search(folded) is not None
    long_values = assigned and _LONG.search(folded) is not None
    named = bool(
        (assigned and _NAMED.search(folded))
        or (joined and _FLAGGED.search(folded))
        or _PASSWORD.search(folded)
        or _PHRASE.search(folded)
        or _SETTING.search(folded)
    )
    if len(text) < _SHORTEST_TOKEN:
        return Suspects(False, "@" in text and "://" in text, named, False)
    tokens = bool(
        (joined and _PREFIXED.search(folded))
        or _CAPITAL_A.search(text)
        or _CAPITAL_J.search(text)
        or _CAPITAL_S.search(text)
        or _DOTTED.search(folded)
        or (long_values and any(literal in text for literal in _IN_ASSIGNMENTS))
    )
    return Suspects(tokens, "@" in text and "://" in text, named, long_values)


_KEY_A, _KEY_J, _KEY_S = (re.compile(p.pattern.encode()) for p in (_CAPITAL_A, _CAPITAL_J, _CAPITAL_S))
_ESCAPED = re.compile(rb"\\[u/]")


def is_plain(written: bytes) -> bool:
    """Whether nothing in a piece of JSON, as it is written, looks like a secret; an escaped character could be any."""
    folded = written.translate(_FOLD, _DROPPED)
    return not (
        _JOINED.search(folded)
        or _ASSIGNED_IN_JSON.search(folded)
        or _PASSWORD.search(folded)
        or _DOTTED.search(folded)
        or _PHRASE.search(folded)
        or _SETTING.search(folded)
        or (b"@" in written and b"://" in written)
        or _ESCAPED.search(written)
        or _KEY_A.search(written)
        or _KEY_J.search(written)
        or _KEY_S.search(written)
    )
