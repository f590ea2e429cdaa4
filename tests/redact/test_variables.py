"""Values of variables in the texts of a candidate: first those that must never be shown."""

from lessons.redact.values import without_secret_values
from tests.tables import table


@table("name", ["MYTOKEN", "KEY", "GH_PAT", "pin", "session", "Session", "KEY1", "GH_PAT2", "JWT", "APP_SALT", "DSN"])
def test_a_value_that_is_hidden(name: str) -> None:
    assert without_secret_values(f"Set `{name}=hunter2zz`, then `lamp {name}=hunter2zz on`") == (
        f"Set `{name}=…`, then `lamp {name}=… on`"
    )


@table(
    "text",
    [
        "Set `CI=1`",
        "Set `MONKEY=banana`",
        "Set `DISABLE_AUTH=1`",
        "Set `SESSION_TIMEOUT=30`",
        "Set `NODE_PATH=src`",
        "Use `--sort-key=name` instead of `--key=name`",
        "a = b",
    ],
)
def test_a_value_that_is_shown(text: str) -> None:
    assert without_secret_values(text) == text
