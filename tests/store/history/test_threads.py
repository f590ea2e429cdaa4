"""Very long threads come in pieces: each call once, with all that stands around it, and each prompt with its call."""

from lessons.episode import Step
from lessons.store.history import threads
from lessons.store.history.threads import PromptRow
from tests.tables import table


def steps(count: int) -> list[Step]:
    return [Step(f"t{n}", "Bash", "ls", "", "ls", "", "", "ok", time=f"{n:09}") for n in range(count)]


@table("count", [1, 4_999, 5_000, 5_099, 5_100, 5_101, 10_000, 10_100, 10_101, 17_345])
def test_every_call_is_in_one_piece(count: int) -> None:
    prompts = [PromptRow(f"{n:09}5", n, "", "sure") for n in range(0, count, 700)]
    pieces = list(threads._pieces("s", iter(steps(count)), prompts))
    own = [piece.steps[place].tool_use_id for piece in pieces for place in piece.own]
    assert own == [step.tool_use_id for step in steps(count)]
    assert [asked for piece in pieces for asked in piece.prompts] == prompts
    for piece in pieces:
        first, last = piece.own.start, piece.own.stop
        assert first == 0 or first >= 100 or piece is pieces[0]
        assert len(piece.steps) - last in (0, 100)
        assert all(piece.steps[0].time <= asked.time for asked in piece.prompts)
