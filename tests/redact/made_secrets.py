"""Secrets built in code, each in several settings, and look-alikes that must stay: the set for measuring recall.

Every kind has the prefix, alphabet and length its vendor documents. The random part comes from a seed, so the set is
the same in every run and none of it opens anything. For texts that no rule was tuned on, see cold.py.
"""

import base64
import json
import random
import string
from collections.abc import Callable, Iterator
from typing import NamedTuple

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
BASE62 = LOWER + UPPER + DIGITS
BASE64 = BASE62 + "+/"
URL64 = BASE62 + "-_"
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
BASE36 = LOWER + DIGITS
BASE32 = UPPER + "234567"
BECH32 = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"
HEX = DIGITS + "abcdef"
UPPER_HEX = DIGITS + "ABCDEF"
# What the letters of a template stand for: `ghp_<36b>` is the prefix and 36 characters of base 62.
_ALPHABETS = {
    "b": BASE62,
    "u": URL64,
    "p": BASE64,
    "h": HEX,
    "H": UPPER_HEX,
    "d": DIGITS,
    "l": BASE36,
    "L": UPPER + DIGITS,
    "t": BASE32,
    "a": LOWER + UPPER,
    "z": LOWER,
    "Z": UPPER,
    "s": BASE58,
    "q": BECH32,
}


class Made(NamedTuple):
    kind: str
    setting: str
    text: str
    secret: str
    named: bool


def drawn(template: str, seed: str) -> str:
    """The template with every `<36b>` replaced by that many characters of that alphabet; `<uuid>` by a UUID."""
    chance = random.Random(seed)
    parts = template.replace("<uuid>", "<8h>-<4h>-4<3h>-a<3h>-<12h>").split("<")
    made = [parts[0]]
    for part in parts[1:]:
        size, _, rest = part.partition(">")
        made += ("".join(chance.choices(_ALPHABETS[size[-1]], k=int(size[:-1]))), rest)
    return "".join(made)


