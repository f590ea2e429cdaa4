"""The sh loop that answers instead of a resident server that cannot start: its answers are empty.

A server that ends at once would show the user an error at every call. No variable is written as a dollar sign and
braces, because the client would replace it: `$d{…}` becomes that only in `eval`.
"""

# Its server name.
NAME = "lessons-stand-in"

_REPLY = r"""reply() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }"""
# The client puts the id first or last: a search from that end is short, from the other it is slow in a long text.
_IDENTIFIER = (
    "case $line in"
    """ '{"jsonrpc":"2.0","id":'*) eval "id=$d{line#*'\\"id\\":'}" ;;"""
    """ *'"id":'*) eval "id=$d{line##*'\\"id\\":'}" ;;"""
    " *) continue ;; esac;"
    """ eval "id=$d{id%%[,\\}]*}";"""
)
_VERSION = """eval "version=$d{line#*'\\"protocolVersion\\":'}"; eval "version=$d{version%%[,\\}]*}";"""
_INITIALIZED = (
    r"""reply '"result":{"protocolVersion":'"$version"',"capabilities":{"tools":{}},"serverInfo":"""
    f"""{{"name":"{NAME}","version":"0"}}}}'"""
)
_ANSWER = (
    "case $line in"
    r""" *'"method":'*'"tools/call"'*) reply '"result":{"content":[{"type":"text","text":"{}"}]}' ;;"""
    f""" *'"method":'*'"initialize"'*'"protocolVersion":'*) {_VERSION} {_INITIALIZED} ;;"""
    """ *'"method":'*'"tools/list"'*) reply '"result":{"tools":[]}' ;;"""
    """ *'"method":'*'"ping"'*) reply '"result":{}' ;;"""
    """ *) reply '"error":{"code":-32601,"message":"no such method"}' ;; esac;"""
)
LOOP = f"d='$'; {_REPLY}; while IFS= read -r line; do {_IDENTIFIER} {_ANSWER} done; exit 0"
