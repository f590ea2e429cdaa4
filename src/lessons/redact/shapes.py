"""The table of well-known secret shapes, one compiled pattern each."""

import re

from lessons.redact.gates import folded


# A token starts at a word boundary; an escaped newline, a percent escape and a terminal colour also end a word. The
# condition comes after the prefix: a pattern that starts with a literal is found many times faster.
def _at_start(prefix: str) -> str:
    before = (r"(?<=\\[nrt]", r"(?<=%[0-9A-Fa-f][0-9A-Fa-f]", r"(?<=[0-9;]m", r"(?<=\\u[0-9a-f]{4}")
    return prefix + rf"(?:(?<![A-Za-z0-9_]{prefix})|" + "|".join(f"{look}{prefix})" for look in before) + ")"


# A web token: header and payload, or a recognisable header alone; only at the start of a run, so each run is read once.
_JWT_START = r"(?:(?<![A-Za-z0-9_\-])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f][0-9A-Fa-f])|(?<=[0-9;]m)|(?<=\\u[0-9a-f]{4}))"
_JWT = (
    _JWT_START + r"(?:eyJ[A-Za-z0-9_\-]{8,}\.(?:eyJ)?[A-Za-z0-9_\-]{4,}(?:\.[A-Za-z0-9_\-]*){0,3}"
    r"|eyJ(?:hbGci|0eXAi|raWQi|lbmMi|jdHki|4NXQi|hIjoi|1Ijoi)[A-Za-z0-9_\-.]{8,})"
)

_ID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
# The next characters include a lower-case letter, a capital and a digit, which no word does.
_HAS_ALL = r"(?=[A-Z0-9]{0,31}[a-z])(?=[a-z0-9]{0,31}[A-Z])(?=[A-Za-z]{0,31}[0-9])"
# Password hashes of crypt: algorithm, parameters, salt and hash between dollars.
_CRYPT = (
    r"\$(?:[1567y]|2[abxy]|gy|apr1|argon2[id]{1,2}|pbkdf2[A-Za-z0-9_\-]{0,10}|scrypt)\$"
    r"(?=[^\s:$]{0,60}[$A-Za-z0-9])[A-Za-z0-9./$=,+\-]{24,}"
)