# Tokens that their vendor gave a shape of their own: kind, name of the variable, template.
TOKENS: tuple[tuple[str, str, str], ...] = (
    ("github-pat", "GITHUB_TOKEN", "ghp_<36b>"),
    ("github-oauth", "GH_TOKEN", "gho_<36b>"),
    ("github-app", "GITHUB_APP_TOKEN", "ghs_<36b>"),
    ("github-fine-grained", "GITHUB_PAT_TOKEN", "github_pat_<22b>_<59b>"),
    ("gitlab-pat", "GITLAB_TOKEN", "glpat-<20u>"),
    ("gitlab-routable", "GITLAB_API_TOKEN", "glpat-<27u>.01.0<8l>"),
    ("gitlab-runner", "RUNNER_TOKEN", "glrt-<20u>"),
    ("gitlab-registration", "REGISTRATION_TOKEN", "GR1348941<20u>"),
    ("gitlab-trigger", "TRIGGER_TOKEN", "glptt-<40h>"),
    ("slack-bot", "SLACK_BOT_TOKEN", "xoxb-<12d>-<13d>-<24b>"),
    ("slack-user", "SLACK_USER_TOKEN", "xoxp-<12d>-<12d>-<13d>-<32h>"),
    ("slack-app", "SLACK_APP_TOKEN", "xapp-1-A0<9L>-<13d>-<64h>"),
    ("slack-config", "SLACK_CONFIG_TOKEN", "xoxe.xoxp-1-<163b>"),
    ("slack-webhook", "SLACK_SECRET", "https://hooks.slack.com/services/T<10L>/B<10L>/<24b>"),
    ("discord-bot", "DISCORD_TOKEN", "MT<24b>.G<5b>.<38u>"),
    ("discord-webhook", "DISCORD_SECRET", "https://discord.com/api/webhooks/1<18d>/<68u>"),
    ("aws-key-id", "AWS_ACCESS_KEY", "AKIA<16t>"),
    ("aws-session-key-id", "AWS_ACCESS_KEY", "ASIA<16t>"),
    ("aws-bedrock", "BEDROCK_API_KEY", "ABSK<128p>"),
    ("aws-mws", "MWS_AUTH_TOKEN", "amzn.mws.<uuid>"),
    ("google-api-key", "GOOGLE_API_KEY", "AIza<35u>"),
    ("google-client-secret", "GOOGLE_CLIENT_SECRET", "GOCSPX-<28u>"),
    ("google-access", "GOOGLE_ACCESS_TOKEN", "ya29.a0<160u>"),
    ("google-refresh", "GOOGLE_REFRESH_TOKEN", "1//0<1d>g<95u>"),
    ("firebase-messaging", "FCM_SERVER_KEY", "AAAA<7u>:APA91b<134u>"),
    ("openai-legacy", "OPENAI_API_KEY", "sk-<20b>T3BlbkFJ<20b>"),
    ("openai-project", "OPENAI_API_KEY", "sk-proj-<74u>T3BlbkFJ<74u>"),
    ("openai-service", "OPENAI_API_KEY", "sk-svcacct-<58u>T3BlbkFJ<58u>"),
    ("openai-admin", "OPENAI_ADMIN_KEY", "sk-admin-<58u>T3BlbkFJ<58u>"),
    ("anthropic-api", "ANTHROPIC_API_KEY", "sk-ant-api03-<93u>AA"),
    ("anthropic-oauth", "ANTHROPIC_AUTH_TOKEN", "sk-ant-oat01-<93u>AA"),
    ("openrouter", "OPENROUTER_API_KEY", "sk-or-v1-<64h>"),
    ("deepseek", "DEEPSEEK_API_KEY", "sk-<32h>"),
    ("langfuse", "LANGFUSE_SECRET_KEY", "sk-lf-<uuid>"),
    ("elevenlabs", "ELEVENLABS_API_KEY", "sk_<48h>"),
    ("huggingface", "HF_TOKEN", "hf_<34a>"),
    ("groq", "GROQ_API_KEY", "gsk_<52b>"),
    ("xai", "XAI_API_KEY", "xai-<80b>"),
    ("replicate", "REPLICATE_API_TOKEN", "r8_<37b>"),
    ("perplexity", "PERPLEXITY_API_KEY", "pplx-<48b>"),
    ("nvidia", "NVIDIA_API_KEY", "nvapi-<64u>"),
    ("pinecone", "PINECONE_API_KEY", "pcsk_<6b>_<63b>"),
    ("cerebras", "CEREBRAS_API_KEY", "csk-<48l>"),
    ("fireworks", "FIREWORKS_API_KEY", "fw_<24b>"),
    ("together", "TOGETHER_API_KEY", "tgp_v1_<43u>"),
    ("tavily", "TAVILY_API_KEY", "tvly-dev-<32b>"),
    ("firecrawl", "FIRECRAWL_API_KEY", "fc-<32h>"),
    ("e2b", "E2B_API_KEY", "e2b_<40h>"),
    ("jina", "JINA_API_KEY", "jina_<32h><28u>"),
    ("apify", "APIFY_TOKEN", "apify_api_<36b>"),
    ("browserbase", "BROWSERBASE_API_KEY", "bb_live_<27u>"),
    ("langsmith", "LANGSMITH_API_KEY", "lsv2_pt_<32h>_<10h>"),
    ("stripe-secret", "STRIPE_SECRET_KEY", "sk_live_<24b>"),
    ("stripe-restricted", "STRIPE_RESTRICTED_KEY", "rk_live_<99b>"),
    ("stripe-webhook", "STRIPE_WEBHOOK_SECRET", "whsec_<32b>"),
    ("paystack", "PAYSTACK_SECRET_KEY", "sk_live_<40h>"),
    ("braintree", "BRAINTREE_ACCESS_TOKEN", "access_token$production$<16l>$<32h>"),
    ("flutterwave", "FLW_SECRET_KEY", "FLWSECK-<32h>-X"),
    ("plaid", "PLAID_ACCESS_TOKEN", "access-production-<uuid>"),
    ("square", "SQUARE_ACCESS_TOKEN", "sq0atp-<22u>"),
    ("square-v2", "SQUARE_TOKEN", "EAAA<60u>"),
    ("shopify", "SHOPIFY_ACCESS_TOKEN", "shpat_<32h>"),
    ("easypost", "EASYPOST_API_KEY", "EZAK<54b>"),
    ("shippo", "SHIPPO_API_TOKEN", "shippo_live_<40h>"),
    ("duffel", "DUFFEL_ACCESS_TOKEN", "duffel_live_<43u>"),
    ("sendgrid", "SENDGRID_API_KEY", "SG.<22u>.<43u>"),
    ("mailgun", "MAILGUN_API_KEY", "key-<32h>"),
    ("mailgun-signing", "MAILGUN_SIGNING_KEY", "<32h>-<8h>-<8h>"),
    ("mailchimp", "MAILCHIMP_API_KEY", "<32h>-us1<1d>"),
    ("brevo", "BREVO_API_KEY", "xkeysib-<64h>-<16b>"),
    ("resend", "RESEND_API_KEY", "re_<8b>_<24b>"),
    ("twilio", "TWILIO_API_KEY", "SK<32h>"),
    ("telegram", "TELEGRAM_BOT_TOKEN", "7<9d>:AA<33u>"),
    ("facebook", "FACEBOOK_ACCESS_TOKEN", "EAAC<180b>"),
    ("twitter-bearer", "TWITTER_BEARER_TOKEN", "AAAAAAAAAAAAAAAAAAAAA<7b>AAAAA<8b>%2F<30b>%3D<40b>"),
    ("twitch-irc", "TWITCH_OAUTH_TOKEN", "oauth:<30l>"),
    ("dropbox", "DROPBOX_ACCESS_TOKEN", "sl.<135u>"),
    ("intercom", "INTERCOM_ACCESS_TOKEN", "dG9rO<54p>="),
    ("hubspot", "HUBSPOT_ACCESS_TOKEN", "pat-na1-<uuid>"),
    ("npm", "NPM_TOKEN", "npm_<36b>"),
    ("pypi", "PYPI_TOKEN", "pypi-AgEIcHlwaS5vcmc<150u>"),
    ("rubygems", "GEM_HOST_API_KEY", "rubygems_<48h>"),
    ("crates", "CARGO_REGISTRY_TOKEN", "cio<32b>"),
    ("nuget", "NUGET_API_KEY", "oy2<43l>"),
    ("clojars", "CLOJARS_PASSWORD", "CLOJARS_<60h>"),
    ("docker", "DOCKER_TOKEN", "dckr_pat_<27u>"),
    ("docker-swarm", "SWARM_JOIN_TOKEN", "SWMTKN-1-<50l>-<25l>"),
    ("artifactory-key", "ARTIFACTORY_API_KEY", "AKCp<69b>"),
    ("artifactory-reference", "ARTIFACTORY_TOKEN", "cmVmdGtuOj<54b>"),
    ("openshift", "OPENSHIFT_TOKEN", "sha256~<43u>"),
    ("digitalocean", "DIGITALOCEAN_TOKEN", "dop_v1_<64h>"),
    ("cloudflare", "CLOUDFLARE_API_TOKEN", "cfut_<40b>"),
    ("cloudflare-origin", "CLOUDFLARE_ORIGIN_KEY", "v1.0-<24h>-<146h>"),
    ("heroku", "HEROKU_API_KEY", "HRKU-AA<58u>"),
    ("vercel", "VERCEL_TOKEN", "vcp_<56b>"),
    ("netlify", "NETLIFY_AUTH_TOKEN", "nfp_<36b>"),
    ("fly", "FLY_API_TOKEN", "fo1_<43u>"),
    ("fly-macaroon", "FLY_ACCESS_TOKEN", "fm2_lJPE<160p>"),
    ("render", "RENDER_API_KEY", "rnd_<28b>"),
    ("deno", "DENO_DEPLOY_TOKEN", "ddp_<36b>"),
    ("scalingo", "SCALINGO_API_TOKEN", "tk-us-<48u>"),
    ("supabase", "SUPABASE_ACCESS_TOKEN", "sbp_<40h>"),
    ("supabase-secret", "SUPABASE_SECRET_KEY", "sb_secret_<22u>_<8b>"),
    ("planetscale", "PLANETSCALE_TOKEN", "pscale_tkn_<43u>"),
    ("planetscale-password", "DATABASE_PASSWORD", "pscale_pw_<43u>"),
    ("neon", "NEON_API_KEY", "napi_<64l>"),
    ("mongodb-service-account", "ATLAS_CLIENT_SECRET", "mdb_sa_sk_<40u>"),
    ("aiven", "AIVEN_PASSWORD", "AVNS_<19u>"),
    ("clickhouse", "CLICKHOUSE_KEY_SECRET", "4b1d<38b>"),
    ("confluent", "CONFLUENT_API_SECRET", "cflt<60p>"),
    ("xata", "XATA_API_KEY", "xau_<40b>"),
    ("databricks", "DATABRICKS_TOKEN", "dapi<32h>"),
    ("azure-client-secret", "AZURE_CLIENT_SECRET", "<3b>8Q~<34u>"),
    ("azure-devops", "AZURE_DEVOPS_TOKEN", "<52b>JQQJ99<2Z>ACAAAAA<7b>AZDO<4b>"),
    ("azure-cognitive", "AZURE_OPENAI_API_KEY", "<52b>JQQJ99<2Z>AC<5b>XJ3w3AAABACOG<4b>"),
    ("azure-storage", "AZURE_STORAGE_KEY", "<76p>+ASt<6b>=="),
    ("grafana", "GRAFANA_TOKEN", "glsa_<32b>_<8h>"),
    ("grafana-cloud", "GRAFANA_CLOUD_TOKEN", "glc_eyJvIjoi<96b>"),
    ("grafana-legacy", "GRAFANA_API_KEY", "eyJrIjoi<84b>=="),
    ("vault", "VAULT_TOKEN", "hvs.CAES<90u>"),
    ("vault-batch", "VAULT_BATCH_TOKEN", "hvb.AAAAAQ<140u>"),
    ("terraform", "TF_API_TOKEN", "<14b>.atlasv1.<67b>"),
    ("pulumi", "PULUMI_ACCESS_TOKEN", "pul-<40h>"),
    ("linear", "LINEAR_API_KEY", "lin_api_<40b>"),
    ("notion", "NOTION_TOKEN", "ntn_<11d><35b>"),
    ("notion-integration", "NOTION_SECRET", "secret_<43b>"),
    ("airtable", "AIRTABLE_TOKEN", "pat<14b>.<64h>"),
    ("asana", "ASANA_ACCESS_TOKEN", "2/12<14d>/12<14d>:<32h>"),
    ("atlassian", "JIRA_API_TOKEN", "ATATT3xFfGF0<172u>=<8H>"),
    ("bitbucket-app", "BITBUCKET_APP_PASSWORD", "ATBB<24b><8H>"),
    ("figma", "FIGMA_TOKEN", "figd_<40u>"),
    ("postman", "POSTMAN_API_KEY", "PMAK-<24h>-<34h>"),
    ("contentful", "CONTENTFUL_TOKEN", "CFPAT-<43u>"),
    ("typeform", "TYPEFORM_TOKEN", "tfp_<44u>_<14u>"),
    ("readme", "README_API_KEY", "rdme_<70l>"),
    ("frameio", "FRAMEIO_TOKEN", "fio-u-<64u>"),
    ("newrelic", "NEW_RELIC_API_KEY", "NRAK-<27L>"),
    ("newrelic-license", "NEW_RELIC_LICENSE_KEY", "<36h>NRAL"),
    ("sentry-org", "SENTRY_AUTH_TOKEN", "sntrys_eyJpYXQiOjE<80b>_<43p>"),
    ("sentry-user", "SENTRY_TOKEN", "sntryu_<64h>"),
    ("dynatrace", "DYNATRACE_API_TOKEN", "dt0c01.<24L>.<64L>"),
    ("honeycomb", "HONEYCOMB_API_KEY", "hcaik_<58l>"),
    ("axiom", "AXIOM_TOKEN", "xaat-<uuid>"),
    ("posthog", "POSTHOG_API_KEY", "phx_<43b>"),
    ("launchdarkly", "LAUNCHDARKLY_SDK_KEY", "sdk-<uuid>"),
    ("sonar", "SONAR_TOKEN", "squ_<40h>"),
    ("sourcegraph", "SRC_ACCESS_TOKEN", "sgp_<16h>_<40h>"),
    ("circleci", "CIRCLECI_TOKEN", "CCIPAT_<22b>_<40h>"),
    ("buildkite", "BUILDKITE_API_TOKEN", "bkua_<40h>"),
    ("harness", "HARNESS_API_KEY", "pat.<22u>.<24h>.<20b>"),
    ("octopus", "OCTOPUS_API_KEY", "API-<26L>"),
    ("prefect", "PREFECT_API_KEY", "pnu_<36b>"),
    ("infracost", "INFRACOST_API_KEY", "ico-<32b>"),
    ("inngest", "INNGEST_SIGNING_KEY", "signkey-prod-<64h>"),
    ("doppler", "DOPPLER_TOKEN", "dp.pt.<43b>"),
    ("tailscale", "TAILSCALE_AUTH_KEY", "tskey-auth-k<11b>CNTRL-<32b>"),
    ("1password-service", "OP_SERVICE_ACCOUNT_TOKEN", "ops_eyJzaWduSW5BZGRy<280b>"),
    ("1password-secret-key", "OP_SECRET_KEY", "A3-<6L>-<6L>-<5L>-<5L>-<5L>-<5L>"),
    ("age", "AGE_SECRET_KEY", "AGE-SECRET-KEY-1<58q>"),
    ("nats-seed", "NATS_SEED_SECRET", "SUA<55t>"),
    ("wallet-extended-key", "WALLET_PRIVATE_KEY", "xprv9s21ZrQH143K<96s>"),
    ("maxmind", "MAXMIND_LICENSE_KEY", "<6b>_<29b>_mmk"),
    ("yandex-api", "YANDEX_API_KEY", "AQVN<36u>"),
    ("alibaba", "ALIBABA_ACCESS_KEY", "LTAI<20b>"),
    ("ory", "ORY_ACCESS_TOKEN", "ory_pat_<32b>"),
    ("authress", "AUTHRESS_ACCESS_KEY", "sc_<12l>.<4l>.acc-<12l>.<80b>"),
    ("zuplo", "ZUPLO_API_KEY", "zpka_<32h>_<8h>"),
    ("adobe", "ADOBE_CLIENT_SECRET", "p8e-<32u>"),
)

