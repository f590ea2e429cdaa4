"""After a compaction only the lessons above the threshold are re-armed."""

from lessons.inject import session_start
from tests.builders.lessons import lesson
from tests.e2e.rig.model import COMPACTION, SUMMARY
from tests.e2e.rig.script import Turn, bash, say
from tests.e2e.rig.world import World

URGENT, USUAL = "Reach for the urgent remedy.", "Reach for the usual remedy."


def add_both(world: World) -> None:
    """The threshold is 7: only what is above it is worth being said again."""
    world.lessons("config", "set", "lessonProtocol", "always")
    for slug, priority, solution in (("urgent", 8, URGENT), ("usual", 7, USUAL)):
        said = {"problem": f"The {slug} thing goes wrong.", "solution": solution, "priority": priority}
        world.add(lesson(slug, triggers={"commandPatterns": [f"echo {slug}"]}, **said))


def both(name: str) -> list[Turn]:
    return [bash("echo urgent", f"urgent-{name}"), bash("echo usual", f"usual-{name}")]


def assert_only_the_urgent_one_came_again(world: World) -> None:
    fired = [(event["slug"], event["toolUseId"]) for event in world.log()]
    assert fired == [("urgent", "urgent-before"), ("usual", "usual-before"), ("urgent", "urgent-after")]


def test_automatic_compaction_in_a_running_turn(installed: World) -> None:
    add_both(installed)
    turns = [*both("before"), bash("true").using(2_000_000), *both("after"), say("Done.")]

    talk = installed.run("Begin.", turns)

    assert len(talk.on(COMPACTION)) == 1
    after = talk.request(3)
    assert SUMMARY in after.text
    assert session_start.SHORT_PROTOCOL in after.text and session_start.FULL_PROTOCOL not in after.text
    assert URGENT not in after.text and USUAL not in after.text
    assert talk.request(4).text.count(URGENT) == 1 and URGENT in talk.request(4).new
    assert USUAL not in talk.request(5).text
    assert_only_the_urgent_one_came_again(installed)


def test_compaction_that_the_person_asks_for(installed: World) -> None:
    add_both(installed)
    first = installed.run("Begin.", [*both("before"), say("Done.")])
    compacted = installed.resume(first, "/compact", [])

    talk = installed.resume(first, "Go on.", [*both("after"), say("Done.")])

    assert len(compacted.on(COMPACTION)) == 1
    assert SUMMARY in talk.request(0).text and URGENT not in talk.request(0).text
    assert (
        talk.request(0).text.count(session_start.SHORT_PROTOCOL) == 1
        and session_start.FULL_PROTOCOL not in talk.request(0).text
    )
    assert talk.request(1).text.count(URGENT) == 1
    assert USUAL not in talk.request(2).text
    assert_only_the_urgent_one_came_again(installed)