# kind, literal that must be in the text, pattern. A pattern is a literal and then runs of one class: it matches in one
# way only, so it cannot backtrack badly. Prefix, alphabet and minimum length are from the vendors.
# Tokens with the random part after `_` or `-`: the gate has found those places, and only they are searched for the
# literals.
_JOINED: tuple[tuple[str, str, str], ...] = (
    ("github-token", "gh", r"gh[pousr]_[A-Za-z0-9_]{16,}"),
    ("github-token", "github_pat_", r"github_pat_[A-Za-z0-9_]{16,}"),
    ("gitlab-token", "gl", r"gl(?:pat|ptt|rt|dt|oas|soat|ft|agent|cbt|imt|ffct)-[A-Za-z0-9_.\-]{16,}"),
    ("slack-token", "xox", r"xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9\-]{10,}"),
    ("slack-token", "xapp-", r"xapp-\d-[A-Za-z0-9\-]{10,}"),
    ("google-key", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_\-]{20,}"),
    ("anthropic-key", "sk-ant-", r"sk-ant-[A-Za-z0-9_\-]{12,}"),
    ("openai-key", "sk-", _at_start(r"sk-") + r"(?:(?=[A-Za-z_\-]{0,60}[0-9])[A-Za-z0-9_\-]{20,}|[A-Za-z]{32,})"),
    ("stripe-key", "k_", r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}"),
    ("stripe-key", "whsec_", r"whsec_[A-Za-z0-9+/=]{20,}"),
    ("huggingface-token", "hf_", _at_start(r"hf_") + r"[A-Za-z0-9]{20,}"),
    ("huggingface-token", "api_org_", r"api_org_[A-Za-z0-9]{20,}"),
    ("npm-token", "npm_", _at_start(r"npm_") + r"[A-Za-z0-9]{30,}"),
    ("pypi-token", "pypi-", r"pypi-(?=[A-Za-z_\-]{0,60}[0-9])[A-Za-z0-9_\-]{40,}"),
    ("digitalocean-token", "_v1_", r"do[opr]_v1_[a-f0-9]{32,}"),
    ("cloudflare-token", "cf", r"cf(?:ut|at|k)_[A-Za-z0-9_\-]{30,}"),
    ("cloudflare-token", "v1.0-", _at_start(r"v1\.0-") + r"[a-f0-9]{24}-[a-f0-9]{32,}"),
    ("heroku-key", "HRKU-", r"HRKU-[A-Za-z0-9_\-]{30,}"),
    ("mailgun-key", "key-", r"key-[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("linear-key", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{20,}"),
    ("notion-token", "ntn_", _at_start(r"ntn_") + r"[A-Za-z0-9]{30,}"),
    ("notion-token", "secret_", _at_start(r"secret_") + r"[A-Za-z0-9]{40,}"),
    ("vercel-token", "vc", _at_start(r"vc[pkiar]_") + r"[A-Za-z0-9]{20,}"),
    ("supabase-key", "sbp_", r"sbp_[a-f0-9]{32,}"),
    ("supabase-key", "sb_secret_", r"sb_secret_[A-Za-z0-9_\-]{16,}"),
    ("sentry-token", "sntry", r"sntry[su]_[A-Za-z0-9_=+/\-]{20,}"),
    ("shopify-token", "shp", r"shp(?:at|ss|ca|pa)_[A-Fa-f0-9]{32}"),
    ("square-token", "sq0", r"sq0(?:atp|csp)-[A-Za-z0-9_\-]{20,}"),
    ("grafana-token", "glsa_", r"glsa_[A-Za-z0-9_]{32,}"),
    ("grafana-token", "glc_", _at_start(r"glc_") + r"[A-Za-z0-9+/=]{32,}"),
    ("docker-token", "dckr_", r"dckr_(?:pat|oat)_[A-Za-z0-9_\-]{20,}"),
    ("rubygems-key", "rubygems_", r"rubygems_[a-f0-9]{32,}"),
    ("postman-key", "PMAK-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{30,}"),
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
    ("planetscale-token", "pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.\-]{20,}"),
    ("langsmith-key", "lsv2_", r"lsv2_(?:pt|sk)_[A-Za-z0-9_]{20,}"),
    ("1password-token", "ops_eyJ", r"ops_eyJ[A-Za-z0-9_\-]{20,}"),
    ("age-key", "AGE-SECRET", r"AGE-SECRET-KEY-1[A-Z0-9a-z]{20,}"),
    ("elevenlabs-key", "sk_", _at_start(r"sk_") + r"[0-9a-f]{48}(?![A-Za-z0-9])"),
    ("pinecone-key", "pcsk_", r"pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{40,}"),
    ("together-key", "tgp_v1_", r"tgp_v1_[A-Za-z0-9_\-]{40,}"),
    ("tavily-key", "tvly-", r"tvly-(?:dev-|prod-)?[A-Za-z0-9]{24,}"),
    ("firecrawl-key", "fc-", _at_start(r"fc-") + r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("e2b-key", "e2b_", _at_start(r"e2b_") + r"[0-9a-f]{40}(?![A-Za-z0-9])"),
    ("jina-key", "jina_", _at_start(r"jina_") + r"[0-9a-f]{32}[A-Za-z0-9_\-]{20,}"),
    ("apify-token", "apify_api_", r"apify_api_[A-Za-z0-9]{30,}"),
    ("browserbase-key", "bb_live_", _at_start(r"bb_live_") + r"[A-Za-z0-9_\-]{24,}"),
    ("braintree-token", "access_token$", r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[0-9a-f]{32}"),
    ("flutterwave-key", "FLWSECK", r"FLWSECK(?:_TEST)?-[0-9a-zA-Z]{12,}(?:-X)?"),
    ("plaid-token", "access-", r"access-(?:sandbox|development|production)-" + _ID),
    ("shippo-token", "shippo_", r"shippo_(?:live|test)_[0-9a-f]{40}"),
    ("duffel-token", "duffel_", r"duffel_(?:live|test)_[A-Za-z0-9_\-]{40,}"),
    ("clojars-token", "CLOJARS_", r"CLOJARS_[0-9a-z]{60}"),
    ("docker-token", "SWMTKN-1-", r"SWMTKN-1-[a-z0-9]{40,}-[a-z0-9]{20,}"),
    ("netlify-token", "nfp_", _at_start(r"nfp_") + r"[A-Za-z0-9]{30,}"),
    ("fly-token", "fm", r"fm(?:2|1[ar])_" + r"[A-Za-z0-9+/]{100,}={0,3}"),
    ("render-key", "rnd_", _at_start(r"rnd_") + r"[A-Za-z0-9]{28,}"),
    ("scalingo-token", "tk-us-", _at_start(r"tk-us-") + r"[A-Za-z0-9_\-]{40,}"),
    ("neon-key", "napi_", _at_start(r"napi_") + r"[a-z0-9]{60,}"),
    ("mongodb-secret", "mdb_sa_sk_", r"mdb_sa_sk_[A-Za-z0-9_\-]{36,}"),
    ("aiven-password", "AVNS_", _at_start(r"AVNS_") + r"[A-Za-z0-9_\-]{16,}"),
    ("xata-key", "xau_", _at_start(r"xau_") + r"[A-Za-z0-9]{36,}"),
    ("contentful-token", "CFPAT-", r"CFPAT-[A-Za-z0-9_\-]{40,}"),
    ("typeform-token", "tfp_", _at_start(r"tfp_") + r"[A-Za-z0-9_.\-]{40,}"),
    ("readme-key", "rdme_", r"rdme_[a-z0-9]{60,}"),
    ("frameio-token", "fio-u-", r"fio-u-[A-Za-z0-9_\-]{60,}"),
    ("sonar-token", "sq", _at_start(r"sq[upa]_") + r"[0-9a-f]{40}"),
    ("sourcegraph-token", "sgp_", r"sgp_(?:[0-9a-fA-F]{16}_|local_)?[0-9a-fA-F]{40}"),
    ("circleci-token", "CCIPAT_", r"CCIPAT_[A-Za-z0-9]{20,}_[0-9a-f]{40}"),
    ("buildkite-token", "bk", _at_start(r"bk[uao][a-z]_") + r"[0-9a-f]{40}"),
    ("octopus-key", "API-", _at_start(r"API-") + r"(?=[A-Z]{0,25}[0-9])[A-Z0-9]{26}(?![A-Za-z0-9])"),
    ("prefect-key", "pnu_", _at_start(r"pnu_") + r"[A-Za-z0-9]{36}"),
    ("infracost-key", "ico-", _at_start(r"ico-") + r"[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    ("inngest-key", "signkey-", r"signkey-[a-z]{1,12}-[0-9a-f]{32,}"),
    ("cerebras-key", "csk-", _at_start(r"csk-") + r"(?=[a-z]{0,40}[0-9])[a-z0-9]{40,}"),
    ("fireworks-key", "fw_", _at_start(r"fw_") + r"(?=[A-Za-z]{0,23}[0-9])[A-Za-z0-9]{22,}"),
    ("brevo-key", "xkeysib-", r"xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    ("hubspot-token", "pat-", _at_start(r"pat-") + r"(?:na|eu)[0-9]-" + _ID),
    ("fly-token", "fo1_", _at_start(r"fo1_") + r"[A-Za-z0-9_\-]{40,}"),
    ("deno-token", "ddp_", _at_start(r"ddp_") + r"[A-Za-z0-9]{36}"),
    ("honeycomb-key", "hc", _at_start(r"hc[abcx][il]k_") + r"[a-z0-9]{50,}"),
    ("axiom-token", "xa", _at_start(r"xa[ap]t-") + _ID),
    ("adobe-secret", "p8e-", _at_start(r"p8e-") + r"[A-Za-z0-9_\-]{32}"),
    ("ory-token", "ory_", _at_start(r"ory_") + r"(?:pat|at|rt|apikey)_[A-Za-z0-9_\-.]{30,}"),
    ("zuplo-key", "zpka_", r"zpka_[0-9a-zA-Z]{32}_[0-9a-f]{8}"),
    ("paddle-key", "apikey_", r"pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}"),
    ("calendar-url", "private-", r"(?<=/private-)[0-9a-f]{32}"),
    ("launchdarkly-key", "sdk-", _at_start(r"sdk-") + _ID),
    ("launchdarkly-key", "api-", _at_start(r"api-") + _ID),
)
# Tokens marked by a rare capital, those marked by a dot, and the rest.
_CAPITALS: tuple[tuple[str, str, str], ...] = (
    ("aws-key-id", "A", r"A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("google-key", "AIza", r"AIza[A-Za-z0-9_\-]{30,}"),
    ("sendgrid-key", "SG.", _at_start(r"SG\.") + r"[A-Za-z0-9_\-]{16,40}\.[A-Za-z0-9_\-]{16,}"),
    ("twilio-key", "SK", r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("atlassian-token", "TT3", r"AT[AC]TT3[A-Za-z0-9_=\-]{20,}"),
    ("gitlab-token", "GR1348941", r"GR1348941[A-Za-z0-9_\-]{20,}"),
    ("aws-key", "ABSK", r"ABSK[A-Za-z0-9+/]{100,}={0,2}"),
    ("bitbucket-password", "ATBB", _at_start(r"ATBB") + r"[A-Za-z0-9]{24}[0-9A-F]{8}"),
    ("easypost-key", "EZ", _at_start(r"EZ[AT]K") + r"[A-Za-z0-9]{54}"),
    ("alibaba-key", "LTAI", _at_start(r"LTAI") + r"[A-Za-z0-9]{20}(?![A-Za-z0-9])"),
    ("azure-key", "+ASt", r"[A-Za-z0-9+/]{40,76}\+ASt[A-Za-z0-9+/]{5,8}={0,2}"),
    ("nats-seed", "SU", _at_start(r"SU[ACUO]") + r"(?=[A-Z]{0,54}[2-7])[A-Z2-7]{55}(?![A-Za-z0-9])"),
    ("aws-session", "IQoJb3", r"IQoJb3[A-Za-z0-9+/%]{100,}={0,2}"),
    ("aws-session", "FwoGZXIv", r"FwoGZXIv[A-Za-z0-9+/%]{100,}={0,2}"),
    ("firebase-key", ":APA91b", r"(?:AAAA[A-Za-z0-9_\-]{7})?:APA91b[A-Za-z0-9_\-]{100,}"),
    ("square-token", "EAAA", _at_start(r"EAAA") + r"[A-Za-z0-9_\-]{56,64}(?![A-Za-z0-9_\-])"),
    ("facebook-token", "EAA", _at_start(r"EAA[A-Z]") + r"[A-Za-z0-9]{100,}"),
    ("twitter-token", "A" * 19, r"A{19}(?<!A{20})A{0,5}(?=[A-Za-z0-9]{0,60}%[0-9A-F])[A-Za-z0-9%]{60,}"),
    ("intercom-token", "dG9rO", r"dG9rO[A-Za-z0-9+/]{50,}={0,2}"),
    ("artifactory-token", "AKCp", _at_start(r"AKCp") + r"[A-Za-z0-9]{60,}"),
    ("artifactory-token", "cmVmdGtuOj", r"cmVmdGtuOj[A-Za-z0-9]{40,}"),
    ("azure-key", "JQQJ99", r"[A-Za-z0-9]{30,60}JQQJ99[A-Za-z0-9]{20,}"),
    ("grafana-token", "eyJrIjoi", r"eyJrIjoi[A-Za-z0-9]{60,}={0,2}"),
    ("newrelic-key", "NRAL", r"(?<![0-9a-f])[0-9a-f]{36}(?:FFFF)?NRAL"),
    ("1password-key", "A3-", _at_start(r"A3-") + r"[A-Z0-9]{6}-[A-Z0-9]{6}(?:-[A-Z0-9]{5}){4}"),
    ("yandex-key", "AQVN", _at_start(r"AQVN") + r"[A-Za-z0-9_\-]{35,}"),
    # A private key in base64; a certificate or a public key starts differently.
    (
        "private-key",
        "LS0tLS1CRUdJTi",
        r"LS0tLS1CRUdJTi(?!BDRVJU|BQVUJM|BORVcg|BYNTA5|BUUlVT)[A-Za-z0-9+/]{40,}={0,2}"
        r"(?:(?:\s|\\+[nr]){1,4}[A-Za-z0-9+/]{60,}={0,2}){0,200}(?:(?:\s|\\+[nr]){1,4}[A-Za-z0-9+/]{1,75}={0,2})?",
    ),
    ("jenkins-secret", "{AQAAABAAAA", r"\{AQAAABAAAA[A-Za-z0-9+/=]{20,}\}"),
    ("salesforce-token", "!AQ", r"00D[A-Za-z0-9]{12,15}!AQ[A-Za-z0-9._]{60,}"),
    ("jwt", "eyJ", _JWT),
)
_DOTTED: tuple[tuple[str, str, str], ...] = (
    (
        "slack-webhook",
        "hooks.slack",
        r"(?<=hooks\.slack\.com/)(?:services|workflows|triggers)/(?!YOUR|T0{6})[A-Za-z0-9/_+\-]{16,}",
    ),
    ("discord-webhook", "/webhooks/", r"(?<=/webhooks/)[0-9]{10,}/[A-Za-z0-9_\-]{20,}"),
    ("google-token", "ya29.", _at_start(r"ya29\.") + r"[A-Za-z0-9_\-]{20,}"),
    ("vault-token", "hv", _at_start(r"hv[sbr]\.") + r"[A-Za-z0-9_\-]{20,}"),
    ("vault-token", "s.", _at_start(r"s\.") + _HAS_ALL + r"[A-Za-z0-9]{24}(?![A-Za-z0-9])"),
    ("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_\-]{40,}"),
    ("doppler-token", "dp.", _at_start(r"dp\.") + r"(?:pt|st|ct|sa)\.[A-Za-z0-9_\-.]{20,}"),
    ("dropbox-token", "sl.", _at_start(r"sl\.") + r"[A-Za-z0-9_\-]{100,}"),
    ("airtable-token", "pat", _at_start(r"pat") + r"[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("dynatrace-token", "dt0", r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{60,}"),
    ("teams-webhook", "IncomingWebhook/", r"[0-9a-f\-]{36}@[0-9a-f\-]{36}/IncomingWebhook/[A-Za-z0-9\-/_]{60,}"),
    ("amazon-token", "amzn.mws.", r"amzn\.mws\." + _ID),
    ("harness-key", "pat.", r"pat\.[A-Za-z0-9_\-]{22}\.[0-9a-zA-Z]{24}\.[A-Za-z0-9]{20}"),
    ("authress-key", ".acc", r"[a-z]{2,8}_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9\-]{10,32}\.[\w+/=\-]{30,}"),
    ("pagerduty-key", "/integration/", r"(?<=pagerduty\.com/integration/)[0-9a-f]{32}"),
    ("deploy-hook", "/deploy/", r"(?<=/integrations/deploy/)prj_[A-Za-z0-9]+/[A-Za-z0-9]+"),
    ("node-key", "infura.io/", r"(?:(?<=infura\.io/v3/)|(?<=infura\.io/ws/v3/))[0-9a-f]{32}"),
    ("node-key", ".quiknode.pro/", r"(?<=\.quiknode\.pro/)[0-9a-f]{40}"),
    ("ping-url", "hc-ping.com/", r"(?<=hc-ping\.com/)[0-9a-f\-]{36}"),
    ("node-key", "alchemy.com/v2/", r"(?<=alchemy\.com/v2/)[A-Za-z0-9_\-]{32}"),
    ("zapier-webhook", "hooks.zapier", r"(?<=hooks\.zapier\.com/hooks/catch/)[0-9]+/[A-Za-z0-9]+"),
)
_OTHERS: tuple[tuple[str, str, str], ...] = (
    ("google-token", "1//0", _at_start(r"1//0") + r"[A-Za-z0-9_\-]{30,}"),
    ("telegram-token", ":AA", r"(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_\-]{30,}"),
    ("databricks-token", "dapi", _at_start(r"dapi") + r"[0-9a-f]{32}(?:-[0-9])?"),
    ("twitch-token", "oauth:", _at_start(r"oauth:") + r"(?=[a-z]{0,29}[0-9])[a-z0-9]{30}(?![A-Za-z0-9])"),
    ("openshift-token", "sha256~", r"sha256~[A-Za-z0-9_\-]{43}"),
    ("signature", "ignature=", r"(?<=[?&\- ]Signature=)[A-Za-z0-9%+/~_\-]{20,}={0,2}"),
    ("signature", "ignature=", r"(?<=-signature=)[A-Za-z0-9%+/~_\-]{20,}={0,2}"),
    ("azure-secret", "Q~", r"[A-Za-z0-9_~.\-]{3}[0-9]Q~[A-Za-z0-9_~.\-]{30,}"),
    ("azure-key", "Key=", r"(?<=[a-z]Key=)[A-Za-z0-9+/]{20,}={0,2}"),
    ("maxmind-key", "_mmk", r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"),
    ("asana-token", "/", r"2/(?<![0-9]2/)[0-9]{16}(?:/[0-9]{16})?:[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("password-hash", "$", _CRYPT),
    ("wallet-key", "prv", r"[tuxyz]prv(?<![A-Za-z0-9]....)[1-9A-HJ-NP-Za-km-z]{100,112}"),
    ("crates-token", "cio", _at_start(r"cio") + _HAS_ALL + r"[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    ("nuget-key", "oy2", _at_start(r"oy2") + r"(?=[0-9]{0,42}[a-z])[a-z0-9]{43}(?![A-Za-z0-9])"),
    ("clickhouse-key", "4b1d", _at_start(r"4b1d") + _HAS_ALL + r"[A-Za-z0-9]{38}(?![A-Za-z0-9])"),
    ("confluent-secret", "cflt", _at_start(r"cflt") + _HAS_ALL + r"[A-Za-z0-9+/]{60}(?![A-Za-z0-9+/])"),
    ("azure-sas", "sig=", r"(?<=[?&;\s\"']sig=)[A-Za-z0-9%+/_\-]{20,}={0,2}"),
)

Token = tuple[str, str, re.Pattern[str]]


def _compiled(rows: tuple[tuple[str, str, str], ...]) -> tuple[Token, ...]:
    return tuple((kind, literal, re.compile(pattern)) for kind, literal, pattern in rows)


JOINED_TOKENS = tuple((kind, folded(literal), pattern) for kind, literal, pattern in _compiled(_JOINED))
CAPITAL_TOKENS, DOTTED_TOKENS, OTHER_TOKENS = _compiled(_CAPITALS), _compiled(_DOTTED), _compiled(_OTHERS)
DISCORD_TAIL = re.compile(r"\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27}")
DISCORD_TOKEN = re.compile(r"[MNO][A-Za-z0-9_\-]{22,27}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,}")

# A token of a vendor missing in the table: a short prefix, then a long run of random letters and digits.
PREFIXED_RUN = re.compile(
    r"[_\-]([A-Za-z0-9]{28,128})(?![A-Za-z0-9_\-+/=.])|[_\-]([A-Za-z0-9]{28,128})(?=[.\-_]?(?:\s|$|[.,;:)]\s))"
)
PREFIX_OF_RUN = re.compile(r"(?:^|[\s\"'`(\[{<>=:,|/])([A-Za-z][A-Za-z0-9]{1,11}(?:[_\-][a-z0-9]{1,8}){0,3})$")

# 32 hexadecimal digits are a hash unless one of these follows: keys of Mailchimp and Mailgun.
HEX_BEFORE = 32
HEX_KEY_TAIL = re.compile(
    r"-(?<=[0-9a-f]{32}-)(?<![0-9A-Za-z].{33})(?:us[0-9]{1,2}|[0-9a-f]{8}-[0-9a-f]{8})(?![A-Za-z0-9\-])"
)

# The private members of a JSON web key, and the private half of a PuTTY key file, which states its number of lines.
_WEB_KEY_MEMBER = re.compile(r"\\*[\"'](?:d|k|p|q|dp|dq|qi)\\*[\"']\s{0,4}:\s{0,4}\\*[\"']([A-Za-z0-9_\-]{20,})")
_PUTTY_KEY = re.compile(r"Private-Lines: \d{1,3}((?:(?:\r?\n|\\+n)[A-Za-z0-9+/=]{4,64}){1,100})")
KEY_PARTS = (("kty", _WEB_KEY_MEMBER), ("Private-Lines", _PUTTY_KEY))

# An AWS secret key has no prefix: forty characters of base64, accepted only beside a key id.
AWS_SECRET = re.compile(r"(?<![A-Za-z0-9+/=_\-])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=_\-])")

PRIVATE_KEY_BEGIN = re.compile(r"-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
PRIVATE_KEY_END = re.compile(r"-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
# The body of a key without its end: base64 lines, escaped newlines, armour headers.
PRIVATE_KEY_BODY = re.compile(r"(?:[A-Za-z0-9+/=\s:,.\-]|\\+[nrt])*")
PRIVATE_KEY_LINE = re.compile(r"[A-Za-z0-9+/]{24}")
# Numbered, quoted or marked lines that contain such a run, and the short last line after them.
PRIVATE_KEY_LINE_END = re.compile(r"\r?\n|\\+n")
PRIVATE_KEY_LINE_BETWEEN = re.compile(r"\W*\d*\W*(?:(?:Proc-Type|DEK-Info|Version|Comment)\b.*)?")
PRIVATE_KEY_PADDED = re.compile(r"\W{0,20}\d{0,8}\W{0,20}[A-Za-z0-9+/]{1,70}={1,2}")
PRIVATE_KEY_LAST_LINE = re.compile(r"\W{0,20}\d{0,8}\W{0,20}[A-Za-z0-9+/]{1,23}={0,2}\W{0,20}")

# scheme://user:password@host. Slashes end both parts, so the parts read from two "://" never overlap.
URL_PASSWORD = re.compile(r"(?<=://)([^\s/@:\"'`<>]{0,200}):([^\s/\"'`<>]+)(?=@)")
URL_PASSWORD_WITH_SLASH = re.compile(
    r"(?<=://)([A-Za-z0-9_.\-]{1,60}):([^\s@\"'`<>0-9$\{][^\s@\"'`<>]{0,100})(?=@[A-Za-z0-9])"
)
# The host in user:password@tcp(host)/database, as drivers for Go write it.
DSN_HOST = re.compile(r"@(?:(?:tcp[46]?|unix|cloudsql)\(|\((?=[\w.\-]{1,60}:\d{2,5}\))|/(?=\w{1,60}(?:[?\s\"'`]|$)))")
# A path that receives messages, resets a password or lets in: its last random part is the secret.
HOOK_PATH = re.compile(
    r"(?:/(?:[a-z_]{0,12}(hooks)|[a-z]{0,8}hook|incoming\w{0,12}|reset[_\-]?password|password[_\-]?reset|invite|magic|key|verify|confirm|activate)/"
    r"|//hook\.[\w.]{3,40}/)(?:[\w@.\-]{1,60}/){0,2}([A-Za-z0-9_\-]{16,})(?![\w.\-])"
)
HOOK_KEY = re.compile(r"(?:hook[\w/]{0,20}\?(?:key|token)|[?&](?:appid|hmac|sid))=([\w\-]{16,})")
URL_TOKEN = re.compile(r"(?<=://)([A-Za-z0-9_.~%\-]{16,})(?=@)")
