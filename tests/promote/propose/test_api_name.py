"""Triggers for names that a library does not have: what they leave alone, and what they fire on."""

from lessons.match.call import ToolCall
from lessons.match.rule import why_it_fires
from lessons.promote.propose.judge import rule_of
from lessons.promote.propose.mistake import Mistake
from lessons.promote.propose.propose import Proposal, propose_for
from tests.tables import table

SHOP = "/srv/shop"
NO_LUX = "Exit code 1\nAttributeError: module 'lamp' has no attribute 'lux'"
NO_WIDE = "Exit code 1\nTypeError: Lamp.dim() got an unexpected keyword argument 'wide'"
NO_ATTRIBUTE = "Exit code 1\nAttributeError: 'Lamp' object has no attribute '{}'"


def proposed(script: str, error: str, fixed: str, *good: str) -> Proposal:
    failure = ToolCall("Bash", {"command": f"python -c '{script}'"}, error=error, cwd=SHOP)
    fix, *others = (ToolCall("Bash", {"command": f"python -c '{text}'"}, cwd=SHOP) for text in (fixed, *good))
    return propose_for(Mistake([failure], [fix], successes=[fix, *others], projects=[SHOP]))


def fires(found: Proposal, command: str) -> bool:
    assert found.triggers is not None
    return why_it_fires(rule_of(found.triggers), ToolCall("Bash", {"command": command})) is not None


@table(
    "command",
    [
        "python -c 'lamp.dim(1)'",
        "python -c 'print(\"lux\")'",
        "python -c 'lamp.luxury(1)'",
        "rg 'lamp.lux' src",
        "git commit -m 'Drop lamp.lux'",
    ],
)
def test_leaves_alone(command: str) -> None:
    assert not fires(proposed("import lamp; lamp.lux(1)", NO_LUX, "import lamp; lamp.dim(1)"), command)


@table(
    ("script", "error", "fixed", "acts_at"),
    [
        ("a.append(1)", NO_ATTRIBUTE.format("append"), "b.concat(1)", "error"),  # other classes have it
        ("a.get_lux_of(1)", NO_ATTRIBUTE.format("get_lux_of"), "a[1]", "call"),
        ("lamp.dim(1, wide=2)", NO_WIDE, "lamp.dim(1, width=2)", "call"),
        ("lamp.lux(1)", NO_LUX, "lamp.dim(1)", "call"),
    ],
)
def test_when_it_acts(script: str, error: str, fixed: str, acts_at: str) -> None:
    found = proposed(script, error, fixed)
    assert (found.acts_at, found.scope.type) == (acts_at, "global")
    assert fires(found, f"cd x && python3 - <<'E'\nimport y\n{script}\nE") is (acts_at == "call")


def test_the_error_is_enough_where_the_same_code_works() -> None:
    assert proposed("lamp.lux(1)", NO_LUX, "lamp.dim(1)", "lamp.lux(2)").acts_at == "error"


def test_the_package_of_the_project() -> None:
    found = proposed("from shop import lamp; lamp.lux(1)", NO_LUX, "from shop import lamp; lamp.dim(1)")
    assert found.scope.type == "project"
