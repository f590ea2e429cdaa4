"""No secret in the structured arguments or names of a call reaches the row; everything else is unchanged."""

import json
import sqlite3
from pathlib import Path

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from hypothesis import strategies as st

from lessons.agents.base import Line
from lessons.agents.events import Answered, Called
from lessons.scan.rows import add_answer, call_row, known_key
from lessons.store.history import database, write
from lessons.store.history.rows import Call, MessageRow, RecordOrigin
from tests.tables import table

ORIGIN = RecordOrigin("u", "s", "", "p", "2024-05-06T07:08:09Z", 0, 0, False)

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


KEYS = st.integers(-(1 << 63), (1 << 63) - 1)
TIMES = st.datetimes().map(lambda time: f"{time.isoformat(timespec='milliseconds')}Z")


@given(KEYS, st.one_of(st.just(""), TIMES))
def test_a_key_fits_into_a_column_and_does_not_change(key: int, time: str) -> None:
    found = known_key(key, time)
    assert -(1 << 63) <= found < 1 << 63
    assert found == known_key(key, time)


def test_other_records_of_the_same_moment_have_other_keys() -> None:
    keys = {known_key((number * 2654435761 % (1 << 32)) << 32 | 7, "2026-01-31T10:00:00Z") for number in range(1000)}
    assert len(keys) == 1000


NUMBERS = some.integers(0, 3)
ANSWERS = some.builds(
    Answered,
    some.sampled_from(["msg_1", "msg_2"]),
    some.sampled_from(["", "req_1", "req_2"]),
    some.sampled_from(["", "opus", "haiku"]),
    some.sampled_from(["", "tool_use", "end_turn"]),
    *(NUMBERS,) * 4,
)
LINES = some.builds(
    Line,
    some.just(0),
    session_id=some.sampled_from(["one", "two"]),
    agent_id=some.sampled_from(["", "sub"]),
    copied=some.booleans(),
    time=some.sampled_from(["", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]),
)
RECORDS = some.lists(some.tuples(ANSWERS, LINES))


def test_records_of_one_message_share_a_row() -> None:
    rows: list[MessageRow] = []
    first, last = Answered("msg", "req", "opus", "", 5, 1, 0, 0), Answered("msg", "req", "opus", "end_turn", 5, 9, 0, 0)
    add_answer(rows, first, Line(0, session_id="s", time="2026-01-01T00:00:01Z"), "s", "/shop")
    add_answer(rows, last, Line(9, session_id="s", time="2026-01-01T00:00:02Z"), "s", "/shop")
    (row,) = rows
    assert (row.time, row.stop_reason, row.output_tokens) == ("2026-01-01T00:00:01Z", "end_turn", 9)


@given(RECORDS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_table_is_that_of_a_row_for_each_record(tmp_path: Path, records: list[tuple[Answered, Line]]) -> None:
    together: list[MessageRow] = []
    apart: list[MessageRow] = []
    for answer, line in records:
        add_answer(together, answer, line, line.session_id, "/shop")
        alone: list[MessageRow] = []
        add_answer(alone, answer, line, line.session_id, "/shop")
        apart += alone
    with database.opened(str(tmp_path)) as connection:
        assert stored(connection, together) == stored(connection, apart)


def stored(connection: sqlite3.Connection, rows: list[MessageRow]) -> list[tuple[object, ...]]:
    connection.execute("DELETE FROM messages")
    write.write_messages(connection, "claude-code", rows)
    return connection.execute("SELECT * FROM messages ORDER BY message_id").fetchall()
