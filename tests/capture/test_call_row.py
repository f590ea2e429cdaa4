"""No secret in the structured arguments or names of a call reaches the row; everything else is unchanged."""

import json

import msgspec

from lessons.agents.base import Line
from lessons.agents.events import Called
from lessons.capture.call_row import call_row
from lessons.store.history.rows import Call, Origin
from tests.tables import table

ORIGIN = Origin("u", "s", "", "p", "2024-05-06T07:08:09Z", 0, 0, False)

UNCHANGED: tuple[dict[object, object], ...] = (
    {"key": "ArrowDown"},
    {"key": "item-12", "value": "text-34"},
    {"name": "API_URL", "value": "port-8080"},
    {"name": "API_TOKEN", "value": "$API_TOKEN"},
    {"args": ["--sort", "name-12", "--verbose"]},
    {"args": ["--password", "--verbose-12"]},
    {"args": ["--password-stdin", "name-12"]},
    {"headers": {"Content-Type": "application/json", "Authorization": "Bearer <token>"}},
    {"Cookie": "sid=<value>"},
    {"max_tokens": 4096, "code": 12345678, "port": 12345},
    {"password": {"type": "string", "minLength": 1000, "description": "Your password"}},
    {"secret": {"name": "my-secret-12", "namespace": "team-12"}},
    {"secrets": ["DB_PASSWORD", "OTHER_NAME"]},
    {"password": True, "token": None},
    {"selector": "#user-name", "value": "somebody-12"},
    {"primaryKey": "row-1234", "cacheKey": "user-1234", "passcode": ""},
)

SECRET: object = "hunter2-q1"
NAMES: list[object] = list(
    (
        "secretKey privateKey encryptionKey masterKey signingKey sessionKey storageKey passcode password apiToken "
        "secretValue client_secret"
    ).split()
)
SECRETS: tuple[dict[object, object], ...] = (
    *({name: SECRET} for name in NAMES),
    {"secrets": [SECRET]},
    {"apiKeys": ["x", SECRET]},
    {"passwords": {"me": SECRET}},
    {"secret": {"value": SECRET}},
    {"secret": {"data": [{"any": SECRET}]}},
    {"token": {"name": "x", "content": SECRET}},
    {"args": ["--password", SECRET]},
    {"args": ["run", "--api-key", SECRET, "--verbose"]},
    {"command": "x", "argv": [["--token", SECRET]]},
    {"env": [{"name": "API_TOKEN", "value": SECRET}]},
    {"env": [{"value": SECRET, "name": "API_TOKEN"}]},
    {"env": [{"Key": "DB_PASSWORD", "Value": SECRET}]},
    {"parameters": [{"ParameterKey": "DbPassword", "ParameterValue": SECRET}]},
    {"selector": "#password-input", "value": SECRET},
    {"element": "Password field", "ref": "e12", "text": SECRET},
    {"headers": {"Authorization": f"Basic {SECRET}"}},
    {"headers": [{"name": "Authorization", "value": f"Basic {SECRET}"}]},
    {"headers": {"Proxy-Authorization": f"Basic {SECRET}"}},
    {"Cookie": f"sid={SECRET}; theme=x"},
    {"headers": {"set-cookie": f"sid={SECRET}; Path=/"}},
    {"sql": f"ALTER USER x WITH PASSWORD '{SECRET}'"},
    {"sql": f"CREATE USER x IDENTIFIED BY '{SECRET}'"},
    {"text": f"gh secret set FOO --body {SECRET}"},
    {"text": f"npm config set //r/:_authToken {SECRET}"},
    {"text": f"it sent bearer {SECRET}-abcdef along"},
)


def row(arguments: dict[object, object], with_source: bool, **names: str) -> Call:
    source = msgspec.Raw(msgspec.json.encode(arguments)) if with_source else None
    called = Called("t", "m", names.get("model", ""), names.get("tool", "mcp__x__y"), arguments, source)
    line = Line(0, cwd=names.get("cwd", ""), branch=names.get("branch", ""), version=names.get("version", ""))
    return call_row(line, called, ORIGIN, 0)


@table("with_source", [False, True])
@table("arguments", UNCHANGED)
def test_what_is_no_secret_stays(arguments: dict[object, object], with_source: bool) -> None:
    assert json.loads(row(arguments, with_source).arguments) == arguments


@table("with_source", [False, True])
@table("arguments", SECRETS)
def test_a_secret_vanishes(arguments: dict[object, object], with_source: bool) -> None:
    stored = row(arguments, with_source).arguments
    assert "hunter2" not in stored
    assert "[redacted:" in stored


@table("name", ["password", "dbPassword", "passcode", "passwords"])
def test_a_number_under_a_password_vanishes(name: str) -> None:
    below: tuple[dict[object, object], ...] = ({name: 12345678}, {name: [12345678]}, {"in": {name: 12345678}})
    for arguments in below:
        stored = row(arguments, True).arguments
        assert "12345678" not in stored
        assert "[redacted:password]" in stored


def test_what_surrounds_a_secret_stays() -> None:
    arguments: dict[object, object] = {"headers": {"Cookie": "sid=hunter2x; Path=/", "Accept": "a"}, "n": 7}
    stored = json.loads(row(arguments, True).arguments)
    assert stored == {"headers": {"Cookie": "sid=[redacted:cookie]; Path=/", "Accept": "a"}, "n": 7}
    env: dict[object, object] = {"env": [{"name": "A_TOKEN", "value": SECRET}, {"name": "MODE", "value": "fast-12"}]}
    assert json.loads(row(env, True).arguments)["env"] == [
        {"name": "A_TOKEN", "value": "[redacted:token]"},
        {"name": "MODE", "value": "fast-12"},
    ]


def test_names_are_redacted_and_cut() -> None:
    secret = "password=hunter2go"
    call = row({"a": "b"}, True, cwd=f"/x/{secret}", branch=secret, model=secret, tool=secret, version=secret)
    assert "hunter2go" not in repr(call)
    assert "/x/password=[redacted:password]" in repr(call)
    long = row({"a": "b"}, True, cwd="/c" * 900, branch="b" * 900, model="m" * 900, tool="t" * 900, version="v" * 900)
    assert [len(part) for part in (long.cwd, long.branch, long.model, long.tool, long.version)] == [
        1000,
        300,
        100,
        200,
        50,
    ]