# Without a shape: nothing but the name beside tells them, so only that is asked.
OPAQUE: tuple[tuple[str, str, str], ...] = (
    ("aws-secret", "AWS_SECRET_ACCESS_KEY", "<40p>"),
    ("datadog", "DD_API_KEY", "<32h>"),
    ("datadog-app", "DATADOG_APP_KEY", "<40h>"),
    ("cloudflare-global", "CLOUDFLARE_API_KEY", "<37h>"),
    ("algolia", "ALGOLIA_ADMIN_API_KEY", "<32h>"),
    ("snyk", "SNYK_TOKEN", "<uuid>"),
    ("postmark", "POSTMARK_SERVER_TOKEN", "<uuid>"),
    ("mistral", "MISTRAL_API_KEY", "<32b>"),
    ("cohere", "COHERE_API_KEY", "<40b>"),
    ("okta", "OKTA_API_TOKEN", "00<40u>"),
    ("linode", "LINODE_TOKEN", "<64h>"),
    ("hetzner", "HCLOUD_TOKEN", "<64b>"),
    ("twitter-secret", "TWITTER_API_SECRET", "<50b>"),
    ("auth0", "AUTH0_CLIENT_SECRET", "<64u>"),
    ("django", "DJANGO_SECRET_KEY", "<50b>"),
    ("rails", "SECRET_KEY_BASE", "<128h>"),
    ("symmetric", "ENCRYPTION_KEY", "<43p>="),
    ("ethereum", "WALLET_PRIVATE_KEY", "0x<64h>"),
    ("password-generated", "DB_PASSWORD", "<16b>"),
    ("password-symbols", "ADMIN_PASSWORD", "<5b>!<4b>#<5b>"),
    ("password-memorable", "SMTP_PASSWORD", "Sommer<2d>Regen<3z>!"),
)

