"""`lessons team`: export, trust, verify and import."""

import json
import os
from pathlib import Path

import pytest

from tests.builders import payloads
from tests.builders.home import DataHome, context_of, reason_of
from tests.builders.learned import manifest
from tests.builders.lessons import lesson, stopping
from tests.builders.shared import Project, hinting, shared
from tests.cli.command_line import CommandLine, finish, plain

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ([], 2, "Give the target: --project, or --project DIR."),
        (["--project"], 1, "No lesson is for "),
        (["--project", "stash"], 1, "stash is not a folder: write --project . stash."),
        (["--project", ".", "nothing"], 1, 'There is no lesson "nothing"'),
        (["--project", ".", "secret"], 1, "secret: problem seems to contain a secret"),
        (["--project", ".", "stash", "secret"], 1, "secret: problem seems to contain a secret"),
    ],
)
def test_what_is_not_exported(
    arguments: list[str], code: int, sentence: str, home: DataHome, lessons: CommandLine
) -> None:
    home.write(lesson("stash"), lesson("secret", problem=f"It wants the token {TOKEN} every time."))
    said = lessons.refused("export", *arguments, code=code)
    assert sentence in said
    assert TOKEN not in said
    assert not (lessons.work / ".lessons").exists()


def test_those_of_the_project_and_those_that_are_named(home: DataHome, lessons: CommandLine) -> None:
    (lessons.work / ".git").mkdir()
    (lessons.work / "src").mkdir()
    scope = {"type": "project", "path": str(lessons.work)}
    home.write(lesson("here", scope=scope), lesson("everywhere", problem="Another problem that nobody has met yet."))
    file = lessons.work / ".lessons" / "here.json"
    assert lessons.ok("export", "--project") == f"{file}: written.\n"
    assert lessons.ok("export", "--project", "src") == f"{file}: unchanged.\n"
    document = lessons.json("export", "--project", ".", "everywhere", "here")
    assert [(each["slug"], each["written"]) for each in document["files"]] == [("everywhere", True), ("here", False)]
    assert "scope" not in json.loads(file.read_text(encoding="utf-8"))


@pytest.fixture
def project(lessons: CommandLine) -> Project:
    return Project(lessons.work / "shop", shared(), hinting())


def trusted_by(lessons: CommandLine) -> list[str]:
    return [each["project"] for each in lessons.json("trust", "--list")["projects"]]


@pytest.mark.parametrize("mark", ["", "CLAUDECODE", "CODEX_SANDBOX"])
def test_neither_a_script_nor_an_agent_trusts(mark: str, lessons: CommandLine, project: Project) -> None:
    for yes in ([], ["--yes"]):
        calls = [lessons("trust", project.path, *yes), lessons("trust", project.path, *yes, "--json")]
        if mark:
            calls += [lessons.by_person("trust", project.path, *yes, *more, **{mark: "1"}) for more in ([], ["--json"])]
        for ended in calls:
            assert ended.code == 1
            assert "needs a terminal" in ended.error or "is refused to agents, and" in ended.error
            assert ended.error.endswith("Nothing was trusted.\n") or not json.loads(ended.out)["trusted"]
    assert "no-force-push: BLOCKS every such call" in lessons("trust", project.path, "--yes").out
    assert trusted_by(lessons) == []
    assert not (lessons.home / "lesson-manifest.json").exists()


def test_nothing_is_asked_about_an_unchanged_export_of_ones_own(home: DataHome, lessons: CommandLine) -> None:
    (lessons.work / ".git").mkdir()
    lessons.ok("add", "npm install", "Use pnpm here", "--project", ".")
    lessons.ok("add", "npm ci", "Use pnpm ci", "--project", ".")
    lessons.ok("export", "--project", ".")
    [file, other] = sorted((lessons.work / ".lessons").iterdir())
    assert lessons.ok("verify") == "2 lessons are valid.\n"
    document = json.loads(file.read_text())
    about = "about `npm ci`"
    assert (document["summary"], document["problem"], document["solution"]) == (
        f"Use pnpm ci ({about})", f"A rule {about}, as it is done here.", f"Use pnpm ci ({about})",
    )  # fmt: skip
    ended = lessons.by_person("trust", ".")
    assert (ended.code, "shares your own lessons, unchanged" in " ".join(ended.out.split())) == (0, True), ended
    other.write_text(other.read_text().replace("Use pnpm here", "Use yarn here"))
    ended = lessons("trust", ".")
    assert ended.code == 1 and file.name not in ended.out and f"left out   {other.name}" in ended.out


