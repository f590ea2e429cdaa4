"""What happens at a call: which lessons must not act, which wins, and which is claimed."""

from lessons.inject.decide import Decision, decide, in_order
from lessons.match.call import ToolCall
from lessons.store.manifest import PublishedLesson, compile_source
from tests.tables import table

Match = tuple[PublishedLesson, str]


class House:
    """A memory that is told what it knows and keeps what it was asked to remember."""

    def __init__(
        self, muted: str = "", passes: str = "", lost: str = "", seen: str = "", refused: str = "", stopped: str = ""
    ) -> None:
        self.muted, self.passes, self.lost = muted, passes, lost
        self.seen, self.refused, self.stopped = seen, refused, stopped
        self.claimed: list[tuple[str, int]] = []
        self.spent: list[str] = []

    def is_muted(self, slug: str) -> bool:
        return slug in self.muted.split()

    def has_pass(self, slug: str) -> bool:
        return slug in self.passes.split() and slug not in self.spent

    def use_pass(self, slug: str) -> bool:
        if not self.has_pass(slug) or slug in self.lost.split():
            return False
        self.spent.append(slug)
        return True

    def stops(self, slug: str, priority: int) -> bool:
        self.claimed.append((slug, priority))
        return slug not in self.stopped.split()

    def has(self, slug: str) -> bool:
        return slug in self.seen.split()

    def withhold(self, slug: str, priority: int) -> bool:
        return self.claim(slug, priority)

    def claim(self, slug: str, priority: int) -> bool:
        self.claimed.append((slug, priority))
        return slug not in self.refused.split()


def match(slug: str, priority: int = 5, **entry: object) -> Match:
    given = {"slug": slug, "priority": priority, "injection": f"About {slug}.", "summary": f"{slug} in short", **entry}
    return PublishedLesson(f"id-{slug}", given, compile_source), "toolNames"


def block(slug: str, priority: int = 5) -> Match:
    return match(slug, priority, block=True, blockReason=f"{slug} says no to {{command}}")


def stop(slug: str, priority: int = 5, **entry: object) -> Match:
    return match(slug, priority, stopOnce=True, **entry)


def decided(house: House, *matches: Match, error: str | None = None, budget: int = 4096, most: int = 3) -> Decision:
    call = ToolCall("Bash", {"command": "git push"}, error=error)
    return decide(call, list(matches), house, budget, most)


def events(decision: Decision) -> list[tuple[str, str]]:
    return [(lesson.slug, what) for lesson, what, _ in decision.events]


def test_no_match_is_no_decision() -> None:
    decision = decided(House())
    assert (decision.kind, decision.text, decision.message, decision.events) == ("none", "", "", [])


@table("made", [match("a"), block("a"), stop("a"), match("a", stage="shadow")])
def test_a_muted_lesson_is_noted_and_does_nothing(made: Match) -> None:
    house = House(muted="a")
    decision = decided(house, made)
    assert (decision.kind, decision.text, house.claimed) == ("none", "", [])
    assert events(decision) == [("a", "muted")]


@table("made", [match("a", stage="shadow"), match("a", stage="shadow", block=True), stop("a", stage="shadow")])
def test_a_lesson_in_shadow_is_noted_and_does_nothing(made: Match) -> None:
    house = House()
    decision = decided(house, made)
    assert (decision.kind, decision.text, house.claimed) == ("shadow", "", [])
    assert events(decision) == [("a", "shadow")]


def test_a_lesson_that_was_seen_is_not_shown_again() -> None:
    house = House(seen="a")
    assert decided(house, match("a")).kind == "none"
    assert house.claimed == []


def test_a_lesson_that_does_not_fit_is_not_claimed() -> None:
    house = House()
    decided(house, match("a", 9, injection="x" * 3000), match("b", 5, injection="y" * 3000, summary="z" * 3000))
    assert house.claimed == [("a", 9)]


def test_on_a_denial_only_the_winner_is_claimed() -> None:
    house = House()
    decision = decided(house, match("hint", 10), stop("stop-b", 5), stop("stop-a", 5), match("hint2", 1))
    assert decision.kind == "stop"
    assert house.claimed == [("stop-a", 5)]
    assert events(decision) == [("stop-a", "stop")]
    house = House()
    decision = decided(house, match("hint", 10), stop("stop", 10), block("block", 1))
    assert decision.kind == "block"
    assert house.claimed == []


