"""Texts that look like secrets but are not: hashes, ids, encoded data, code about passwords, placeholders."""

import base64
import random

from tests.redact.made_secrets import drawn

# Random parts are drawn as for secrets; three takes of each.
_DRAWN: tuple[str, ...] = (
    # hashes of contents and commits
    "commit <40h>",
    "<7h> Fix the parser (#123)",
    "Merge: <10h> <10h>",
    "index <7h>..<7h> 100644",
    "From <40h> Mon Sep 17 00:00:00 2001",
    "git cherry-pick <40h>",
    "<40h> refs/heads/main",
    "<64h>  dist/app-1.2.3.tar.gz",
    "<32h>  image.iso",
    "SHA256 (file) = <64h>",
    "sha256:<64h>",
    "digest: sha256:<64h>",
    "FROM python:3.12@sha256:<64h>",
    "--hash=sha256:<64h>",
    'url = "https://files.pythonhosted.org/packages/<2h>/<2h>/<60h>/click-8.1.7.whl"',
    '"integrity": "sha512-<86p>=="',
    'resolved "https://registry.yarnpkg.com/lodash/-/lodash-4.17.21.tgz#<40h>"',
    'integrity="sha384-<64p>" crossorigin="anonymous"',
    'checksum = "<64h>"',
    "golang.org/x/net v0.17.0 h1:<43p>=",
    'narHash = "sha256-<43p>=";',
    "/nix/store/<32l>-hello-2.12.1/bin/hello",
    'ETag: "<32h>"',
    'W/"<4h>-<27p>"',
    "Docker-Content-Digest: sha256:<64h>",
    "Successfully built <12h>",
    "container <64h> exited",
    "cache key: node-modules-Linux-<64h>",
    "main.<8h>.chunk.js",
    "assets/index-<8u>.css",
    "vendor~app.<20h>.js.map",
    "content_hash: <64h>",
    "fingerprint: SHA256:<43p>",
    "MD5 fingerprint <2h>:<2h>:<2h>:<2h>:<2h>:<2h>:<2h>:<2h>",
    # identifiers
    "id: <uuid>",
    "session <uuid> started",
    "GET /v1/users/<uuid>/orders 200",
    "request_id=<uuid>",
    "trace_id=<32h> span_id=<16h>",
    "traceparent: 00-<32h>-<16h>-01",
    "toolu_01<22b>",
    "msg_01<22b>",
    "req_011C<20b>",
    "chatcmpl-<29b>",
    "call_<24b>",
    "resp_<48h>",
    "run_<24b>",
    "thread_<24b>",
    "asst_<24b>",
    "file-<24b>",
    "cus_<14b>",
    "pi_<24b>",
    "ch_<24b>",
    "evt_<24b>",
    "price_<24b>",
    "acct_<16b>",
    "prod_<14b>",
    "sub_<24b>",
    "in_<24b>",
    "cs_test_a1<56b>",
    "AC<32h>",
    "MG<32h>",
    "PRRT_kwDO<20b>",
    "MDQ6VXNlcj<8b>==",
    "ami-<17h>",
    "i-<17h>",
    "vpc-<17h>",
    "sg-<17h>",
    "subnet-<8h>",
    "arn:aws:iam::<12d>:role/deploy-role",
    "arn:aws:kms:eu-west-1:<12d>:key/<uuid>",
    "projects/p/locations/eu/jobs/<19d>",
    "spanId <16h>",
    "ObjectId('<24h>')",
    '{{"_id": "<24h>"}}',
    "01H<23L>",
    "video https://youtu.be/<11u>",
    "https://docs.google.com/document/d/1<43u>/edit",
    "https://www.figma.com/file/<22b>/Design",
    "https://github.com/o/r/commit/<40h>",
    "https://github.com/o/r/blob/<40h>/src/a.py#L10",
    "https://example.com/a/<32h>.png?v=<8h>",
    "https://cdn.example.com/<uuid>/image.webp",
    "https://gist.github.com/me/<32h>",
    "0x<40h>",
    "0x<64h>",
    "bc1q<38l>",
    "pod/web-<10l>-<5l> Running",
    "deployment-<8l>-<5l>",
    "_next/static/<21u>/_buildManifest.js",
    "worker-<12h>.log",
    "tmp/pytest-of-me/pytest-12/test_a0/<32h>",
    "/tmp/tmp<8l>/out.json",
    "__pycache__/mod.cpython-312.pyc <16h>",
    "offset <8h>: <4h> <4h> <4h> <4h> <4h> <4h> <4h> <4h>",
    "crc32=<8h> size=123456",
    "BuildID[sha1]=<40h>, not stripped",
    "user_<27b>",
    "org_<27b>",
    "pk_live_<24b>",
    "pk_test_<24b>",
    "price_1<24b> is the monthly plan",
    "G-<10L>",
    "UA-<8d>-1",
    "GTM-<7L>",
    "ca-pub-<16d>",
    "<12d>-<32l>.apps.googleusercontent.com",
    "sb_publishable_<22u>_<8b>",
    "phc_<43b>",
    # encoded data
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA<120p>",
    "data:font/woff2;base64,d09GMgABAAAA<160p>",
    'src="data:image/gif;base64,R0lGODlhAQAB<40p>"',
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC<200p> me@host",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI<43p> me@host",
    "github.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI<43p>",
    "-----BEGIN CERTIFICATE-----\nMII<61p>\n<64p>\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMII<61p>\n<40p>\n-----END PUBLIC KEY-----",
    "-----BEGIN PGP SIGNATURE-----\n\niQIz<60p>\n<64p>\n-----END PGP SIGNATURE-----",
    '"mappings": ";AAAA<60b>,CAAC<40b>"',
    "certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t<200p>",
    "//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjoz<80b>",
    "PublicKey = <43p>=",
    '{{"kty": "RSA", "n": "<200u>", "e": "AQAB"}}',
    '{{"kty": "EC", "crv": "P-256", "x": "<43u>", "y": "<43u>"}}',
    # generated names
    "css-<6l>-MuiButton-root",
    'class="sc-<6b> <5b>"',
    ".Button_root__<5b> {{ color: red }}",
    "jss<3d> makeStyles-root-<2d>",
    'data-testid="row-<8h>"',
    'data-v-<8h>=""',
    ":r<1l>: radix-:r<1l>:",
    "k8s_POD_web_default_<uuid>_0",
    "Version: 1.2.3-<12d>-<12h>",
    "v0.0.0-20240501120000-<12h>",
    "1.0.0-beta.<3d>+sha.<7h>",
    "linux-headers-6.5.0-<2d>-generic",
    "snapshot-2024-05-01T10-00-00-<6l>",
)

