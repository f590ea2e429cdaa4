"""Nothing comes in; the table of well-known secret shapes goes out, one compiled pattern each."""

import re


# A token begins where no word runs on; an escaped newline, a percent escape and a terminal colour also end a word. The
# condition stands behind the prefix: a pattern that begins with a literal is found many times faster.
def _at_start(prefix: str) -> str:
    before = (r"(?<=\\[nrt]", r"(?<=%[0-9A-Fa-f][0-9A-Fa-f]", r"(?<=[0-9;]m", r"(?<=\\u[0-9a-f]{4}")
    return prefix + rf"(?:(?<![A-Za-z0-9_]{prefix})|" + "|".join(f"{look}{prefix})" for look in before) + ")"


# A web token: header and payload, or a header that says by itself what it is; only at the start of a run, so each run
# is read once.
_JWT_START = r"(?:(?<![A-Za-z0-9_\-])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f][0-9A-Fa-f])|(?<=[0-9;]m)|(?<=\\u[0-9a-f]{4}))"
_JWT = (
    _JWT_START + r"(?:eyJ[A-Za-z0-9_\-]{8,}\.(?:eyJ)?[A-Za-z0-9_\-]{4,}(?:\.[A-Za-z0-9_\-]*){0,3}"
    r"|eyJ(?:hbGci|0eXAi|raWQi|lbmMi|jdHki|4NXQi)[A-Za-z0-9_\-.]{8,})"
)

