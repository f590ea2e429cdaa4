"""What a command asks of a server: the path, and whether it sends something."""

from collections.abc import Sequence
from typing import NamedTuple

_METHOD = frozenset(("-X", "--method", "--request"))
_READS = frozenset(("GET", "HEAD", "OPTIONS"))
_SENT_BY_API = frozenset(("-f", "-F", "--field", "--raw-field", "--input"))
_SENT_BY_CURL = ("-d", "--data", "-F", "--form", "--json", "-T", "--upload-file")
_ASKS_OF_CURL = frozenset(("-G", "--get", "-I", "--head"))
_WITH_VALUE = (
    _METHOD
    | _SENT_BY_API
    | frozenset(
        "-H --header -q --jq -o --output -u --user --hostname -t --template --cache -p --preview -d --data --data-raw"
        " --data-binary --data-urlencode --form --json -T --upload-file -m --max-time --connect-timeout"
        " -A -b -e -x".split()
    )
)


class HttpCall(NamedTuple):
    path: str  # without the query
    sends: bool


def http_call(words: Sequence[str]) -> HttpCall | None:
    """Returns None if it calls no server, or if the path does not tell what is done, as for GraphQL."""
    if list(words[:1]) == ["curl"]:
        arguments = words[1:]
        asks = not _ASKS_OF_CURL.isdisjoint(arguments)
        sends = not asks and any(word.startswith(_SENT_BY_CURL) for word in arguments)
    elif list(words[1:2]) == ["api"]:  # `gh api`, `glab api`
        arguments = words[2:]
        sends = any(word.partition("=")[0] in _SENT_BY_API for word in arguments)
    else:
        return None
    path = _path(arguments)
    if not path or path == "graphql":
        return None
    method = _method(arguments)
    return HttpCall(path, method not in _READS if method else sends)


def _method(words: Sequence[str]) -> str:
    for word, following in zip(words, [*words[1:], ""], strict=True):
        option, _, value = word.partition("=")
        if option in _METHOD:
            return (value or following).upper()
        if word.startswith("-X"):
            return word[2:].upper()
    return ""


def _path(words: Sequence[str]) -> str:
    """Returns the first address, else the first argument that is neither an option nor the value of one."""
    if address := next((word for word in words if "://" in word and word[0] not in "-{["), ""):
        return address.strip("'\"").partition("?")[0]
    is_value = False
    for word in words:
        if not is_value and not word.startswith("-"):
            return word.strip("'\"").partition("?")[0]
        is_value = not is_value and word in _WITH_VALUE
    return ""
