"""The first day with lessons, from an empty settings file to the same file again."""

from tests.builders.home import context_of, reason_of
from tests.builders.payloads import bash, session_start
from tests.cli.command_line import CommandLine
from tests.flows.agent import Agent, message_of

BEFORE = '{\n  "permissions": {"allow": ["Bash(ls:*)"]}\n}\n'
STASH = "git-stash-leaves-untracked-files"
PKILL = "pkill-f-matches-its-own-shell"


def test_the_first_day(lessons: CommandLine) -> None:
    lessons.settings.parent.mkdir()
    lessons.settings.write_text(BEFORE)
    agent = Agent(lessons)
    assert agent.run(bash("git stash")) == (0, None)

    # The hook goes in, the starter pack is taken over.
    lessons("install", "--agent", "claude-code")
    agent.keep_from_scanning()
    assert agent.run(bash("git stash")) == (0, None)
    lessons.ok("add", "--starter", "--yes")
    assert agent.run(session_start("startup")) == (0, None)

    # A stop, and its rerun.
    assert PKILL in reason_of(agent.run(bash("pkill -f server.js")))
    agent.wait_for_rerun(PKILL)
    assert agent.run(bash("pkill -f server.js")) == (0, None)

    # A hint, once.
    assert "git stash push -u" in context_of(agent.run(bash("git stash")))
    assert agent.run(bash("git stash")) == (0, None)

    # A lesson of one's own blocks; the person lets one call pass.
    lessons.ok(
        *("add", "--summary", "The production database is not for agents"),
        *("--problem", "A statement against production cannot be undone."),
        *("--solution", "Use the copy: `psql staging` has last night's data."),
        *("--command-pattern", "psql .*production", "--block", "--block-reason", "Use staging instead of: {command}"),
    )
    call = bash("psql -h db production")
    blocked = agent.run(call)
    assert reason_of(blocked) == "Use staging instead of: psql -h db production"
    slug = message_of(blocked).rpartition(" ")[2]
    assert message_of(blocked).endswith(f"lessons allow {slug}")
    lessons.person_ok("allow", slug)
    assert agent.run(call) == (0, None)
    assert reason_of(agent.run(call))

    # Muted, it lets everything pass; unmuted it blocks again.
    lessons.ok("mute", slug, "--for", "2h")
    assert agent.run(call) == (0, None)
    lessons.ok("mute", slug, "--off")
    assert reason_of(agent.run(call))

    # What happened is on record.
    assert agent.log() == [
        ("stop", PKILL),
        ("hint", STASH),
        ("block", slug),
        ("allowed", slug),
        ("block", slug),
        ("muted", slug),
        ("block", slug),
    ]
    assert [event["decision"] for event in lessons.json("log", "--lesson", slug)["events"]].count("block") == 3
    assert lessons.json("show", slug)["fired"] == {"block": 3, "allowed": 1, "muted": 1}
    assert lessons.ok("doctor").startswith("No problems found; ")

    # Archived, it acts no more; uninstalled, nothing does, and the settings are as they were.
    lessons.ok("archive", slug)
    assert agent.run(call) == (0, None)
    lessons.ok("uninstall", "--agent", "claude-code")
    assert agent.run(bash("pkill -f other", session="another")) == (0, None)
    assert lessons.settings.read_text() == BEFORE
    assert [path.name for path in lessons.settings.parent.iterdir()] == ["settings.json"]
