"""`lessons show`: all of one lesson, found by any beginning of its name, with what it has done."""

from tests.builders.home import DataHome
from tests.builders.lessons import blocking, lesson
from tests.builders.payloads import bash
from tests.cli.command_line import CommandLine, plain


def test_a_name_that_fits_none_or_several(home: DataHome, lessons: CommandLine) -> None:
    home.write(lesson("stash-a"), lesson("stash-b"))
    assert "stash matches 2 lessons (stash-a, stash-b): write more of the slug." in lessons.refused("show", "stash")
    assert "perhaps stash-a is meant" in lessons.refused("show", "stash-aa")
    assert 'There is no lesson ""' in lessons.refused("show", "")


def test_by_slug_by_beginning_and_by_id(home: DataHome, lessons: CommandLine) -> None:
    home.write(lesson("stash"), lesson("stash-again", mine={"kept": 1}))
    assert lessons.json("show", "stash")["slug"] == "stash"
    assert lessons.json("show", "STASH-A") == {
        **lesson("stash-again", mine={"kept": 1}),
        "muted": None,
        "fired": {},
        "agentsFeedback": {},
        "history": [],
    }
    assert lessons.json("show", "id-stash")["slug"] == "stash"


def test_everything_it_says_and_has_done(home: DataHome, lessons: CommandLine) -> None:
    triggers = {"commandPatterns": ["git push .*--force"], "unless": ["lease"], "pathPatterns": ["**/x"]}
    home.publish(blocking(triggers=triggers, confidence=0.75, scope={"type": "project", "path": "/shop"}))
    for _ in range(2):
        home.run(bash("git push --force", cwd="/shop"))
    shown = dict(line.split("  ", 1) for line in lessons.ok("show", "no-force").splitlines())
    found = {name: value.strip() for name, value in shown.items()}
    assert found["slug"] == "no-force-push"
    assert found["effect"] == "block"
    assert found["block reason"] == "The branch is shared. This was: {command}"
    assert (found["commands"], found["unless"], found["paths"]) == ("git push .*--force", "lease", "**/x")
    assert (found["project"], found["confidence"], found["fired"]) == ("/shop", "0.75", "2 × block")
    assert lessons.json("show", "no-force")["fired"] == {"block": 2}
    assert plain("\n".join(lessons.screen("show", "no-force"))).startswith("slug")