# kind, literal that must be in the text, pattern. A pattern is a literal and then runs of one class: no two ways to
# match, so no backtracking storm. The facts (prefix, alphabet, least length) are the vendors'.
_TOKENS: tuple[tuple[str, str, str], ...] = (
    ("github-token", "gh", r"gh[pousr]_[A-Za-z0-9_]{16,}"),
    ("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{16,}"),
    ("gitlab-token", "gl", r"gl(?:pat|ptt|rt|dt|oas|soat|ft|agent|cbt|imt|ffct)-[A-Za-z0-9_.\-]{16,}"),
    ("slack-token", "xox", r"xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9\-]{10,}"),
    ("slack-token", "xapp-", r"xapp-\d-[A-Za-z0-9\-]{10,}"),
    ("slack-webhook", "hooks.slack", r"(?<=hooks\.slack\.com/)(?:services|workflows|triggers)/[A-Za-z0-9/_+\-]{16,}"),
    ("discord-webhook", "/webhooks/", r"(?<=/webhooks/)[0-9]{10,}/[A-Za-z0-9_\-]{20,}"),
    ("discord-token", ".", r"[MNO][A-Za-z0-9_\-]{22,27}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,}"),
    ("aws-key-id", "A", r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("google-key", "AIza", r"AIza[A-Za-z0-9_\-]{30,}"),
    ("google-key", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_\-]{20,}"),
    ("google-token", "ya29.", _at_start(r"ya29\.") + r"[A-Za-z0-9_\-]{20,}"),
    ("google-token", "1//0", _at_start(r"1//0") + r"[A-Za-z0-9_\-]{30,}"),
    ("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_\-]{12,}"),
    ("openai-key", "sk-", _at_start(r"sk-") + r"(?:(?=[A-Za-z_\-]{0,60}[0-9])[A-Za-z0-9_\-]{20,}|[A-Za-z]{32,})"),
    ("stripe-key", "k_", r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}"),
    ("stripe-key", "whsec_", r"whsec_[A-Za-z0-9+/=]{20,}"),
    ("huggingface-token", "hf_", _at_start(r"hf_") + r"[A-Za-z0-9]{20,}"),
    ("huggingface-token", "api_org_", r"api_org_[A-Za-z0-9]{20,}"),
    ("sendgrid-key", "SG.", _at_start(r"SG\.") + r"[A-Za-z0-9_\-]{16,40}\.[A-Za-z0-9_\-]{16,}"),
    ("twilio-key", "SK", r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("npm-token", "npm_", _at_start(r"npm_") + r"[A-Za-z0-9]{30,}"),
    ("pypi-token", "pypi-", r"pypi-(?=[A-Za-z_\-]{0,60}[0-9])[A-Za-z0-9_\-]{40,}"),
    ("digitalocean-token", "_v1_", r"do[opr]_v1_[a-f0-9]{32,}"),
    ("cloudflare-token", "cf", r"cf(?:ut|at|k)_[A-Za-z0-9_\-]{30,}"),
    ("cloudflare-token", "v1.0-", _at_start(r"v1\.0-") + r"[a-f0-9]{24}-[a-f0-9]{32,}"),
    ("heroku-key", "HRKU-", r"HRKU-[A-Za-z0-9_\-]{30,}"),
    ("telegram-token", ":AA", r"(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_\-]{30,}"),
    ("mailgun-key", "key-", r"key-[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("linear-key", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{20,}"),
    ("notion-token", "ntn_", _at_start(r"ntn_") + r"[A-Za-z0-9]{30,}"),
    ("notion-token", "secret_", _at_start(r"secret_") + r"[A-Za-z0-9]{40,}"),
    ("vercel-token", "vc", _at_start(r"vc[pkiar]_") + r"[A-Za-z0-9]{20,}"),
    ("supabase-key", "sbp_", r"sbp_[a-f0-9]{32,}"),
    ("supabase-key", "sb_secret_", r"sb_secret_[A-Za-z0-9_\-]{16,}"),
    ("sentry-token", "sntry", r"sntry[su]_[A-Za-z0-9_=+/\-]{20,}"),
    ("databricks-token", "dapi", _at_start(r"dapi") + r"[0-9a-f]{32}(?:-[0-9])?"),
    ("shopify-token", "shp", r"shp(?:at|ss|ca|pa)_[A-Fa-f0-9]{32}"),
    ("square-token", "sq0", r"sq0(?:atp|csp)-[A-Za-z0-9_\-]{20,}"),
    ("grafana-token", "glsa_", r"glsa_[A-Za-z0-9_]{32,}"),
    ("grafana-token", "glc_", _at_start(r"glc_") + r"[A-Za-z0-9+/=]{32,}"),
    ("vault-token", "hv", _at_start(r"hv[sbr]\.") + r"[A-Za-z0-9_\-]{20,}"),
    ("docker-token", "dckr_", r"dckr_(?:pat|oat)_[A-Za-z0-9_\-]{20,}"),
    ("rubygems-key", "rubygems_", r"rubygems_[a-f0-9]{32,}"),
    ("postman-key", "PMAK-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{30,}"),
    ("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_\-]{40,}"),
    ("atlassian-token", "TT3", r"AT[AC]TT3[A-Za-z0-9_=\-]{20,}"),
    ("groq-key", "gsk_", _at_start(r"gsk_") + r"[A-Za-z0-9]{30,}"),
    ("xai-key", "xai-", _at_start(r"xai-") + r"[A-Za-z0-9]{40,}"),
    ("replicate-token", "r8_", _at_start(r"r8_") + r"[A-Za-z0-9]{30,}"),
    ("nvidia-key", "nvapi-", r"nvapi-[A-Za-z0-9_\-]{30,}"),
    ("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{30,}"),
    ("figma-token", "figd_", r"figd_[A-Za-z0-9_\-]{20,}"),
    ("pulumi-token", "pul-", _at_start(r"pul-") + r"[a-f0-9]{40}"),
    ("newrelic-key", "NRAK-", r"NRAK-[A-Z0-9]{20,}"),
    ("resend-key", "re_", _at_start(r"re_") + r"[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"),
    ("posthog-key", "phx_", _at_start(r"phx_") + r"[A-Za-z0-9]{30,}"),
    ("tailscale-key", "tskey-", r"tskey-[A-Za-z0-9\-]{16,}"),
    ("doppler-token", "dp.", _at_start(r"dp\.") + r"(?:pt|st|ct|sa)\.[A-Za-z0-9_\-.]{20,}"),
    ("planetscale-token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.\-]{20,}"),
    ("langsmith-key", "lsv2_", r"lsv2_(?:pt|sk)_[A-Za-z0-9_]{20,}"),
    ("1password-token", "ops_eyJ", r"ops_eyJ[A-Za-z0-9_\-]{20,}"),
    ("age-key", "AGE-SECRET", r"AGE-SECRET-KEY-1[A-Z0-9a-z]{20,}"),
    ("azure-secret", "Q~", r"[A-Za-z0-9_~.\-]{3}[0-9]Q~[A-Za-z0-9_~.\-]{30,}"),
    ("azure-key", "Key=", r"(?<=[a-z]Key=)[A-Za-z0-9+/]{20,}={0,2}"),
    ("azure-sas", "sig=", r"(?<=[?&;]sig=)[A-Za-z0-9%+/]{20,}={0,2}"),
    ("jwt", "eyJ", _JWT),
)

TOKENS: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (f"[redacted:{kind}]", literal, re.compile(pattern)) for kind, literal, pattern in _TOKENS
)

# An AWS secret key has no mark of its own: forty characters of base64, believed only beside a key id.
AWS_SECRET = re.compile(r"(?<![A-Za-z0-9+/=_\-])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=_\-])")

PRIVATE_KEY_BEGIN = re.compile(r"-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
PRIVATE_KEY_END = re.compile(r"-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
# The body of a key whose end is missing: base64 lines, their escaped line ends, armour headers.
PRIVATE_KEY_BODY = re.compile(r"(?:[A-Za-z0-9+/=\s:,.\-]|\\+[nrt])*")
PRIVATE_KEY_LINE = re.compile(r"[A-Za-z0-9+/]{24}")
# Lines that a tool numbered, quoted or marked, as far as they hold such a run, and the short last one behind them.
PRIVATE_KEY_LINE_END = re.compile(r"\r?\n|\\+n")
PRIVATE_KEY_LINE_BETWEEN = re.compile(r"\W*\d*\W*(?:(?:Proc-Type|DEK-Info|Version|Comment)\b.*)?")
PRIVATE_KEY_PADDED = re.compile(r"\W{0,20}\d{0,8}\W{0,20}[A-Za-z0-9+/]{1,70}={1,2}")
PRIVATE_KEY_LAST_LINE = re.compile(r"\W{0,20}\d{0,8}\W{0,20}[A-Za-z0-9+/]{1,23}={0,2}\W{0,20}")

# scheme://user:password@host. Slashes end both parts, so the stretches read from two "://" never overlap.
URL_PASSWORD = re.compile(r"(?<=://)([^\s/@:\"'`<>]{0,200}):([^\s/\"'`<>]+)(?=@)")
URL_PASSWORD_WITH_SLASH = re.compile(
    r"(?<=://)([A-Za-z0-9_.\-]{1,60}):([^\s@\"'`<>0-9$\{][^\s@\"'`<>]{0,100})(?=@[A-Za-z0-9])"
)
URL_TOKEN = re.compile(r"(?<=://)([A-Za-z0-9_.~%\-]{16,})(?=@)")
