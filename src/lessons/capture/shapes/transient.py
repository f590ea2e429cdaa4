"""An error in, whether it will pass by itself out: networks, servers, locks, and people who are asked for something."""

import re

_TRANSIENT = re.compile(
    "|".join(
        (
            r"\.lock'?: File exists|Another git process|could not (?:get|obtain|acquire) (?:a |the )?lock|database is locked",
            r"ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EPIPE\b",
            r"[Cc]onnection (?:refused|reset|timed out|closed)|[Cc]ould not (?:resolve host|connect)|[Ff]ailed to connect",
            r"[Nn]etwork is unreachable|[Nn]o route to host|[Tt]emporary failure|[Nn]ame or service not known|[Oo]peration timed out",
            r"\b(?:HTTP|status|code|error)[ :]{1,3}(?:429|50[0234])\b|[Rr]ate limit|Bad [Gg]ateway|[Ss]ervice [Uu]navailable|Gateway [Tt]ime",
            r"[Tt]emporarily unavailable|try again (?:later|in)|[Tt]oo many requests|overloaded",
            r"[Cc]ommand timed out|\b[Tt]imed out after|TimeoutError|deadline exceeded|\bSSL_|TLS handshake",
            r"agent refused operation|signing failed|failed to (?:sign|write commit object)|gpg: |No space left|Cannot allocate memory",
            r"address already in use|EADDRINUSE|port is already allocated|Resource (?:busy|temporarily)",
            r"\b(?:HTTP |status |code )?(?:401|403)\b.{0,40}(?:[Cc]redential|[Uu]nauthori|[Ff]orbidden)|[Bb]ad credentials|[Aa]uthentication (?:failed|required)",
            r"Permission denied \(publickey|Host key verification|not logged in|[Cc]annot connect to the Docker daemon|daemon running\?",
            r"^Killed$|out of memory|ENOMEM|ENOSPC|posix_spawn",
        )
    ),
    re.MULTILINE,
)
# curl's own numbers for names, connections, time-outs and broken transfers; a signal that ended the command.
_CURL = frozenset((5, 6, 7, 18, 28, 35, 52, 55, 56))
_SIGNALS = frozenset((124, 130, 137, 143))


def is_transient(text: str, program: str, exit_code: int | None) -> bool:
    if exit_code in _SIGNALS:
        return True
    if exit_code in _CURL and program == "curl" and (not text or text.startswith("curl: ")):
        return True
    return _TRANSIENT.search(text) is not None