_WRITTEN = """\
password = get_password()
password = getpass.getpass("Password: ")
token = await fetchToken(user.id)
const token = req.headers.authorization?.split(" ")[1]
api_key = os.environ["OPENAI_API_KEY"]
apiKey: process.env.OPENAI_API_KEY!,
let secret = std::env::var("SECRET_KEY").unwrap();
password := os.Getenv("DB_PASSWORD")
$password = $_POST['password'];
String password = request.getParameter("password");
self.token = token or self._load_token()
if not token: raise AuthError("token missing")
assert user.check_password(password)
return hashlib.sha256(password.encode()).hexdigest()
user.password_hash = bcrypt.hashpw(password, salt)
def test_password_reset_token_expires_after_24_hours(): ...
it("rejects a token that was revoked", async () => {
test_login_with_wrong_password_returns_401 PASSED
FAILED tests/test_auth.py::test_token_refresh_v2 - AssertionError
"login.password.placeholder": "Enter your password",
t("settings.apiKey.rotate.confirm2")
auth.token.expired=Your token has expired
errors.password_too_short_8: Password must have 8 characters
OPENAI_API_KEY=sk-your-key-here
OPENAI_API_KEY=sk-...
export ANTHROPIC_API_KEY="sk-ant-your-key"
ANTHROPIC_API_KEY=sk-ant-xxxxxxxxxxxx
GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
GITHUB_TOKEN=ghp_your_token_here
STRIPE_KEY=sk_test_...
token: <your-token>
password: <password>
--password <PASSWORD>
-p $PASSWORD
mysql -u root -p
mysql -u root -p shop
mongosh -u admin -p
mongosh -u admin -p --authenticationDatabase admin
redis-cli -a $REDIS_PASSWORD ping
redis-cli -h localhost -p 6379 ping
psql -h localhost -p 5432 -U me shop
ssh -p 2222 me@host
ssh -i ~/.ssh/ci-deploy-key root@10.20.30.40 uptime
scp -i keys/api-token user2@host7.example.com:f .
scp -P 2222 file me@host:
sqlcmd -S db -U sa -P "$SA_PASSWORD"
sqlcmd -S db -U sa -P ${SA_PASSWORD}
ldapsearch -x -D cn=admin -W -b dc=example
ldapsearch -x -D cn=admin -w "$LDAP_PW" -b dc=example
7z x archive.7z -oout
7z a -p out.7z src/
zip -r out.zip src -x '*.pyc'
unzip -p archive.zip file.txt
unzip -P "$ZIP_PASS" archive.zip
echo "$TOKEN" | docker login -u me --password-stdin
cat token.txt | docker login -u me --password-stdin ghcr.io
docker login -u me --password-stdin < token.txt
docker run -p 8080:80 -u 1000:1000 nginx
mkdir -p build/output/v2
cp -p source1 target2
ps -p 12345 -o comm
tar -xpf archive.tar
PGPASSWORD="$DB_PASSWORD" psql -h db
PGPASSWORD=${DB_PASSWORD} psql
DBPASSWORD=$PASSWORD GHTOKEN=${TOKEN} make deploy
MAXTOKEN=4096 NOTOKEN=1 SUBTOKEN=word make
nexttoken = lexer.advance()
smbclient //files/share -U me
smbclient -U "me%$PASS" //files/share
curl -u "$USER:$TOKEN" https://api.example.com
curl -u me https://api.example.com
curl -u me:$TOKEN https://api.example.com
curl -H "Authorization: Bearer $TOKEN" https://api.example.com
curl -H "Authorization: Bearer ${TOKEN}" https://api.example.com
curl -H "Authorization: Bearer <token>" https://api.example.com
Authorization: Bearer YOUR_TOKEN
wget --user=me --ask-password https://x.io
sshpass -e ssh me@host
sshpass -f passfile ssh me@host
sshpass -p "$PW" ssh me@host
gpg --batch --passphrase-fd 0 -d f.gpg
gpg --passphrase-file pass.txt -d f.gpg
openssl rsa -in k.pem -passin env:KEYPASS
openssl rsa -in k.pem -passin file:pass.txt
openssl rand -hex 32
openssl enc -d -aes-256-cbc -pbkdf2 -in f
keytool -list -keystore k.jks -storepass $PASS
az login --service-principal -u $ID -p $SECRET --tenant $TENANT
htpasswd -c .htpasswd me
net use Z: \\\\files\\share /persistent:yes
net use \\\\files\\share *
expect "password:" { send "$password\\r" }
echo "$PASS" | sudo -S apt-get update
echo done | sudo tee /etc/motd
echo hello world | wc -c
make -p | grep target2
twine upload dist/*
vault login
vault login -method=oidc
vault kv get secret/app
kubectl create secret generic app --from-env-file=.env
kubectl get secret app -o jsonpath='{.data.password}'
gh secret set NPM_TOKEN < token.txt
gh auth token
heroku config:set NODE_ENV=production
otpauth://totp/x?secret=SECRET&issuer=x
requirepass yourpassword
the password is wrong
the password is required
The password is incorrect, try again
the password is stored in the vault
password is too short
Password is case sensitive.
your password is at least 8 characters long
the token is expired
the token is invalid or has expired
The token is a JWT signed with RS256
the token is refreshed every 30 minutes
the API key is missing
the api key is read from the environment
The secret is mounted at /run/secrets/db_password
secret key is not configured
use the password from 1Password
use this token: $GITHUB_TOKEN
login with the password of user2
pw: string
pw: ********
API key: not set
API key: configured
API key: ${API_KEY}
API Key: required
the key is `user:42:profile`
the key is 16 bytes long
the cache key is user_profile_v2
cookie: theme=$THEME
max_tokens: 4096
"input_tokens": 12345, "output_tokens": 678
total tokens used: 123456
tokens_per_second=1234.56
token budget is 200000
tokenizer.json sha256 mismatch
token = tokens[i + 1]
Unexpected token 'export' at line 12
unexpected token: IDENT2
passed 12 tests, 3 failed in 4.56s
pass 1/3: collecting
pass: 12, fail: 3
compass: north2
bypass = true
keyboard: qwerty123
monkey: banana42
primary_key=True
foreign_key="users.id"
sort_key = "created_at_2"
key="item-42"
key: "ArrowDown"
"key": "user.profile.v2.title"
publicKey: "ssh-ed25519"
partitionKey: /tenantId2
keyCode === 13
KEY_F12 = 123
api_key_header = "X-API-Key"
apiKeyName: "x-api-key-2"
secretName: db-credentials-v2
secretKeyRef:
  name: app-secret
  key: password
passwordField.setText("")
<input type="password" id="password2" name="password2">
<label for="password">Password</label>
password_regex = re.compile(r"^.{8,}$")
password: z.string().min(8).max(64)
password: Joi.string().required()
password: str = Field(min_length=8)
password: String? = nil
passwordConfirm: this.form.password2
"password": {"type": "string", "minLength": 8}
"token": {"$ref": "#/components/schemas/Token2"}
credentials: "include",
credentials: admin.credential.cert(serviceAccount2)
auth: { user, pass }
auth=("user", password)
auth: oauth2
cred = DefaultAzureCredential()
secrets: inherit
${{ secrets.NPM_TOKEN }}
{{ vault_db_password }}
password: "{{ lookup('env', 'DB_PASSWORD') }}"
password: !vault |
DB_PASSWORD_FILE=/run/secrets/db
TOKEN_URL=https://auth.example.com/oauth2/token
PASSWORD_MIN_LENGTH=12
SECRET_ROTATION_DAYS=90
TOKEN_TTL=3600
AUTH_TOKEN_EXPIRES_IN=7d
PASSWORD_RESET_TIMEOUT=259200
hunter wrote the password manager in 2019
postgres://user:password@localhost:5432/db?sslmode=disable is wrong if <password> is empty
postgres://$USER:$PASS@localhost/db
postgres://${USER}:${PASS}@localhost/db
mongodb://<user>:<password>@host/db
https://user@example.com/repo.git
git@github.com:owner/repo.git
me@example.com:/srv/data
https://example.com/reset?token=<token>
https://example.com/cb?code=:code&state=:state
https://example.com/a?sig=none
X-Amz-Algorithm=AWS4-HMAC-SHA256
X-Amz-Signature=<signature>
signature: (a: number, b: string) => Promise<void>
"d": "M10 10 L20 20 Z"
"d": "2024-05-01T10:00:00.000Z"
<path d="M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2z"/>
"k": "value2", "kty": "RSA"
"auth": "required"
"auth": "none"
"auth": "oauth2"
define('WP_DEBUG', true);
define('AUTH_KEY', 'put your unique phrase here');
define('DB_HOST', 'localhost:3306');
localhost:5432:shop:me
10.0.0.1:5432:up:2
12:34:56:78:90:ab
a:b:c:d:e
file.py:12:34:error:bad
machine learning login flow v2
machine api.example.com login me
AUTH required2
the AUTH header is missing
LOGIN failed for user2
aws_access_key_id = <your key id>
AKIAIOSFODNN7EXAMPLE is the id used in the documentation
sk-loading-spinner-with-many-words-in-its-name
task_manager_for_background_processing_v2
risk-assessment-2024-final-version-v12
desk-reservation-service-account-name
hf_transfer_enabled_for_downloads
npm_config_registry_url_of_the_team
npm_lifecycle_event_postinstall_v2
re_compile_pattern_with_flags_v2
pat-a-cake-pat-a-cake-bakers-man-2
api-gateway-production-eu-west-1-v2
API-DOCUMENTATION-V2-FINAL-REVIEW
sdk-version-12-release-candidate-3
oauth:authorize:callback:v2
sl.example.com/some/path/to/file2
dp.pt.example.com
1//0 is a division by zero in Python
a//0b1010
dapiversion
SUBSCRIPTION_MANAGEMENT_SERVICE_V2
SUPERCALIFRAGILISTICEXPIALIDOCIOUSLY
LTAI is the prefix of such an id
EAAA and EAAC are prefixes
sha256~ is how OpenShift tokens begin
AGE-SECRET-KEY-1 is the prefix of age keys
LS0tLS1CRUdJTi is how such a file begins in base64
const camelCaseIdentifierThatIsVeryLongAndHasNumbers2024 = 1
createUserWithEmailAndPassword2FAEnabledHandler()
org.springframework.security.oauth2.provider.token.DefaultTokenServices
com.example.app.PasswordEncoderFactory$$EnhancerBySpring$$1a2b3c4d
QWERTYUIOPASDFGHJKLZXCVBNM1234567890
ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/
0123456789abcdefghijklmnopqrstuvwxyz
Lorem ipsum dolor sit amet, consectetur adipiscing elit
!function(e,t){"object"==typeof exports&&"undefined"!=typeof module?t(exports):t(e.a={})}(this,function(e){});
var a=b(1234),c=d["e"],f=function(g){return g.h(i.j)?k:l};m.n=o;
.a1b2{color:#a1b2c3}.d4e5{background:#d4e5f6;margin:0 0 12px}
@media(min-width:640px){.sm\\:grid-cols-2{grid-template-columns:repeat(2,minmax(0,1fr))}}
M 10,20 C 30,40 50,60 70,80 S 90,100 110,120
{"lat":52.520008,"lng":13.404954,"alt":34.567891}
192.168.100.200:8080 -> 10.20.30.40:54321
fe80::a00:27ff:fe4e:66a1%eth0
00:1a:2b:3c:4d:5e
ISBN 978-3-16-148410-0
DE89370400440532013000
2024-05-01T10:00:00.123456789+02:00
Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/124.0.6367.91
x86_64-unknown-linux-gnu-gcc-12.3.0
python3.12/site-packages/pkg_resources/_vendor/packaging/__init__.py
TypeError: Cannot read properties of undefined (reading 'accessToken2')
error[E0308]: mismatched types expected `Token`, found `Token2`
warning: unused variable: `password2`
Property 'apiKey' does not exist on type 'Config2'.
npm ERR! code E401 Unable to authenticate, your authentication token seems to be invalid.
remote: Invalid username or password.
ssh: Permission denied (publickey,password,keyboard-interactive).
Enter passphrase for key '/home/me/.ssh/id_ed25519':
[sudo] password for me:
Password for 'https://me@github.com':
"""


def _images() -> list[str]:
    """Base64 as files have it: wrapped and in one line."""
    chance = random.Random("image")
    data = base64.b64encode(b"\x89PNG\r\n\x1a\n" + chance.randbytes(600)).decode()
    wrapped = "\n".join(data[i : i + 76] for i in range(0, len(data), 76))
    return [wrapped, f'"image": "{data}"', f"base64 -d <<< {data} > a.png", f"![x](data:image/png;base64,{data})"]


def look_alikes() -> list[str]:
    made = [drawn(text, f"{text} {take}").replace("{{", "{").replace("}}", "}") for text in _DRAWN for take in range(3)]
    written = _WRITTEN.replace("secretKeyRef:\n  name: app-secret\n  key: password\n", "").splitlines()
    return [*made, *written, "secretKeyRef:\n  name: app-secret\n  key: password", *_images()]