BARE_SETTINGS: tuple[tuple[str, str], ...] = (
    ("sentence", "I pasted {} into the form and it went through."),
    ("end-of-sentence", "Try again, this one should work: maybe {}."),
    ("table-cell", "| production | {} | 2024-05-01 | active |"),
    ("log-line", "2024-05-01T10:00:02Z INFO  client 10.0.0.4 connected using {} after 12 ms"),
    ("own-line", "$ pbpaste\n{}\n$ "),
    ("json-array", '{{"args": ["run", "{}", "-v"]}}'),
    ("backticks", "- replaced `{}` in the file"),
    ("argument", "./deploy.sh production {} --dry-run"),
)
URL_SETTING = ("url", "GET https://api.example.com/v1/{}/items?limit=5")
NAMED_SETTINGS: tuple[tuple[str, str], ...] = (
    ("shell", "export {NAME}={}"),
    ("dotenv-quoted", '{NAME}="{}"'),
    ("json", '{{"{name}": "{}", "region": "eu"}}'),
    ("yaml", "  {name}: {}\n  region: eu"),
    ("code", "const {camel} = '{}';"),
    ("option", "tool run --{dashed} {} --verbose"),
    ("query", "https://api.example.com/items?{name}={}&page=2"),
    ("prose", "The {words} is {} and it expires in May."),
    ("log-field", "level=info msg=start {name}={} region=eu"),
)