def test_no_is_no(lessons: CommandLine, project: Project) -> None:
    terminal = lessons.terminal("trust", project.path)
    terminal.expect("Let these lessons fire in")
    terminal.sendline("")
    assert finish(terminal)[0] == 1
    assert trusted_by(lessons) == []


def test_a_person_sees_each_lesson_and_says_yes(lessons: CommandLine, project: Project) -> None:
    project.write(stopping("think-first", problem="A hard reset throws away what was not committed."))
    (project.folder / "bad.json").write_text("{")
    terminal = lessons.terminal("trust", project.path)
    terminal.expect("Let these lessons fire in .*: ")
    assert isinstance(terminal.before, str)
    seen = plain(terminal.before).replace("\r\n", "\n")
    assert "no-force-push: BLOCKS every such call\n    when: command git push .*--force\\b (of Bash)" in seen
    assert "think-first: STOPS the first such call" in seen
    assert "use-pnpm: hints\n" in seen
    assert "left out   bad.json: it is not valid JSON at line 1" in seen
    terminal.sendline("y")
    code, lines = finish(terminal)
    assert code == 0
    assert ": its lessons fire" in " ".join(" ".join(lines).split())
    assert trusted_by(lessons) == [project.path]


LONG = " and it goes on" * 60
SAYING = {
    "hint": hinting(problem=f"npm writes a second lock file.{LONG}\n\n    npm ci\n\tdoes it too."),
    "injected": hinting("injected", injection=f"Only this is told.{LONG}", triggers={"commandPatterns": ["yarn add"]}),
    "block": shared(blockReason=f"The branch is shared: {{command}}{LONG}", injection="Said at an error."),
    "stop": hinting(
        "stop", stopOnce=True, problem=f"A reset is final.{LONG}", triggers={"commandPatterns": ["git reset"]}
    ),
    "error": hinting("error", problem=f"The lock is broken.{LONG}", triggers={"errorPatterns": ["lock file"]}),
    "start": hinting("start", problem=f"Read this first.{LONG}", triggers={"sessionStart": True}),
}
ACTING = {
    "hint": payloads.bash("npm install"),
    "injected": payloads.bash("yarn add x"),
    "block": payloads.bash("git push origin --force"),
    "stop": payloads.bash("git reset --hard"),
    "error": payloads.failure(payloads.bash("make"), "Exit code 1\nlock file is broken"),
    "start": payloads.session_start("startup"),
}


@pytest.mark.parametrize("name", SAYING)
def test_what_is_shown_is_what_the_agent_will_read(name: str, home: DataHome, lessons: CommandLine) -> None:
    record = {key: value for key, value in SAYING[name].items() if key != "examples"}
    project = Project(lessons.work / "shop", record)
    shown = lessons.by_person("trust", project.path, "--yes", COLUMNS="9000")
    assert shown.code == 0, shown
    answer = home.run({**ACTING[name], "cwd": project.path})
    read = reason_of(answer) or context_of(answer)
    assert "From the lessons of the project `shop`, which the user trusts:" in read
    quoted = [line for line in read.split("\n") if line.startswith(">")]
    lines = [" ".join(line.split()) for line in shown.out.split("\n")]
    for line in quoted:
        assert " ".join(line.replace("git push origin --force", "{command}").split()) in lines
    assert "…" not in shown.out


def test_all_of_a_trigger_is_shown(lessons: CommandLine) -> None:
    patterns = [f"pnpm {word} " + "x" * 90 for word in ("one", "two", "three", "four")]
    when = {"os": ["linux"], "models": ["haiku"]}
    triggers = {
        "toolNames": ["Bash"],
        "commandPatterns": patterns,
        "unless": ["--dry"],
        "matchOn": "command",
        "when": when,
    }
    record = hinting(triggers=triggers)
    del record["examples"]
    shown = lessons.by_person("trust", Project(lessons.work / "shop", record).path, "--yes", COLUMNS="9000").out
    [line] = [line for line in shown.split("\n") if "when: " in line]
    assert all(each in line for each in (*patterns, "of Bash", "unless --dry", "linux", "haiku")), line


