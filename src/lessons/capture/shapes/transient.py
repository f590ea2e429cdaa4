"""Whether an error is temporary: networks, servers, locks, and prompts for a person."""

from lessons.capture.shapes.literals import said, says

_PASSING = said(
    ("File exists", r"\.lock'?: File exists"),
    ("Another git process", ""),
    ("cannot lock ref", ""),
    (" lock", r"(?:[Cc]ould not|[Uu]nable to) (?:get|obtain|acquire) (?:a |the )?lock|acquiring the (?:state )?lock"),
    ("database is locked", ""),
    ("ECONN", r"\bECONN(?:REFUSED|RESET|ABORTED)"),
    ("ETIMEDOUT", ""),
    ("EAI_AGAIN", ""),
    ("ENOTFOUND", r"\bgetaddrinfo ENOTFOUND"),
    ("ENETUNREACH", ""),
    ("EPIPE", r"\bEPIPE\b"),
    ("ERR_", r"\bERR_(?:CONNECTION|NAME_NOT|INTERNET|NETWORK|TIMED)"),
    (
        "onnection ",
        r"[Cc]onnection (?:refused|reset|timed out|closed)|[Cc]onnection to the server .{0,80} was refused",
    ),
    (
        "onnect",
        r"[Cc]ould(?: not|n't) connect|[Ff]ailed to connect|Can't connect to |[Cc]annot connect to the Docker daemon",
    ),
    (" reach ", r"(?:[Cc]an(?:'t|not)|[Cc]ould(?: not|n't)|[Uu]nable to) reach "),
    ("connection unexpectedly", r"closed the connection unexpectedly"),
    ("ould not resolve host", ""),
    ("etwork ", r"[Nn]etwork (?:is unreachable|error)"),
    ("o route to host", ""),
    ("emporar", r"[Tt]emporary failure|[Tt]emporarily unavailable"),
    ("ame or service not known", ""),
    ("etries exceeded", ""),
    ("imed out", r"\btimed out\b|\bTimed out after"),
    ("ime", r"TimeoutError|[Tt]imeout was reached|Gateway [Tt]ime|[Hh]andshake timeout|deadline exceeded"),
    (" time", r"\b(?:statement|lock|query|lock wait|idle|read|connect(?:ion)?) timeout\b|execution time exceeded"),
    ("429", r"\b(?:HTTP|status|code|error)[ :]{1,3}429\b"),
    ("50", r"\b(?:HTTP|status|code|error)[ :]{1,3}50[0234]\b"),
    ("ate limit", r"\b[Rr]ate limit"),
    ("Bad ", r"Bad [Gg]ateway|Bad credentials"),
    ("navailable", r"[Ss]ervice [Uu]navailable"),
    ("try again ", r"try again (?:later|in)"),
    ("oo many requests", ""),
    ("overloaded", ""),
    ("Throttl", r"\bThrottling(?:Exception)?\b"),
    ("Rate exceeded", ""),
    ("SSL_", r"\bSSL_"),
    ("TLS handshake", ""),
    ("agent refused operation", ""),
    ("sign", r"signing failed|failed to sign"),
    ("failed to write commit object", ""),
    ("gpg: ", ""),
    ("o space left", ""),
    ("annot allocate memory", ""),
    ("ut of memory", r"\b[Oo]ut of memory"),
    ("ENOMEM", ""),
    ("ENOSPC", ""),
    ("posix_spawn", ""),
    ("Killed", r"^Killed$"),
    ("ddress already in use", ""),
    ("EADDRINUSE", ""),
    ("port is already allocated", ""),
    ("Resource ", r"Resource (?:busy|temporarily)"),
    ("40", r"\b(?:HTTP |status |code )?(?:401|403)\b.{0,40}(?:[Cc]redential|[Uu]nauthori|[Ff]orbidden)"),
    ("redentials", r"\b(?:[Bb]ad|[Ii]nvalid) credentials"),
    ("oken has expired", ""),
    ("eauthentication required", ""),
    ("uthori", r"\(Unauthorized(?:Operation)?\)|\(AuthorizationFailed\)|\bnot authori[sz]ed to perform\b"),
    ("AccessDenied", r"\(AccessDenied(?:Exception)?\)"),
    ("PERMISSION_DENIED", ""),
    ("(Forbidden)", r"\(Forbidden\): .{1,200} is forbidden"),
    ("locate credentials", ""),
    ("auth", r"\bauth login\b|\b[Aa]uthentication (?:failed|required)"),
    ("Authentication ", r"\bAuthentication (?:failed|required)"),
    ("(publickey", r"Permission denied \(publickey"),
    ("Host key verification", ""),
    ("logged in", r"\b[Nn]ot logged in|\bto be logged in"),
    ("daemon running?", ""),
)
# curl's exit codes for names, connections, time-outs and broken transfers; exit codes for signals.
_CURL = frozenset((5, 6, 7, 18, 28, 35, 52, 55, 56))
_SIGNALS = frozenset((124, 130, 137, 143))


def is_transient(text: str, program: str, exit_code: int | None) -> bool:
    if exit_code in _SIGNALS:
        return True
    if exit_code in _CURL and program == "curl" and (not text or text.startswith("curl: ")):
        return True
    return says(text, _PASSING)