def _names(variable: str) -> dict[str, str]:
    words = variable.lower().split("_")
    return {
        "NAME": variable,
        "name": variable.lower(),
        "camel": words[0] + "".join(word.capitalize() for word in words[1:]),
        "dashed": "-".join(words),
        "words": " ".join(words),
    }


def _tokens() -> Iterator[Made]:
    for kind, variable, template in TOKENS:
        bare = BARE_SETTINGS if "/" in template else (*BARE_SETTINGS, URL_SETTING)
        for named, settings in ((False, bare), (True, NAMED_SETTINGS)):
            for setting, text in settings:
                secret = drawn(template, f"{kind} {setting}")
                # What must not survive is the random part; a vendor's prefix may stand in the marker.
                random_part = secret[template.index("<") :]
                yield _made(kind, setting, text.format(secret, **_names(variable)), random_part, named)


def _opaque() -> Iterator[Made]:
    for kind, variable, template in OPAQUE:
        for setting, text in NAMED_SETTINGS:
            secret = drawn(template, f"{kind} {setting}")
            if not (setting == "query" and set(secret) & set("+#!")):  # would be percent-encoded there
                yield _made(kind, setting, text.format(secret, **_names(variable)), secret, True)


def _made(kind: str, setting: str, text: str, secret: str, named: bool) -> Made:
    return Made(kind, setting, text, secret, named)


