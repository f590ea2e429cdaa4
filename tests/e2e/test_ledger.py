"""The ledger reports the scripted outcomes of real client sessions: every kind, at least four times."""

import json
from collections import Counter

from lessons.store.history.history import History
from tests.builders.lessons import in_own_words, lesson
from tests.e2e.rig.script import agent, bash, say, together
from tests.e2e.rig.world import World
from tests.e2e.scripted_ledger import (
    BAD,
    GOOD,
    Row,
    blocked_twice,
    corrected,
    false_alarm,
    heeded,
    hinting,
    ignored,
    in_shadow,
    left_at_that,
    muted,
    named,
    overridden,
    played,
    prepare,
    programs,
    repeated,
    stopped_for_nothing,
)


def rows(world: World) -> dict[tuple[str, str], Row]:
    """What the ledger says after a scan, by lesson and call; what was before the lessons is left out."""
    world.lessons("scan")
    with History.for_reading(str(world.data)) as history:
        found = history.ledger.opportunities()
    return {(each.slug, each.tool_use_id): (each.decision, each.outcome) for each in found if each.decision != "none"}


def listed(found: dict[tuple[str, str], Row]) -> None:
    for (slug, call), (decision, outcome) in sorted(found.items()):
        print(f"{slug:<14} {call:<18} {decision:<10} {outcome}")
    print(len(found), dict(Counter(outcome for _, outcome in found.values())))


def test_every_outcome_is_what_was_scripted(installed: World) -> None:
    stories = [
        *map(heeded, named("heeded", 6)),
        *map(ignored, named("ignored", 5)),
        *map(false_alarm, named("alarm", 4)),
        *map(stopped_for_nothing, named("needless", 2)),
        *map(corrected, named("corrected", 3)),
        *map(repeated, named("repeated", 3)),
        *map(blocked_twice, named("blocked", 3)),
        *(overridden(name, installed) for name in named("overridden", 4)),
        *(in_shadow(name, option) for name, option in zip(named("shadow", 4), (BAD, GOOD, BAD, GOOD), strict=True)),
        *map(muted, named("muted", 4)),
        *map(left_at_that, named("left", 4)),
    ]
    crowd = [in_own_words(lesson(f"crowd{number}", triggers={"commandPatterns": ["./crowd "]})) for number in range(7)]
    prepare(installed, stories, crowd)
    programs(installed, ["crowd"])
    for name in named("muted", 4):
        installed.lessons("mute", name)
    in_subagent = [heeded("subheeded"), ignored("subignored"), corrected("subcorrected"), false_alarm("subalarm")]
    at_once = [hinting("first").run(BAD, "hint", "unknown"), hinting("second").run(GOOD, "hint", "falseAlarm")]
    prepare(installed, [*in_subagent, *at_once])
    others = [bash("./crowd --good", "crowd-0"), together(*played(at_once)), agent("You are HELPER.")]

    # A story is told in one session; all of them in one would be longer than a busy machine gives it.
    for some in (stories[0::3], stories[1::3], stories[2::3]):
        installed.run("Begin.", [*played(some), say("Done.")])
    installed.run("Begin.", [*others, say("Done.")], {"HELPER": [*played(in_subagent), say("Back to you.")]})

    expected = {
        (story.name, call): row for story in (*stories, *in_subagent, *at_once) for call, row in story.expected.items()
    }
    # No more than three lessons are shown at one call.
    expected |= {(f"crowd{number}", "crowd-0"): ("hint", "falseAlarm") for number in range(3)}
    expected |= {(f"crowd{number}", "crowd-0"): ("dropped", "notDelivered") for number in range(3, 7)}
    found = rows(installed)
    listed(found)
    assert found == expected
    counts = Counter(outcome for _, outcome in found.values())
    assert len(found) >= 60 and min(counts.values()) >= 4
    totals = json.loads(installed.lessons("stats", "--json"))["totals"]
    assert (totals["heeded"], totals["stoppedCorrected"]) == (counts["heeded"], counts["stoppedCorrected"])