def test_block_wins_over_stop_and_stop_over_hint() -> None:
    decision = decided(House(), match("c", 10), stop("b", 9), block("a", 1))
    assert (decision.kind, decision.text) == ("block", "a says no to git push")
    assert "lessons allow a" in decision.message
    decision = decided(House(), match("c", 10), stop("b", 1))
    assert decision.kind == "stop"
    assert decision.text.startswith("About b.")


def test_a_block_denies_every_time() -> None:
    house = House(seen="a")
    assert [decided(house, block("a")).kind for _ in range(3)] == ["block"] * 3


def test_after_a_stop_the_others_come_with_the_rerun() -> None:
    house = House(stopped="b")
    decision = decided(house, match("a", 3), stop("b", 9))
    assert decision.kind == "hint"
    assert events(decision) == [("a", "hint")]
    assert ("a", 3) in house.claimed


def test_where_a_stop_was_had_already_the_next_one_stops() -> None:
    decision = decided(House(stopped="b"), stop("b", 9), stop("c", 1))
    assert events(decision) == [("c", "stop")]


def test_a_pass_lets_a_blocked_call_run_once() -> None:
    house = House(passes="a")
    decision = decided(house, block("a"), match("b"))
    assert decision.kind == "hint"
    assert events(decision) == [("a", "allowed"), ("b", "hint")]
    assert decided(house, block("a")).kind == "block"


def test_a_pass_that_another_call_was_quicker_to_use_lets_nothing_run() -> None:
    decision = decided(House(passes="a", lost="a"), block("a"))
    assert (decision.kind, events(decision)) == ("block", [("a", "block")])


def test_a_pass_is_for_one_lesson_only() -> None:
    assert decided(House(passes="a"), block("a", 9), block("b", 1)).text == "b says no to git push"


@table("other", [block("b", 1), stop("b", 1)])
def test_a_pass_is_not_spent_on_a_call_that_does_not_run(other: Match) -> None:
    house = House(passes="a")
    decision = decided(house, block("a", 9), other)
    assert decision.kind in ("block", "stop")
    assert house.spent == []
    assert ("a", "allowed") not in events(decision)


def test_hints_come_by_priority_and_then_by_slug() -> None:
    made = [match("b", 5), match("a", 5), match("c", 9), match("d", 1)]
    assert [lesson.slug for lesson, _ in in_order(made)] == ["c", "a", "b", "d"]
    decision = decided(House(), *made)
    assert events(decision) == [("c", "hint"), ("a", "hint"), ("b", "hint"), ("d", "dropped")]
    assert decision.text.index("About c.") < decision.text.index("About a.") < decision.text.index("About b.")
    assert "About d." not in decision.text


@table("made", [match("a"), block("a"), stop("a")])
def test_a_call_that_has_failed_is_only_taught_about(made: Match) -> None:
    house = House()
    decision = decided(house, made, error="failed")
    assert decision.kind == "hint"
    assert "About a." in decision.text
    assert house.claimed == [("a", 5)]
    assert decided(House(seen="a"), made, error="failed").kind == "none"


def test_the_most_and_the_budget_are_kept() -> None:
    few = decided(House(), *(match(slug) for slug in "abcd"), most=2)
    assert [what for _, what in events(few)] == ["hint", "hint", "dropped", "dropped"]
    small = decided(House(), match("a"), match("b"), budget=1)
    assert events(small) == [("a", "hint"), ("b", "dropped")]


def test_an_agent_that_is_told_nothing_before_a_call_is_denied_then_and_hinted_at_with_the_result() -> None:
    call = ToolCall("Bash", {"command": "git push"})
    matches = [match("hint", 9), stop("halt", 1), match("dark", stage="shadow")]
    before = decide(call, matches, House(), 4096, 3, hints=False)
    assert (before.kind, [slug for slug, _ in events(before)]) == ("stop", ["dark", "halt"])
    rerun = decide(call, matches, House(stopped="halt"), 4096, 3, hints=False)
    assert (rerun.kind, rerun.text, events(rerun)) == ("shadow", "", [("dark", "shadow")])
    after = decide(call, matches, House(stopped="halt"), 4096, 3, denies=False)
    assert (after.kind, events(after)) == ("hint", [("hint", "hint")]), "all else was noted before the call"
