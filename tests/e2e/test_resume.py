"""A resumed session gets its old notes from the client; none of them is shown twice."""

from lessons.inject import session_start
from tests.builders.lessons import lesson
from tests.e2e.rig.script import bash, say
from tests.e2e.rig.world import World

HINT = "Stash with -u, so that the untracked files go along."


def test_resume_doubles_nothing(installed: World) -> None:
    installed.add(lesson())
    installed.lessons("config", "set", "lessonProtocol", "always")
    first = installed.run("Begin.", [bash("git stash; true", "first"), say("Done.")])

    talk = installed.resume(first, "Go on.", [bash("git stash; true", "second"), say("Done.")])

    assert talk.session == first.session
    assert [text.count(HINT) for text in talk.said()] == [1, 1]
    assert [text.count(session_start.FULL_PROTOCOL) for text in talk.said()] == [1, 1]
    assert all(session_start.SHORT_PROTOCOL not in text for text in talk.said())
    assert [event["toolUseId"] for event in installed.log()] == ["first"]


def test_another_session_starts_afresh(installed: World) -> None:
    installed.add(lesson())
    first = installed.run("Begin.", [bash("git stash; true", "first"), say("Done.")])

    talk = installed.run("Begin again.", [bash("git stash; true", "second"), say("Done.")])

    assert talk.session != first.session
    assert [text.count(HINT) for text in talk.said()] == [0, 1]
    assert [event["toolUseId"] for event in installed.log()] == ["first", "second"]


def test_fork_gets_no_second_protocol(installed: World) -> None:
    installed.add(lesson())
    installed.lessons("config", "set", "lessonProtocol", "always")
    first = installed.run("Begin.", [bash("git stash; true", "first"), say("Done.")])

    talk = installed.resume(first, "Another way.", [say("Done.")], arguments=["--fork-session"])

    assert talk.session != first.session
    assert talk.request(0).text.count(HINT) == 1
    assert (
        talk.request(0).text.count(session_start.FULL_PROTOCOL) == 1
        and session_start.SHORT_PROTOCOL not in talk.request(0).text
    )