# Commands, files and addresses in which the place tells what is secret. Kind, whether a telling word (password, token,
# secret, key) stands beside it, the template of the secret, the texts.
PLACES: tuple[tuple[str, bool, str, tuple[str, ...]], ...] = (
    (
        "sqlcmd",
        False,
        "<6b>!<6b>",
        ("sqlcmd -S db.example.com -U sa -P '{}' -Q 'select 1'", "sqlcmd -U sa -P {} -d shop"),
    ),
    ("bcp", False, "<12b>", ("bcp shop.dbo.orders out o.csv -S db -U sa -P {} -c",)),
    (
        "ldapsearch",
        False,
        "<12b>",
        (
            "ldapsearch -x -D 'cn=admin,dc=example,dc=com' -w {} -b dc=example",
            "ldapmodify -D cn=admin -w '{}' -f change.ldif",
        ),
    ),
    ("7z", False, "<12b>", ("7z x -p{} backup.7z", "7za a -p'{}' -mhe=on out.7z src/")),
    ("zip", False, "<12b>", ("zip -r -P {} out.zip src", "unzip -P {} archive.zip -d out")),
    ("unrar", False, "<12b>", ("unrar x -p{} backup.rar",)),
    (
        "login-stdin",
        True,
        "<20b>",
        (
            "echo {} | docker login -u me --password-stdin registry.example.com",
            'echo "{}" | helm registry login -u me --password-stdin r.example.com',
            "printf '%s' '{}' | podman login --password-stdin -u me quay.io",
        ),
    ),
    ("docker-login", False, "<16b>", ("docker login -u me -p {} registry.example.com", "docker login -p='{}' -u me")),
    ("psql", True, "<14b>", ("PGPASSWORD={} psql -h db -U me shop", "PGPASSWORD='{}' pg_dump shop > shop.sql")),
    ("mysql", False, "<14b>", ("mysql -u root -p{} shop", "mysqldump -h db -uroot -p'{}' shop > s.sql")),
    ("mysql-option", True, "<14b>", ("mysqladmin --password={} -u root status", "MYSQL_PWD={} mysql -u root shop")),
    (
        "mongosh",
        False,
        "<14b>",
        ("mongosh -u admin -p {} --authenticationDatabase admin", "mongodump -u a -p '{}' -d x"),
    ),
    ("redis-cli", False, "<14b>", ("redis-cli -h cache -a {} ping", "redis-cli -a '{}' --no-auth-warning info")),
    ("redis-auth", False, "<14b>", ("REDISCLI_AUTH={} redis-cli ping", "127.0.0.1:6379> AUTH {}", "requirepass {}")),
    (
        "smbclient",
        False,
        "<14b>",
        ("smbclient //files/share -U 'me%{}' -c ls", "smbclient -U WORK/me%{} //files/share", "rpcclient -U me%{} dc1"),
    ),
    ("mount-cifs", True, "<14b>", ("mount -t cifs //files/share /mnt -o username=me,password={},vers=3.0",)),
    (
        "curl-user",
        False,
        "<14b>",
        (
            "curl -u me:{} https://api.example.com",
            "curl -sS --user 'me:{}' https://x.io/",
            "curl -fsSLu me:{} https://x.io",
        ),
    ),
    (
        "wget",
        True,
        "<14b>",
        ("wget --user=me --password={} https://x.io/f", "wget --http-password '{}' https://x.io/f"),
    ),
    ("ftp", False, "<14b>", ("lftp -u me,{} ftp.example.com", "ncftpput -u me -p {} ftp.example.com / f.txt")),
    (
        "sshpass",
        False,
        "<14b>",
        ("sshpass -p {} ssh me@host uptime", "sshpass -p'{}' scp f me@host:", "SSHPASS={} sshpass -e ssh h"),
    ),
    (
        "rclone",
        True,
        "<22u>",
        ("rclone config create r sftp host h user me pass {}", "[remote]\ntype = sftp\npass = {}\n"),
    ),
    ("restic", True, "<18b>", ("RESTIC_PASSWORD={} restic -r /backup snapshots", "export RESTIC_PASSWORD='{}'")),
    ("borg", True, "<18b>", ("BORG_PASSPHRASE='{}' borg list /backup",)),
    ("gpg", True, "<18b>", ("gpg --batch --passphrase {} -d f.gpg", "gpg --batch --passphrase='{}' -c f")),
    (
        "openssl",
        True,
        "<18b>",
        (
            "openssl rsa -in k.pem -passin pass:{} -out o.pem",
            "openssl enc -aes-256-cbc -k {} -in f -out f.enc",
            "openssl pkcs12 -export -passout pass:'{}' -in c.pem",
        ),
    ),
    (
        "keytool",
        True,
        "<12b>",
        ("keytool -list -keystore k.jks -storepass {}", "keytool -genkey -keypass '{}' -alias a"),
    ),
    ("jarsigner", True, "<12b>", ("jarsigner -keystore k.jks -storepass {} app.jar alias",)),
    ("az-login", False, "<3b>8Q~<34u>", ("az login --service-principal -u 11 -p {} --tenant t",)),
    ("htpasswd", False, "<12b>", ("htpasswd -bc .htpasswd me {}", "htpasswd -nbB me {}")),
    (
        "net-use",
        False,
        "<12b>",
        (
            "net use Z: \\\\files\\share /user:WORK\\me {}",
            "net use \\\\files\\share {} /user:me",
            "net user me {} /add",
        ),
    ),
    ("cmdkey", True, "<12b>", ("cmdkey /add:files /user:me /pass:{}",)),
    (
        "expect",
        True,
        "<12b>",
        (
            'expect "assword:"\nsend "{}\\r"\n',
            'expect -c \'spawn ssh me@h; expect "password:"; send "{}\\r"; interact\'',
        ),
    ),
    (
        "chpasswd",
        True,
        "<12b>",
        ("echo 'me:{}' | chpasswd", "echo me:{} | sudo chpasswd", "echo {} | passwd --stdin me"),
    ),
    ("sudo-stdin", False, "<12b>", ("echo {} | sudo -S apt-get update", "echo '{}' | sudo -S -k whoami")),
    ("snmp", False, "<12b>", ("snmpwalk -v3 -u me -l authPriv -A {} -X other1234 host",)),
    ("ipmitool", False, "<12b>", ("ipmitool -I lanplus -H bmc -U admin -P {} power status",)),
    ("xfreerdp", False, "<12b>", ("xfreerdp /u:me /p:{} /v:host", "rdesktop -u me -p {} host")),
    ("mosquitto", False, "<12b>", ("mosquitto_pub -h mq -u me -P {} -t t -m hi",)),
    ("vncviewer", True, "<8b>", ("x11vnc -passwd {} -display :0",)),
    ("twine", True, "<20b>", ("twine upload -u me -p {} dist/*", "TWINE_PASSWORD={} twine upload dist/*")),
    ("svn", True, "<12b>", ("svn co https://x.io/svn --username me --password {}",)),
    ("nmcli", True, "<12b>", ("nmcli dev wifi connect Home password {}", "wpa_passphrase Home {}")),
    ("wireguard", True, "<43p>=", ("[Interface]\nPrivateKey = {}\nAddress = 10.0.0.2/32",)),
    ("cqlsh", False, "<12b>", ("cqlsh -u cassandra -p {} db.example.com",)),
    ("sqlplus", False, "<12b>", ("sqlplus scott/{}@//db.example.com:1521/XE", "sqlplus system/{}@orcl")),
    ("influx", True, "<12b>", ("influx -username admin -password {} -execute 'show databases'",)),
    ("vault-kv", True, "<14b>", ("vault kv put secret/app password={}", "vault login {}")),
    ("kubectl-secret", True, "<14b>", ("kubectl create secret generic app --from-literal=password={}",)),
    ("heroku-config", True, "<20b>", ("heroku config:set API_KEY={} -a app",)),
    (
        "netrc",
        True,
        "<14b>",
        ("machine api.example.com\n  login me\n  password {}\n", "machine x.io login me password {}"),
    ),
    ("pgpass", False, "<14b>", ("$ cat ~/.pgpass\ndb.example.com:5432:shop:me:{}\n", "localhost:5432:*:postgres:{}")),
    (
        "aws-credentials",
        True,
        "<40p>",
        ("[default]\naws_access_key_id = AKIA2E0A8F3B244C9986\naws_secret_access_key = {}\n",),
    ),
    ("aws-pair", False, "<40p>", ("AKIA2E0A8F3B244C9986,{}", "the pair AKIA2E0A8F3B244C9986 / {} is for staging")),
    ("aws-session", True, "FwoGZXIvYXdzE<300p>=", ("aws_session_token = {}", "AWS_SESSION_TOKEN={}")),
    ("aws-session-bare", False, "IQoJb3JpZ2luX2Vj<300p>=", ("it returned {} and a date", "| session | {} |")),
    ("docker-config", True, "<40b>", ('{{"auths": {{"https://index.docker.io/v1/": {{"auth": "{}="}}}}}}',)),
    ("docker-config-token", True, "<60u>", ('{{"auths": {{"quay.io": {{"identitytoken": "{}"}}}}}}',)),
    (
        "kubeconfig",
        True,
        "LS0tLS1CRUdJTi<400p>",
        ("    client-key-data: {}==\n", '{{"user": {{"client-key-data": "{}"}}}}'),
    ),
    ("kubeconfig-token", True, "<60u>", ("users:\n- name: me\n  user:\n    token: {}\n",)),
    (
        "wp-config",
        True,
        "<10b>|<10b>*<10b>(<10b>&<10b>)<9b>",
        (
            "define('AUTH_KEY',         '{}');",
            "define( 'LOGGED_IN_SALT', '{}' );",
            "define('NONCE_KEY', '{}');",
            "define('SECURE_AUTH_SALT', '{}');",
        ),
    ),
    ("wp-password", True, "<14b>", ("define( 'DB_PASSWORD', '{}' );",)),
    (
        "amz-presigned",
        True,
        "<64h>",
        ("https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=300&X-Amz-Signature={}",),
    ),
    (
        "amz-security-token",
        True,
        "IQoJb3JpZ2luX2Vj<80b>%2F<200b>%3D",
        ("https://b.s3.amazonaws.com/k?X-Amz-Security-Token={}&X-Amz-Date=20240501T000000Z",),
    ),
    ("goog-presigned", True, "<256h>", ("https://storage.googleapis.com/b/o?X-Goog-Expires=900&X-Goog-Signature={}",)),
    (
        "cloudfront",
        True,
        "<80u>~<80u>__",
        ("https://d1.cloudfront.net/f?Expires=1714550400&Signature={}&Key-Pair-Id=K2",),
    ),
    (
        "azure-sas",
        True,
        "<43b>%3D",
        (
            "https://a.blob.core.windows.net/c/f?sv=2022-11-02&se=2024-05-01&sr=b&sp=r&sig={}",
            "sv=2022-11-02&sp=rl&sig={}",
        ),
    ),
    ("azure-connection", True, "<86p>==", ("AccountName=shop;AccountKey={};EndpointSuffix=core.windows.net",)),
    (
        "azure-bus",
        True,
        "<43p>=",
        ("Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={}",),
    ),
    (
        "url-password",
        False,
        "<14b>",
        (
            "postgres://me:{}@db.example.com:5432/shop",
            "amqps://me:{}@mq.example.com/v",
            "git clone https://me:{}@x.io/r.git",
        ),
    ),
    ("sql-password", True, "<14b>", ("CREATE USER app WITH PASSWORD '{}';", "ALTER USER 'a'@'%' IDENTIFIED BY '{}';")),
    (
        "connection-string",
        True,
        "<14b>",
        ("Server=db;Database=shop;User Id=sa;Password={};Encrypt=True", "Uid=me;Pwd={};"),
    ),
    (
        "prose-password",
        True,
        "<12b>",
        (
            "the password is {}",
            "Password is: {} (change it soon)",
            "pw: {}",
            "login with admin / password {} on staging",
            "my password for the staging box is {}, please use it",
            "username: admin, password: {}",
            "use the password `{}` for the database",
            "PIN/passphrase -> {}",
            "das Passwort ist {}",
            "pwd is {}",
        ),
    ),
    (
        "prose-token",
        True,
        "<32b>",
        (
            "API key: {}",
            "the token is {}",
            "here is the API key: {}",
            "Your new secret key is {}. Store it now.",
            "access token = {}",
            "use this token: {}",
            "**API Key:** `{}`",
            "auth token {} was rejected",
            "Client secret\n{}\n",
            "| API key | {} |",
        ),
    ),
    (
        "headers",
        True,
        "<40b>",
        (
            "Authorization: Bearer {}",
            "curl -H 'X-Api-Key: {}' https://x.io",
            "Cookie: session={}; theme=dark",
            "Proxy-Authorization: Basic {}=",
            "X-Vault-Token: {}",
            'headers={{"apikey": "{}"}}',
        ),
    ),
    (
        "xml",
        True,
        "<20b>",
        ("<password>{}</password>", '<add key="ApiKey" value="{}" />', '<setting name="Token">{}</setting>'),
    ),
    ("toml", True, "<20b>", ('[registry]\ntoken = "{}"', "secret_key = '{}'")),
    ("npmrc", True, "<40b>", ("//registry.npmjs.org/:_authToken={}", "_auth={}==", "//r.io/:_password={}")),
    ("php", True, "<20b>", ("$config['password'] = '{}';", "'secret' => env('SECRET', '{}'),")),
    ("java", True, "<20b>", ("spring.datasource.password={}", 'private static final String API_KEY = "{}";')),
    ("go", True, "<20b>", ('apiKey := "{}"', 'os.Setenv("API_TOKEN", "{}")')),
    ("terraform-variables", True, "<20b>", ('db_password = "{}"', 'variable "token" {{\n  default = "{}"\n}}')),
    ("ansible", True, "<20b>", ("ansible_become_pass: {}", "ansible_ssh_pass={}")),
    ("github-actions", True, "<30b>", ("gh secret set DEPLOY_KEY --body {}", "echo '{}' | gh secret set NPM_TOKEN")),
    ("totp", True, "<32t>", ("otpauth://totp/x:me?secret={}&issuer=x", "TOTP secret: {}")),
    ("sentry-dsn", False, "<32h>", ("https://{}@o12345.ingest.sentry.io/678",)),
    (
        "teams-webhook",
        False,
        "<32h>/<uuid>",
        ("https://x.webhook.office.com/webhookb2/<uuid>@<uuid>/IncomingWebhook/{}",),
    ),
    ("zapier-webhook", False, "<7l>", ("https://hooks.zapier.com/hooks/catch/1234567/{}/",)),
)