def test_characters_that_nobody_sees_are_not_trusted(lessons: CommandLine) -> None:
    project = Project(lessons.work / "shop", hinting(), shared(problem="What others\u202e have pushed is replaced."))
    shown = lessons.by_person("trust", project.path, "--yes")
    assert "no-force-push.json: problem has U+202E RIGHT-TO-LEFT OVERRIDE" in shown.out
    assert [each["slug"] for each in lessons.json("list")["lessons"]] == ["use-pnpm"]


def test_a_project_without_lessons_and_what_is_none(lessons: CommandLine) -> None:
    assert "There is no " in lessons.refused("trust", ".")
    assert "is not a folder" in lessons.refused("trust", "nowhere")
    (lessons.work / ".lessons").mkdir()
    ended = lessons.by_person("trust", "--yes")
    assert (ended.code, ended.error) == (1, "Nothing was trusted.\n")
    assert "--list or --remove" in lessons.refused("trust", "--list", "--remove", code=2)


def test_trusted_no_more(lessons: CommandLine, project: Project) -> None:
    assert "is not trusted" in lessons.refused("trust", "--remove", project.path)
    lessons.person_ok("trust", project.path, "--yes")
    assert lessons.json("build")["included"] == 2
    os.rename(project.root, lessons.work / "moved")
    assert "is no longer trusted" in lessons.ok("trust", "--remove", project.path)
    assert lessons.json("build")["included"] == 0
    decisions = (lessons.home / "decisions.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["decision"] for line in decisions] == ["trusted", "distrusted"]


def test_where_they_are_seen_and_not_edited(home: DataHome, lessons: CommandLine, project: Project) -> None:
    home.write(lesson())
    before = (home.folder / "lessons.json").read_bytes()
    lessons.person_ok("trust", project.path, "--yes")
    assert "use-pnpm\tactive, project's\thint" in lessons.ok("list")
    records = lessons.json("list")["lessons"]
    assert [record.get("trustedFrom") for record in records] == [
        None,
        f"{project.folder}/no-force-push.json",
        f"{project.folder}/use-pnpm.json",
    ]
    assert lessons.json("show", "use-pnpm")["trustedFrom"] == f"{project.folder}/use-pnpm.json"
    for call in (["edit", "use-pnpm", "--priority", "3"], ["archive", "use-pnpm"]):
        said = lessons.refused(*call)
        assert f"use-pnpm belongs to a project ({project.folder}/use-pnpm.json): edit it there" in said
    lessons.ok("mute", "use-pnpm")
    assert (home.folder / "lessons.json").read_bytes() == before


def test_the_doctor_tells_of_changes(home: DataHome, lessons: CommandLine, project: Project) -> None:
    def check() -> tuple[bool, str]:
        checks = json.loads(lessons("doctor", "--json").out)["checks"]
        [found] = [each for each in checks if each["name"] == "trusted projects"]
        return found["ok"], found["detail"]

    home.publish(lesson())
    assert check() == (True, "none.")
    lessons.person_ok("trust", project.path, "--yes")
    assert check() == (True, "1, unchanged.")
    project.write(shared(summary="Another summary than the one before"))
    ok, detail = check()
    assert not ok
    assert "was changed since you trusted it" in detail
    assert "was changed since you trusted it" in lessons("list").error
    Path(lessons.home / "trusted.json").write_text("{")
    assert not check()[0]
    assert lessons("list").code == 0


@pytest.fixture
def verified(lessons: CommandLine) -> Project:
    lessons.work.rmdir()
    return Project(lessons.work, shared(), hinting())


def test_each_problem_is_a_line(lessons: CommandLine, verified: Project) -> None:
    (verified.folder / "bad.json").write_text("{\n")
    verified.write(hinting("twice"), "a.json")
    verified.write(shared("slow", triggers={"commandPatterns": ["^(a+)+$"]}))
    ended = lessons("verify")
    assert (ended.code, ended.error) == (1, "")
    assert [line.split(": ")[0] for line in ended.out.splitlines()] == [
        ".lessons/bad.json",
        ".lessons/slow.json",
        ".lessons/use-pnpm.json",
    ]
    document = json.loads(lessons("verify", "--json").out)
    assert (document["ok"], document["files"], len(document["problems"])) == (False, 5, 3)


def test_what_is_in_order_needs_no_data_home(lessons: CommandLine, verified: Project) -> None:
    lessons.home.rmdir()
    assert lessons.ok("verify") == "2 lessons are valid.\n"
    assert lessons.ok("verify", ".lessons/use-pnpm.json") == "1 lesson is valid.\n"
    assert lessons.json("verify", verified.path) == {"ok": True, "files": 2, "problems": []}
    assert not lessons.home.exists()


REPORT = """\
taken          m.json, lesson 01GUARD (runner-waits-ab12): it blocks the call there; here it is a hint until your history supports a block
taken          m.json, lesson 01PATH (lock-files-cd34)
taken          m.json, lesson 01START (answer-in-kind-ef56)
refused        m.json, lesson 01SCOPED (of-one-author-gh78): it is for one project ("Users-somebody-shop"), whose folder it does not name.
refused        m.json, lesson 01OFF (switched-off): it is disabled there.
refused        m.json, lesson 01SLOW (slow-pattern): triggers.commandPatterns "^(a+)+$" is left out: It takes more than 50 ms on a text with 'a' over and over.
refused        m.json, lesson 01THIN (thin): summary is "thin": write at least 20 characters. problem is "a": write at least 20 characters. solution is "b": write at least 20 characters.
refused        m.json, lesson 01NONE (lesson 01NONE): it is 7 and not a record.
"""  # noqa: E501


def test_what_cannot_be_imported_is_one_sentence(lessons: CommandLine) -> None:
    (lessons.work / "x.txt").write_text("x")
    (lessons.work / "x.json").write_text("{")
    os.mkfifo(lessons.work / "pipe.json")
    assert "No nowhere" in lessons.refused("import", "nowhere")
    assert "add --format" in lessons.refused("import", "x.txt")
    assert "x.json is not JSON (Expecting" in lessons.refused("import", "x.json")
    assert "not a regular file" in lessons.refused("import", "pipe.json")
    assert "FILE|DIR" in lessons.refused("import", code=2)
    assert not (lessons.home / "history.db").exists()


def test_the_lessons_of_another_system_line_by_line(lessons: CommandLine) -> None:
    file = manifest(lessons.work / "m.json")
    before = file.read_bytes()
    ended = lessons("import", "m.json")
    assert (ended.code, ended.out) == (0, REPORT)
    assert ended.error.splitlines() == [
        "3 taken, 5 refused, 0 already there.",
        "Next: `lessons review`. Nothing fires before you promote it.",
        "`--yes` takes over lessons of lessons-learned as they are, blocks included.",
    ]
    again = lessons("import", "m.json")
    assert again.out.count("already there  m.json") == 3
    assert again.error == "0 taken, 5 refused, 3 already there.\n"
    assert file.read_bytes() == before
    assert len(lessons.json("candidates")["candidates"]) == 3
    assert lessons.json("list")["lessons"] == []


FORCE = {
    "id": "01JQSEED00000000000000007",
    "slug": "no-force-push-x1y2",
    "summary": "A forced push removes what others have pushed",
    "problem": "Somebody's commits were gone after a push with force.",
    "solution": "Use --force-with-lease, after a fetch of the branch.",
    "injection": "## In my own words: never with force",
    "block": True,
    "blockReason": "Not with force: {command}",
    "triggers": {
        "toolNames": ["Bash"],
        "commandPatterns": ["push.*--force"],
        "pathPatterns": [],
        "sessionStart": False,
    },
    "scope": {"type": "global"},
    "priority": 9,
    "confidence": 0.95,
    "needsReview": False,
    "tags": ["tool:git", "severity:data-loss"],
    "sourceSessionIds": ["4a5b", "6c7d"],
    "occurrenceCount": 4,
    "createdAt": "2026-03-29T00:00:00Z",
    "updatedAt": "2026-03-30T00:00:00Z",
    "contentHash": "sha256:0000",
}
ELSEWHERE = {
    **FORCE,
    "id": "01JQSEED00000000000000008",
    "slug": "make-alone-z3z4",
    "summary": "The shop is built with make alone",
    "problem": "Nothing but make knows where the shop keeps its parts.",
    "solution": "Call make there, whatever package.json seems to offer.",
    "triggers": {"commandPatterns": ["npm run build"]},
    "scope": {"type": "project", "path": "/home/nobody/shop"},
    "block": False,
    "blockReason": None,
    "injection": None,
}
SAME = ("id", "slug", "injection", "priority", "occurrenceCount", "sourceSessionIds", "createdAt", "scope", "tags")


def original(lessons: CommandLine) -> Path:
    file = lessons.work / "original.json"
    file.write_text(json.dumps({"lessons": [FORCE, ELSEWHERE]}))
    return file


def assert_whole(lessons: CommandLine) -> None:
    force, elsewhere = lessons.json("list")["lessons"]
    assert {name: force[name] for name in (*SAME, "block", "blockReason", "updatedAt", "triggers")} == {
        **{name: FORCE[name] for name in (*SAME, "block", "blockReason", "updatedAt")},
        "triggers": force["triggers"] | {"commandPatterns": ["push.*--force"], "toolNames": ["Bash"]},
    }
    assert {name: elsewhere.get(name) for name in SAME} == {name: ELSEWHERE[name] for name in SAME}
    assert lessons.json("try", "git push --force")["decision"] == "block"


@pytest.mark.parametrize("arguments", [(), ("--dry-run", "--yes"), ("--json",)])
def test_without_a_yes_nothing_fires(lessons: CommandLine, arguments: tuple[str, ...]) -> None:
    assert lessons("import", str(original(lessons)), *arguments).code == 0
    assert lessons.json("list")["lessons"] == []
    assert lessons.json("try", "git push --force")["decision"] == "none"


def test_lessons_of_the_original_are_taken_over_whole(lessons: CommandLine) -> None:
    ended = lessons("import", str(original(lessons)), "--yes")
    assert (ended.code, ended.error) == (0, "2 taken, 0 refused, 0 already there.\n")
    assert "its project /home/nobody/shop is not on this machine" in ended.out and "it blocks calls" in ended.out
    assert_whole(lessons)
    again = lessons("import", str(original(lessons)), "--yes")
    assert again.error == "0 taken, 0 refused, 2 already there.\n"
    assert lessons("undo").code == 0
    assert lessons.json("list")["lessons"] == [], "they were taken over together"


def test_a_person_is_asked_once(lessons: CommandLine) -> None:
    terminal = lessons.terminal("import", str(original(lessons)))
    terminal.expect("Take over 2 lessons as they are, 1 of which blocks calls")
    terminal.sendline("y")
    assert finish(terminal)[0] == 0
    assert_whole(lessons)


def test_an_id_of_another_lesson_is_refused_and_a_slug_gets_a_new_end(lessons: CommandLine) -> None:
    lessons.json("add", "--from", "-", text=json.dumps(lesson("make-alone-z3z4", id=FORCE["id"])))
    ended = lessons("import", str(original(lessons)), "--yes")
    assert ended.error == "1 taken, 1 refused, 0 already there.\n"
    assert "id is 01JQSEED00000000000000007, as that of make-alone-z3z4" in " ".join(ended.out.split())
    slugs = [each["slug"] for each in lessons.json("list")["lessons"]]
    assert slugs[0] == "make-alone-z3z4" and slugs[1].startswith("the-shop-is-built")


def test_what_is_promoted_later_keeps_its_fields_too(lessons: CommandLine) -> None:
    lessons("import", str(original(lessons)))
    number = next(
        each["index"]
        for each in lessons.json("candidates", "--all")["candidates"]
        if each["summary"] == FORCE["summary"]
    )
    lessons.json("promote", str(number), "--yes", "--block", "--force")
    (record,) = lessons.json("list")["lessons"]
    assert {name: record[name] for name in SAME} == {name: FORCE[name] for name in SAME}
    assert (record["block"], record["blockReason"]) == (True, FORCE["blockReason"])
