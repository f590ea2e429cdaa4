"""Patterns for the passwords in command lines of common clients, one row each. Group 1 is the password."""

import re

_VALUE = r"(?:\\*[\"'])?([^\s\"'\\\-][^\s\"'\\]*)"
_BETWEEN = r"[^\n|;]{0,300}?[ \t]"

# literal that must be in the text, pattern (group 1 is the secret). All are searched in lower case.
ARGUMENTS: tuple[tuple[str, re.Pattern[str]], ...] = (
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
    (
        "rabbitmqctl",
        re.compile(
            r"rabbitmqctl[ \t]+(?:-\S+[ \t]+){0,4}(?:add_user|change_password|authenticate_user)[ \t]+\S{1,100}[ \t]+"
            + _VALUE
        ),
    ),
    (
        "vault login",
        re.compile(r"vault login[ \t]+(?:-\S{1,60}[ \t]+){0,4}(?:token=)?(?=[a-z.]{0,30}\d)([a-z0-9._\-]{8,})"),
    ),
    ("sqlplus", re.compile(r"sqlplus[ \t]+(?:-\S{1,20}[ \t]+){0,4}(?:\\*[\"'])?\w{1,60}/([^\s@\"'/]+)@")),
    ("requirepass", re.compile(r"requirepass[ \t]+(?:\\*[\"'])?(?=[^\s\d]{0,60}\d)([^\s\"'\\]+)")),
    (
        "convertto-securestring",
        re.compile(r"convertto-securestring[ \t]+(?:-(?:string|asplaintext|force)[ \t]+){0,3}\\*[\"']([^\"'\\$]+)"),
    ),
    (
        "auth=(",
        re.compile(
            r"auth=\(\s{0,8}\\*[\"'][^\"'\\]{1,100}\\*[\"']\s{0,4},\s{0,20}\\*[\"'](?=[a-z]{0,60}[^a-z\"'\\])([^\"'\\]{6,})"
        ),
    ),
    ("password(", re.compile(r"(?<=[=\s]password\()\s{0,4}\\*'([^'\\]+)\\*'\)")),
    (
        "-oauth",
        re.compile(
            r"-oauth\\*[\"']\s{0,4}:\s{0,4}\{\s{0,20}\\*[\"'][^\"'\\]{1,100}\\*[\"']\s{0,4}:\s{0,4}\\*[\"']([^\"'\\]{8,})"
        ),
    ),
)
# Input piped into a command that reads a password; a line that ends with a pipe continues.
PIPED = tuple(
    re.compile(
        rf"\b{speaker}[ \t]+(?:-[ne]+[ \t]+)?(?:\\*[\"']%s(?:\\+n)?\\*[\"'][ \t]+)?(?:\\*[\"'])?([^\s\"'\\|]+)"
        r"(?:\\*[\"'])?[ \t]{0,4}\|(?:[ \t]{0,4}\r?\n)?[^\n|;]{0,200}?"
        r"(?:--password-stdin|\bsudo[ \t]+-[a-z]{0,4}s\b|\b(?:ch|smb)?passwd\b|\bsecret[ \t]+(?:set|put|create)\b"
        r"|--with-token|--passphrase-fd|\bkinit\b|\bcryptsetup\b)"
    )
    for speaker in ("echo", "printf")
)
PIPED_INTO = (
    "-stdin",
    "sudo -",
    "passwd",
    "secret set",
    "secret put",
    "secret create",
    "with-token",
    "passphrase-fd",
    "kinit",
    "cryptsetup",
)
# Programs with a single-dash option for a password.
OPTIONS: tuple[tuple[str, str, re.Pattern[str]], ...] = (
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
        "bn",
        "htpasswd",
        re.compile(rf"htpasswd[ \t]+-\w*b\w*[ \t]+(?:-\w+[ \t]+)?\S{{1,100}}[ \t]+\S{{1,100}}[ \t]+{_VALUE}"),
    ),
    ("bsdn", "htpasswd", re.compile(rf"htpasswd[ \t]+-\w*n\w*[ \t]+\S{{1,100}}[ \t]+{_VALUE}")),
    ("p", "pass:", re.compile(r"[ \t]-pass(?:in|out)?[ \t]+(?:\\*[\"'])?pass:([^\s\"'\\]+)")),
    ("b", "secret", re.compile(rf"secrets?[ \t]+set\b[^\n|;]{{0,200}}?[ \t](?:-b|--body)[ \t=]*{_VALUE}")),
    ("p", "7z", re.compile(rf"\b7z[ar]?\b{_BETWEEN}-p{_VALUE}")),
    ("p", "rar", re.compile(rf"\b(?:un)?rar\b{_BETWEEN}-h?p{_VALUE}")),
    ("w", "ldap", re.compile(rf"\bldap[a-z]{{3,8}}\b{_BETWEEN}-w[ \t]+{_VALUE}")),
    (
        "u",
        "client",
        re.compile(rf"(?:smb|rpc)client\b{_BETWEEN}-u[ \t=]*(?:\\*[\"'])?[^\s%\"']{{1,100}}%([^\s\"'\\]+)"),
    ),
    ("u", "lftp", re.compile(rf"\blftp\b{_BETWEEN}-u[ \t]+(?:\\*[\"'])?[^\s,\"']{{1,100}},([^\s\"'\\]+)")),
    ("p", "ncftp", re.compile(rf"\bncftp[a-z]{{0,5}}\b{_BETWEEN}-p[ \t]+{_VALUE}")),
    ("p", "cqlsh", re.compile(rf"\bcqlsh\b{_BETWEEN}-p[ \t]+{_VALUE}")),
    ("p", "twine", re.compile(rf"\btwine\b{_BETWEEN}-p[ \t]+{_VALUE}")),
    ("p", "rdesktop", re.compile(rf"\brdesktop\b{_BETWEEN}-p[ \t]+{_VALUE}")),
    ("k", "openssl", re.compile(rf"\bopenssl[ \t]+enc\b{_BETWEEN}-k[ \t]+{_VALUE}")),
    ("w", "security", re.compile(rf"security[ \t]+add-(?:generic|internet)-password\b{_BETWEEN}-w[ \t]+{_VALUE}")),
    (
        "a",
        "http",
        re.compile(r"\bhttps?[ \t](?:[^\n|;]{0,200}?[ \t])?-a[ \t]+(?:\\*[\"'])?[^\s:\"']{1,100}:([^\s\"'\\]+)"),
    ),
    ("p", "-pw", re.compile(rf"[ \t]-pw[ \t]+{_VALUE}")),
    ("pksd", "pass", re.compile(rf"[ \t]-(?:(?:src|dest)?storepass|keypass|passwd|password|passphrase)[ \t]+{_VALUE}")),
)
OPTION_LETTER = re.compile(r"[ \t]-(?:h?([puwkasdn])|(?:n)?[a-z]?(b)|-(b)ody)")
# Any program: `-u me … -p X`, in this order.
USER_AND_PASSWORD = re.compile(
    rf"[ \t]-u[ \t=]*(?:\\*[\"'])?[^\s\"'\-][^\s\"']{{0,99}}[\"']?[ \t](?:[^\n|;]{{0,200}}?[ \t])?-p[ \t=]*{_VALUE}"
)
# Programs whose upper-case option is a password, unlike the lower-case one; searched in the original text.
CAPITAL_OPTIONS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (program, re.compile(rf"\b{pattern}\b{_BETWEEN}-[{letters}][ \t]*{_VALUE}"))
    for program, pattern, letters in (
        ("sqlcmd", "sqlcmd", "P"),
        ("bcp", "bcp", "P"),
        ("ipmitool", "ipmitool", "P"),
        ("mosquitto_", "mosquitto_[ps]ub", "P"),
        ("zip", "(?:un)?zip", "P"),
        ("snmp", "snmp[a-z]{2,12}", "A"),
        ("snmp", "snmp[a-z]{2,12}", "X"),
        ("ssh-keygen", "ssh-keygen", "N"),
    )
)
