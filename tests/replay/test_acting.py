"""Which lessons fire equals the hook's own matching, however much work is skipped."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lessons.match.call import ToolCall
from lessons.match.rule import why_it_fires
from lessons.mistakes.good_calls import call_of
from lessons.model import lesson_from_document
from lessons.promote.publish.entry import entry_of
from lessons.promote.starter import pack
from lessons.replay.acting import ActingLessons, Learned, asked, learned_entry
from lessons.store.history.history import History
from lessons.store.history.past_calls import SessionCall
from tests.builders.past import Past, home_with

BUDGET = 4096
MORE: list[dict[str, object]] = [
    {"triggers": {"commandPatterns": ["PUSH|shove"]}},
    {"triggers": {"commandPatterns": ["git pu(sh|ll)", "^ls$"], "matchOn": "invocation"}},
    {"triggers": {"commandPatterns": [r"\d{6}"]}},
    {"triggers": {"toolNames": ["Bash"]}},
    {"triggers": {"toolNames": ["Bash", "mcp__web__open"], "commandPatterns": ["quick"]}},
    {"triggers": {"toolNames": ["mcp__web__open"]}},
    {"triggers": {"pathPatterns": ["**/*.lock"]}},
    {"triggers": {"contentPatterns": ["print\\("]}},
    {"triggers": {"errorPatterns": ["no such lamp"]}},
    {"triggers": {"sessionStart": True}},
    {"triggers": {"commandPatterns": ["total = 1"], "matchOn": "script"}},
    {"triggers": {"commandPatterns": ["^git push"], "matchOn": "invocation", "when": {"absent": ["x"]}}},
]
LINES = (
    *("git pu'sh' origin", 'g"i"t push', "git \\\npush", "git push", "GIT PUSH", "ls", "ls 123456", "echo quick", ""),
    *("cat <<'EOF'\ngit push\nEOF", "bash -c 'git push'", "sudo git pull", "PUSH", "sho've'"),
    *("python -c 'total = 1'", "python - <<EOF\ntotal = 1\nEOF", "echo total = 1", "git -C /shop push"),
)
OTHERS: list[tuple[str, dict[str, object]]] = [
    ("mcp__web__open", {"mode": "quick"}),
    ("mcp__web__open", {"mode": "calm"}),
    ("mcp__web__close", {"mode": "quick"}),
    ("Edit", {"file_path": "/shop/uv.lock", "new_string": "print(1)"}),
    ("Read", {"file_path": "/shop/uv.lock"}),
    ("Read", {"file_path": "/shop/a.py"}),
]


def lessons() -> list[Learned]:
    words = {"summary": "", "problem": "", "solution": ""}
    documents = [*pack(), *MORE]
    made = [
        lesson_from_document({**words, "slug": f"l{number}", **document, "id": f"L{number}"})
        for number, document in enumerate(documents)
    ]
    return [learned_entry(lesson.id, entry_of(lesson).entry, []) for lesson in made]


def past_calls() -> Iterator[Past]:
    """Every example of the starter pack, and what is hard to find."""
    for document in pack():
        examples = document.get("examples")
        assert isinstance(examples, dict)
        for example in [*examples["fires"], *examples["quiet"]]:
            if isinstance(example, str):
                yield Past(command=example)
    yield from (Past(command=line) for line in LINES)
    yield from (Past(tool=tool, arguments=arguments) for tool, arguments in OTHERS)


def fires(learned: Learned, call: ToolCall) -> bool:
    return why_it_fires(learned.pattern, call) is not None


@pytest.fixture
def home(tmp_path: Path) -> str:
    home_with(tmp_path, *past_calls())
    return str(tmp_path)


def test_the_same_as_asking_every_lesson_about_every_call(home: str) -> None:
    everyone = lessons()
    half = len(everyone) // 2
    with History.for_reading(home) as history:
        acting = ActingLessons(history, BUDGET)
        acting.add(everyone[:half])
        calls = history.calls.of_session("s1")
        early = {call.tool_use_id: acting.before(call, half) for call in calls}
        acting.add(everyone[half:])
        fired = 0
        for call, row in zip(calls, history.calls.named([each.tool_use_id for each in calls]), strict=True):
            expected = [number for number, each in enumerate(everyone) if fires(each, call_of(row))]
            assert acting.before(call, len(everyone)) == expected
            assert early[call.tool_use_id] == acting.before(call, half) == [n for n in expected if n < half]
            fired += len(expected)
    assert fired > len(everyone)


def test_lessons_about_errors(home: str) -> None:
    with History.for_reading(home) as history:
        acting = ActingLessons(history, BUDGET)
        acting.add(lessons())
        number = next(
            n for n, each in enumerate(acting.lessons) if each.pattern.error and "lamp" in str(each.pattern.error)
        )
        for error, expected in (("No such lamp", []), ("oh: no such lamp", [number])):
            found = acting.after(ToolCall("Bash", {"command": "x"}, error=error), len(acting.lessons))
            assert [each for each in found if each == number] == expected
        assert acting.after(ToolCall("Bash", {}, error="no such lamp"), number) == []


def note(number: int, priority: int = 5, about: dict[str, object] | None = None) -> Learned:
    entry: dict[str, object] = {"slug": f"n{number}", "summary": f"note {number} " + "y" * 110, "priority": priority}
    words = {"sessionStart": True, "injection": f"## {number}\n" + "x" * 900}
    return learned_entry(f"N{number}", {**entry, **words, **(about or {})}, [])


def call(cwd: str = "/shop", **about: str) -> SessionCall:
    given = {"agent": "claude-code", "model": "claude-x", **about}
    return SessionCall(
        "t1", "", "Bash", "", "", "ls", cwd, "/shop", given["agent"], given["model"], "ok", 0, 0, "", "s1"
    )


def test_what_is_shown_at_the_start_is_decided_by_the_hook_itself(home: str) -> None:
    notes = [
        note(0, about={"projectPath": "/garden"}),
        note(1, 3, {"projectPath": "/shop"}),
        note(2, about={"when": {"agents": ["codex"]}}),
        note(3, 7),
        note(4, about={"when": {"absent": ["x"]}}),
    ]
    with History.for_reading(home) as history:
        acting = ActingLessons(history, 4096)
        acting.add(notes)
        assert acting.at_start(call(), 1) == frozenset()
        assert acting.at_start(call(), len(notes)) == {1, 3}
        assert acting.at_start(call(), 3) == {1}
        assert acting.at_start(call("/garden"), len(notes)) == {0, 3}
        assert acting.at_start(call(agent="codex"), len(notes)) == {1, 2, 3}
        # No more than five, the most important ones.
        acting.add([note(number, 9) for number in range(10, 60)])
        shown = acting.at_start(call(), len(acting.lessons))
        assert 0 < len(shown) <= 5
        assert all(acting.lessons[number].lesson.priority == 9 for number in shown)


def test_where_and_by_whom_a_call_was_made() -> None:
    made = asked(call("/shop", model="claude-y"))
    assert (made.cwd, made.agent, made.model, made.command) == ("/shop", "claude-code", "claude-y", "ls")
