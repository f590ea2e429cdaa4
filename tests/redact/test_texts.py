"""No secret of the test set survives redaction, and nothing else changes."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.redact.spans import Text, continues
from lessons.redact.texts import redacted, redacted_start
from tests.redact.cases import FALSE_CASES, SHAPES, TRUE_CASES
from tests.redact.continued import CONTINUED, FORMS, Form
from tests.sizes import examples, size
from tests.tables import table

CASES = (*TRUE_CASES, *((CONTINUED(text), secret) for text, secret in TRUE_CASES if secret in CONTINUED(text)))
HOSTILE_LENGTH = size("HOSTILE_LENGTH", 100_000)
HOSTILE = (
    "\x1b[" * 500_000,
    "\x1b]" * 500_000 + "password=",
    "\x1b]" + "a" * 10**6,
    "\u200b" * 10**6,
    "=" * 10**6,
    "a" * 10**6,
    "-" * 10**6,
    '"' * 10**6,
    "\\" * 10**6,
    " " * 10**6,
    "eyJ" * 300_000,
    "-----BEGIN PRIVATE KEY-----" * 10**4,
    "-----BEGIN PRIVATE KEY-----\n" + "A" * 10**6,
    "://:@" * 200_000,
    "://a:" * 200_000,
    "password=" * 10**5,
    'password="$x ' * 80_000,
    "password='\\\"$x " * 60_000,
    "token: " * 140_000,
    "--token --token " * 60_000,
    "cookie: a=" * 100_000,
    "set-cookie:a=$b;" * 60_000,
    "authorization: bearer " * 45_000,
    "curl -u a:" * 100_000,
    "mysql " * 160_000,
    "sk-" * 300_000,
    "ghp_" * 250_000,
    "AKIA" * 250_000,
    "SG." + "a." * 500_000,
    "M" * 10**6 + ".",
    "=abcdefghijKLMNOP0123" * 45_000,
    "secret_" * 140_000,
    "${TOKEN:-" * 100_000,
    "<token>" * 140_000,
    "?key=" * 200_000,
    "identified by '" * 60_000,
    "create user with password '" * 35_000,
    "config set a_token " * 50_000,
    "secret set -b " * 70_000,
    "secrets set - " * 70_000,
    "name: a_token value: " * 45_000,
    "name=" + "token" * 200_000,
    "-----BEGIN PRIVATE KEY-----\n" + ("> " + "A" * 64 + "\n") * 15_000,
    "-----BEGIN PRIVATE KEY-----\n" + "A" * 30 + ">" * 10**6,
    "-----END PRIVATE KEY-----" * 40_000,
    ("A" * 64 + "\n") * 15_000 + "-----END PRIVATE KEY-----",
    "\\n" * 500_000 + "-----END PRIVATE KEY-----",
    "LS0tLS1CRUdJTi" * 70_000,
    "LS0tLS1CRUdJTi" + "A" * 60 + ("\n" + "A" * 70) * 14_000,
    "a_" + "aA1" * 330_000,
    "_aA1aA1aA1aA1aA1aA1aA1aA1aA1aA1" * 32_000,
    "a-a-a-a-" * 125_000,
    "JQQJ99" * 160_000,
    "A" * 10**6 + "%2",
    "NRAL" + "0" * 10**6 + "NRAL",
    "pat." + "a." * 500_000,
    "sc_a.acc-" * 110_000,
    '"kty": "d": "' * 80_000,
    "&Signature=" * 90_000,
    "?sig=" * 200_000,
    ":5432:a:b:" * 100_000,
    "define('a_key', " * 60_000,
    "echo a | sudo -" * 65_000,
    "echo " * 200_000 + "| chpasswd",
    "sqlcmd -P" * 110_000,
    "smbclient -U a%" * 65_000,
    "zip -p -u -w " * 80_000,
    "net use /user:a " * 60_000,
    'password:" send "' * 60_000,
    "the token is " * 75_000,
    "password for " * 75_000,
    "password for a" + " for a" * 160_000,
    "api key | " * 100_000,
    "secret\n" * 140_000,
    "~" * 10**6,
    "1//0" * 250_000,
    "oauth:" * 160_000,
    "-u a -p " * 40000,
    "-u a -p bcdefgh1 " * 20000,
    "config --a b_token " * 20000,
    "ENV A_KEY a1 " * 25000,
    "password for a: " * 20000,
    "password " * 40000,
    "credentials: a / " * 20000,
    "seed phrase is " + "abcd " * 60000,
    "mnemonic: abc " * 25000,
    "$6$a$" * 60000,
    "$2y$" + "a" * 300000,
    "xprv" * 80000,
    "xprv" + "a" * 300000,
    "set -gx A_TOKEN abcdef1 " * 13_000,
    "mnemonic: abc def " * 18_000,
    "seed: " + "abcd " * 60_000,
    "login aA1bB2cC3dD4 " * 16_000,
    "bw login a " * 30_000,
    "a:b@tcp(" * 40_000,
    "a:" * 150_000 + "@tcp(",
    "://x/hook/" + "a/" * 150_000,
    "password:\n\n" * 30_000,
    "password:" + " \n" * 150_000,
    "connect(a, b, c, " * 18_000,
    "-u a:bcdefg1 " * 24_000,
    " -t aA1bB2cC3dD4 " * 18_000,
    "secret set --value " * 16_000,
    "sudo -s <<< " * 25_000,
    "arn:" + "token=a1b2c3d4:" * 20_000,
    "Private-Lines: 1\n" * 18000,
    "Private-Lines: 9\n" + "AAAA\n" * 60000,
    "password: >-\n" * 25000,
    "password: {value: " * 18000,
    "rabbitmqctl add_user a " * 13000,
    "sqlplus a/" * 30000,
    "auth=('a', '" * 25000,
    '"a-oauth": {"b": "' * 18000,
    "basic " + "A1" * 150000,
    "basic a1 " * 35000,
    "authorization: a " * 18000,
    "http -a b:" * 30000,
    "snmpwalk -v3 -A " * 18000,
    "ssh-keygen -N " * 20000,
    "{AQAAABAAAA" * 28000,
    "/hooks/" * 45000,
    "2/1234567890123456/" * 16000,
    "a=%2F" * 60000,
    "=" + "%2F" * 100000,
    "0" * 32 + "-us1 " * 60000,
    "cio" * 100000,
    "!AQ" * 100000,
    "setPassword('" * 25000,
    "password string = " * 18000,
    "key: password, value: " * 14000,
    "echo a | kinit " * 20000,
    "security add-generic-password -w " * 9000,
    "\\\n" * 500_000,
    "\\\n " * 300_000 + "password=",
    "\\\r\n" * 300_000,
    "\\\\\\n" * 250_000,
    "\\\\\\r\\n\\t" * 100_000,
    "mysql \\\n-p " * 80_000,
    "mysql -pS3cret77 \\\n" * 50_000,
    "a `\n" * 250_000,
    "a ^\r\n" * 200_000,
    "\\\n" + " " * 10**6,
    " " * 10**6 + "\\\n",
    "\\" * 10**6 + "\n",
    "echo a |\n" * 100_000 + "kinit",
)


def survivors(secret: str, text: str) -> list[str]:
    return [secret[i : i + 8] for i in range(len(secret) - 7) if secret[i : i + 8] in text]


@table("text", FALSE_CASES)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redacted(text) == text


@table(("text", "secret"), TRUE_CASES)
def test_a_secret_vanishes(text: str, secret: str) -> None:
    assert secret in text
    clean = redacted(text)
    assert secret not in clean
    assert not survivors(secret, clean)
    assert "[redacted:" in clean
    assert redacted(clean) == clean


@table("form", FORMS)
@table("text", [text for text in FALSE_CASES if "\n" not in text])
def test_what_is_no_secret_stays_on_continued_lines(text: str, form: Form) -> None:
    assert redacted(form(text)) == form(text)


@table("form", FORMS)
@table(("text", "secret"), [case for case in TRUE_CASES if "\n" not in case[0]])
def test_a_secret_vanishes_on_continued_lines(text: str, secret: str, form: Form) -> None:
    clean = redacted(form(text))
    assert secret not in clean and form(secret) not in clean
    assert not survivors(secret, clean)
    assert "[redacted:" in clean
    assert redacted(clean) == clean


@table(
    ("text", "clean"),
    [
        (
            "mysql -h db \\\n  -u root \\\n  -pS3cretPw77 \\\n  shop",
            "mysql -h db \\\n  -u root \\\n  -p[redacted:password] \\\n  shop",
        ),
        ("docker login \\\r\n\t-p Dck3rPw88 reg", "docker login \\\r\n\t-p [redacted:password] reg"),
        ("deploy --password \\\n  Depl0yPw55 \\\n  --now", "deploy --password \\\n  [redacted:password] \\\n  --now"),
        ("deploy --password \\\n  $PASSWORD \\\n  --now", "deploy --password \\\n  $PASSWORD \\\n  --now"),
        ("A_PASSWORD=hunter2go\\\n  ./deploy", "A_PASSWORD=[redacted:password]\\\n  ./deploy"),
        ("A_PASSWORD=hunter2\\\ngo99 ./deploy", "A_PASSWORD=[redacted:password] ./deploy"),
        (
            "echo hunter2go |\n  docker login --password-stdin",
            "echo [redacted:password] |\n  docker login --password-stdin",
        ),
        ("dir C:\\keys\\\nDB_PASSWORD=hunter2go", "dir C:\\keys\\\nDB_PASSWORD=[redacted:password]"),
        ('"docker login \\\\\\n  -p Dck3rPw88"', '"docker login \\\\\\n  -p [redacted:password]"'),
        ("sshpass \\\n\\\n\\\n -p Sshp4ssPw x", "sshpass \\\n\\\n\\\n -p [redacted:password] x"),
    ],
)
def test_continued_lines_stay_around_a_secret(text: str, clean: str) -> None:
    assert redacted(text) == clean


def test_what_surrounds_a_secret_stays() -> None:
    assert redacted("postgres://me:hunter2go@db:5432/x") == "postgres://me:[redacted:url-password]@db:5432/x"
    assert redacted("export A_PASSWORD=hunter2go; ls") == "export A_PASSWORD=[redacted:password]; ls"
    assert redacted('{"password": "hunter2go", "a": 1}') == '{"password": "[redacted:password]", "a": 1}'
    assert redacted("Cookie: a=hunter2; b=x9; Path=/") == "Cookie: a=[redacted:cookie]; b=[redacted:cookie]; Path=/"


SURROUNDINGS = (
    "{}",
    "echo {} | cat",
    "key: {}\n",
    "(see {})",
    "[{}]",
    "<{}>",
    "a={}&b=1",
    "'{}'",
    "`{}`",
    "line\\n{}\\nline",
    "line\\t{}",
    "\x1b[32m{}\x1b[0m",
    "x%3D{}",
    "é{}é",
    "{},{}",
)


@table("surrounding", SURROUNDINGS)
@table("shape", SHAPES)
def test_a_token_vanishes_in_any_surroundings(shape: str, surrounding: str) -> None:
    text = surrounding.replace("{}", shape)
    for variant in (text, json.dumps(text), json.dumps(json.dumps(text)), json.dumps({"a": [text]})):
        assert not survivors(shape[-16:], redacted(variant))


@settings(max_examples=examples(300), deadline=None)
@given(st.sampled_from(CASES), st.text(max_size=40), st.text(max_size=40), st.booleans())
def test_a_secret_vanishes_between_random_lines(case: tuple[str, str], before: str, after: str, escaped: bool) -> None:
    text, secret = case
    whole = f"{before}\n{text}\n{after}"
    if escaped and '"' not in secret and "\n" not in secret and "\\" not in text:
        whole = json.dumps(whole, ensure_ascii=False)
    clean = redacted(whole)
    if secret not in before + after:
        assert secret not in clean
    assert redacted(clean) == clean


_pieces = st.sampled_from(
    "password token = : \" ' \\ \\n \n -- - $ { } [ ] < > @ :// / , ; & ( ) Bearer Cookie: a=b eyJ ghp_ sk- AKIA "
    "abc123DEF456ghi789JK "
    "[redacted:password] [redacted: secret_key api-key curl -u x:y".split(" ")
)


@settings(max_examples=examples(500), deadline=None)
@given(st.one_of(st.text(), st.lists(_pieces, max_size=25).map("".join), st.lists(_pieces, max_size=25).map(" ".join)))
def test_it_never_raises_and_twice_is_once(text: str) -> None:
    clean = redacted(text)
    assert redacted(clean) == clean


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(st.sampled_from(("\\", "\n", "\r\n", " ", "\t", "n", "t", "`", "^", "a b")), max_size=40).map("".join))
def test_joined_lines_are_restored_as_they_were(text: str) -> None:
    joined = Text.joined(text)
    assert joined is None or joined.restored() == text
    assert joined is None or continues(text)


@table("text", ["\ud800 password=hunter2go \udfff", "İ" * 50 + " password=hunter2go", "\0" * 9])
def test_odd_characters_do_not_move_the_cut(text: str) -> None:
    assert "hunter2go" not in redacted(text)


COLOURED = (
    "\x1b[01;31m\x1b[KAPI_TOKEN\x1b[m\x1b[K={}",  # grep --color=always
    "config.env:3:DB_\x1b[01;31m\x1b[KPASSWORD\x1b[m\x1b[K={}",
    "\x1b[36mDB_PASSWORD\x1b[0m=\x1b[33m{}\x1b(B\x1b[m",
    "\x1b]8;;file:///x\x07password\x1b]8;;\x07: {}",
    "pass\u200bword={}",
)


@pytest.mark.parametrize("text", COLOURED)
def test_colours_and_what_nobody_sees_hide_no_secret(text: str) -> None:
    secret = "Tr0ub4dor" + "9xQ"
    clean = redacted(text.format(secret))
    assert secret not in clean and "[redacted:" in clean


def test_a_token_that_is_coloured_in_the_middle_vanishes() -> None:
    for shape in SHAPES:
        for sign in ("\x1b[31m", "\u200b"):
            middle = len(shape) // 2
            clean = redacted(f"seen: {shape[:middle]}{sign}{shape[middle:]} there")
            assert shape[middle:] not in clean and shape[:middle] not in clean, shape


def test_colours_around_no_secret_stay() -> None:
    text = "\x1b[31merror\x1b[0m: unknown option --stat, naïve\u200b text"
    assert redacted(text) == text


@table("text", HOSTILE)
def test_hostile_text_takes_linear_time(text: str) -> None:
    start = time.process_time()
    redacted(text[:HOSTILE_LENGTH])
    assert time.process_time() - start < 10  # a pattern that is not linear takes minutes


@settings(max_examples=examples(200), deadline=None)
@given(st.sampled_from(CASES), st.integers(0, 400), st.integers(1, 500))
def test_a_secret_across_the_cut_leaves_nothing(case: tuple[str, str], padding: int, limit: int) -> None:
    text, secret = case
    start = redacted_start("." * padding + "\n" + text + "\n" + "tail " * 10, limit)
    assert len(start) <= limit
    assert not survivors(secret, start)


@settings(max_examples=examples(200), deadline=None)
@given(st.sampled_from(CASES), st.integers(0, 700), st.integers(0, 9_000), st.sampled_from(("word ", "k.p_b=\n", "é")))
def test_the_start_of_a_long_text_is_that_of_all_that_is_read(
    case: tuple[str, str], before: int, after: int, filling: str
) -> None:
    limit = 300
    text = (filling * 700)[:before] + "\n" + case[0] + "\n" + (filling * 9_000)[:after]
    assert redacted_start(text, limit) == redacted(text[: limit + 8192])[:limit]
    behind = (filling * 9_000)[:after] + "\n" + case[0]
    assert redacted_start(behind, limit) == redacted(behind[: limit + 8192])[:limit]


@table(
    "secret",
    [
        "git clone https://{}@git.example.com/a.git",
        "postgres://someone:{}@db.example.com/app",
        "echo {} | docker login -u someone --password-stdin",
    ],
)
def test_a_long_secret_that_is_recognised_by_what_follows_leaves_nothing(secret: str) -> None:
    value = "".join("Kq7vZ2mX9pL4"[number * 7 % 12] for number in range(900))
    for length in (40, 200, 500, 900):
        for before in range(200, 300, 9):
            text = ("x " * 200)[:before] + secret.format(value[:length]) + "\n" + "done\n" * 300
            assert redacted_start(text, 300) == redacted(text[: 300 + 8192])[:300]


def test_the_start_reads_only_what_it_needs() -> None:
    text = "password=hunter2go " * 3_000_000
    start = time.process_time()
    assert len(redacted_start(text, 4096)) == 4096
    assert time.process_time() - start < 0.5
    assert redacted_start("short", 0) == ""


def test_a_marked_key_without_an_end_is_gone_but_not_what_follows() -> None:
    lines = ["-----BEGIN RSA PRIVATE KEY-----", *["Ab1" * 21] * 30, "Ab1=="]
    text = "".join(f"{number:6}→{line}\n" for number, line in enumerate(lines, 1))
    assert redacted(text + "    33→then: more text, (as ever)") == (
        "     1→[redacted:private-key]\n    33→then: more text, (as ever)"
    )


def test_an_unterminated_key_is_gone_to_its_end() -> None:
    text = "x -----BEGIN RSA PRIVATE KEY-----\n" + ("Ab1" * 21 + "\n") * 400
    assert redacted_start(text, 4096) == "x [redacted:private-key]"


def test_a_password_of_digits() -> None:
    assert "84736251" not in redacted("curl -u alice:84736251 https://api.example.com")
    assert "1000:1000" in redacted("docker run -u 1000:1000 alpine id")


def test_a_key_with_unseen_signs_leaves_nothing_of_a_long_text() -> None:
    for sign in ("\x1b[0m", "\u200b"):
        text = f"AK{sign}IAQ8ZJ2K5M7N9P3R6T used\n" + "word " * 4000
        assert redacted_start(text, 300) == redacted(text[: 300 + 8192])[:300]
        assert "Q8ZJ2K5M7N9P3R6T" not in redacted_start(text, 300)