def _places() -> Iterator[Made]:
    for kind, named, template, texts in PLACES:
        for number, text in enumerate(texts):
            for take in range(2):
                seed = f"{kind} {number} {take}"
                secret = drawn(template, seed)
                yield _made(kind, f"place {number}", drawn_around(text, secret, seed), secret, named)


def drawn_around(text: str, secret: str, seed: str) -> str:
    return drawn(text.format(secret), seed + " around") if "<uuid>" in text else text.format(secret)


def _encoded(data: dict[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(data, separators=(",", ":")).encode()).decode().rstrip("=")


def _web_token(seed: str) -> str:
    head = _encoded({"alg": "HS256", "typ": "JWT"})
    return f"{head}.{_encoded({'sub': drawn('<10d>', seed), 'iat': 1714550400})}.{drawn('<43u>', seed)}"


def pem_body(seed: str, lines: int = 12) -> list[str]:
    return ["MII" + drawn("<61p>", seed), *(drawn("<64p>", f"{seed}{n}") for n in range(lines)), drawn("<30p>==", seed)]


def _private_keys() -> Iterator[Made]:
    for number, label in enumerate(("RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY")):
        body = pem_body(label)
        begin, end = f"-----BEGIN {label}-----", f"-----END {label}-----"
        whole, middle = "\n".join([begin, *body, end]), body[len(body) // 2]
        yield _made("pem", f"whole {number}", whole, middle, True)
        yield _made("pem-escaped", f"json {number}", json.dumps({"private_key": whole}), middle, True)
        yield _made("pem-tail", f"tail {number}", "\n".join([*body[5:], end, "$ "]), middle, True)
        yield _made("pem-tail", f"first line {number}", "\n".join([*body[5:], end, "$ "]), body[5], True)
        yield _made("pem-head", f"head {number}", "\n".join([begin, *body[:8]]), middle, True)
        encoded = base64.b64encode(whole.encode()).decode()
        yield _made("pem-base64", f"line {number}", f"tls.key: {encoded}", encoded[200:], True)
        yield _made("pem-base64-bare", f"bare {number}", f"$ base64 -w0 key.pem\n{encoded}\n$ ", encoded[40:], False)
        wrapped = "\n".join(encoded[i : i + 76] for i in range(0, len(encoded), 76))
        yield _made("pem-base64-bare", f"wrapped {number}", f"$ base64 key.pem\n{wrapped}\n$ ", encoded[160:220], False)


def _json_web_keys() -> Iterator[Made]:
    for number in range(4):
        seed = f"jwk {number}"
        secret, x, y = drawn("<43u>", seed), drawn("<43u>", seed + "x"), drawn("<43u>", seed + "y")
        yield _made(
            "jwk-ec", f"{number}", json.dumps({"kty": "EC", "crv": "P-256", "x": x, "y": y, "d": secret}), secret, True
        )
        long = drawn("<342u>", seed)
        yield _made(
            "jwk-rsa", f"{number}", json.dumps({"kty": "RSA", "e": "AQAB", "d": long, "n": x * 8}, indent=2), long, True
        )
        yield _made("jwk-oct", f"{number}", json.dumps({"kty": "oct", "k": secret, "alg": "HS256"}), secret, True)


def _web_tokens() -> Iterator[Made]:
    for named, settings in ((False, (*BARE_SETTINGS, URL_SETTING)), (True, NAMED_SETTINGS)):
        for setting, text in settings:
            secret = _web_token(f"jwt {setting}")
            yield _made("jwt", setting, text.format(secret, **_names("ACCESS_TOKEN")), secret, named)


def made_secrets() -> list[Made]:
    families: tuple[Callable[[], Iterator[Made]], ...] = (
        _tokens,
        _opaque,
        _places,
        _private_keys,
        _json_web_keys,
        _web_tokens,
    )
    return [made for family in families for made in family()]
