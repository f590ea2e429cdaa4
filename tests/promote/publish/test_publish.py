"""Publishing: what is left out and why, what the manifest holds for everybody, and that nothing is ever widened."""

import os
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from lessons.doctor.checks import published_checks
from lessons.errors import DamagedFile, Refused
from lessons.model import lesson_from_document
from lessons.promote.publish.entry import entry_of, injection_of, start_warnings
from lessons.store import manifest
from lessons.store.hook_index import HookIndex
from tests.builders import payloads
from tests.builders.home import DataHome, context_of, reason_of
from tests.builders.lessons import blocking, lesson, stopping
from tests.conftest import SetVariable
from tests.tables import table

SEED_KEYS = {
    "slug", "priority", "toolNames", "commandRegexSources", "pathRegexSources", "tags", "injection", "summary", "block",
    "blockReason", "sessionStart",
}  # fmt: skip
SEED_SETTINGS = {
    "injectionBudgetBytes", "maxLessonsPerInjection", "minConfidence", "minPriority", "compactionReinjectionThreshold",
}  # fmt: skip
DANGEROUS = "^(a+)+$"


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    return DataHome(tmp_path)


def slugs(home: DataHome) -> set[str]:
    return {entry["slug"] for entry in home.manifest()["lessons"].values()}


EXCLUDED: list[tuple[dict[str, object], str]] = [
    ({"stage": "retired"}, "stage is retired."),
    ({"needsReview": True}, "needsReview is true: set it to false once a person has read the lesson."),
    ({"confidence": 0.49}, "confidence is 0.49, below minConfidence 0.5."),
    ({"priority": 2}, "priority is 2, below minPriority 3."),
    ({"triggers": {}}, "it has no trigger"),
    ({"triggers": {"unless": ["x"]}}, "it has no trigger"),
    ({"triggers": {"commandPatterns": ["("]}}, 'triggers.commandPatterns "(" is left out'),
    ({"triggers": {"commandPatterns": [""]}}, "an empty pattern matches everything"),
    ({"triggers": {"commandPatterns": [DANGEROUS]}}, "is left out: It takes more than"),
    ({"triggers": {"pathPatterns": ["{a,b}" * 9]}}, "the glob's braces stand for over 256 patterns"),
    ({"triggers": {"errorPatterns": [r"\p{L}"]}}, "is not known to Python"),
    ({"priority": "high"}, 'lesson 2: priority is "high"'),
    ({"triggers": {"matchOn": "line"}}, "triggers.matchOn"),
    ({"triggers": {"commandPatterns": ["x"], "when": {"weather": ["rain"]}}}, "triggers.when.weather is an unknown"),
    ({"triggers": {"commandPatterns": ["x"], "when": {"absent": ["{1}"]}}}, "has {1}, a group of no pattern"),
    ({"triggers": {"commandPatterns": ["(x)"], "when": {"present": ["{name}"]}}}, "has {name}, a group of no pattern"),
    ({"triggers": {"commandPatterns": ["x"], "when": {"present": [""]}}}, "triggers.when.present has"),
    ({"triggers": {"commandPatterns": ["x"], "when": {"missing": ["bin/x"]}}}, "write the name of one program"),
    ({"triggers": {"commandPatterns": ["x"], "when": {"folder": [""]}}}, 'triggers.when.folder "" is left out'),
    ({"triggers": {"commandPatterns": ["x"], "when": {"folder": ["{a,b}" * 9]}}}, "triggers.when.folder"),
    ({"triggers": {"commandPatterns": ["x"], "when": {"absent": "x"}}}, "triggers.when.absent"),
]


@pytest.mark.parametrize(("changes", "reason"), EXCLUDED)
def test_left_out_with_the_reason(home: DataHome, changes: dict[str, object], reason: str) -> None:
    report = home.publish(lesson("kept"), lesson("excluded", **changes), minPriority=3)
    assert report.included == 1
    assert [each.slug for each in report.excluded] == ["excluded"]
    assert reason in report.excluded[0].reason
    assert slugs(home) == {"kept"}


# A lesson that would fire on more than was meant, were it published without what cannot be used.
WIDENED: list[dict[str, object]] = [
    {"toolNames": ["Bash"], "commandPatterns": ["("]},
    {"toolNames": ["Bash"], "commandPatterns": [DANGEROUS]},
    {"toolNames": ["Bash"], "errorPatterns": ["("]},
    {"toolNames": ["Edit"], "pathPatterns": ["{a,b}" * 9]},
    {"toolNames": ["Edit"], "pathPatterns": [""]},
    {"commandPatterns": ["git"], "unless": ["("]},
    {"commandPatterns": ["git"], "unless": [DANGEROUS]},
    {"commandPatterns": ["git"], "unless": ["--dry-run", "("]},
    {"pathPatterns": ["{a,b}" * 9], "contentPatterns": ["print"]},
    {"pathPatterns": [""], "contentPatterns": ["print"]},
    {"pathPatterns": ["*.py"], "contentPatterns": ["("]},
    {"pathPatterns": ["*.py"], "contentPatterns": [DANGEROUS]},
]


@pytest.mark.parametrize("triggers", WIDENED)
def test_what_would_be_widened_is_excluded(home: DataHome, triggers: dict[str, object]) -> None:
    report = home.publish(lesson(triggers=triggers))
    assert report.included == 0
    assert "is left out" in report.excluded[0].reason
    assert home.manifest()["lessons"] == {}


def test_a_project_lesson_without_its_project_is_excluded(home: DataHome) -> None:
    assert home.publish(lesson(scope={"type": "project"})).included == 0


# A lesson that fires on less: it stays, and what is missing is told.
NARROWED: list[tuple[dict[str, object], str]] = [
    ({"commandPatterns": ["git", "("]}, "commandPatterns"),
    ({"commandPatterns": ["git", DANGEROUS]}, "commandPatterns"),
    ({"commandPatterns": ["git"], "pathPatterns": [""]}, "pathPatterns"),
    ({"commandPatterns": ["git"], "errorPatterns": [r"\p{L}"]}, "errorPatterns"),
    ({"sessionStart": True, "commandPatterns": ["("], "pathPatterns": ["*.py"]}, "commandPatterns"),
]


@pytest.mark.parametrize(("triggers", "field"), NARROWED)
def test_a_lesson_that_keeps_some_of_its_patterns_stays(home: DataHome, triggers: dict[str, Any], field: str) -> None:
    report = home.publish(lesson(triggers=triggers))
    assert report.included == 1
    assert report.excluded == []
    assert any(f"stash-leaves-files: triggers.{field} " in warning for warning in report.warnings)


@pytest.mark.parametrize("pattern", ["a{99999999999999999999}", "(" * 3000 + ")" * 3000])
def test_no_pattern_stops_the_build(home: DataHome, pattern: str) -> None:
    assert home.publish(blocking(triggers={"commandPatterns": ["git push", pattern]})).included == 1


def test_every_entry_has_the_seeds_keys(home: DataHome) -> None:
    home.publish(
        lesson("plain"),
        blocking(),
        stopping(),
        lesson("start", triggers={"sessionStart": True}),
        lesson("tool", triggers={"toolNames": ["WebFetch"]}, injection="My own words."),
        lesson("path", triggers={"pathPatterns": ["*.py"]}, scope={"type": "project", "path": "/shop/"}),
    )
    document = home.manifest()
    assert (document["type"], document["version"]) == ("lessons-learned-manifest", 1)
    assert set(document["config"]) >= SEED_SETTINGS
    by_slug = {entry["slug"]: entry for entry in document["lessons"].values()}
    assert set(document["lessons"]) == {f"id-{slug}" for slug in by_slug}
    for entry in by_slug.values():
        assert set(entry) >= SEED_KEYS
        for item in entry["commandRegexSources"] + entry["pathRegexSources"]:
            assert set(item) == {"source", "flags"}
    assert by_slug["plain"]["injection"] == (
        "## Lesson: A lesson named plain for the tests\nPlain git stash leaves the untracked files where they are.\n"
        "**Fix**: Stash with -u, so that the untracked files go along."
    )
    assert by_slug["tool"]["injection"] == "My own words."
    assert by_slug["path"]["projectPath"] == "/shop"
    assert all("projectPath" not in entry for slug, entry in by_slug.items() if slug != "path")
    assert [by_slug[slug]["matchOn"] for slug in ("plain", "no-force-push", "think-before-reset")] == [
        "command", "invocation", "invocation",
    ]  # fmt: skip


def test_our_keys_are_there_where_they_are_set(home: DataHome) -> None:
    triggers = {
        "commandPatterns": ["git"],
        "contentPatterns": ["a"],
        "errorPatterns": ["b"],
        "unless": ["c"],
        "when": {"os": ["linux"], "shell": []},
    }
    home.publish(lesson("full", triggers=triggers, stage="shadow", stopOnce=True), lesson("plain"))
    full, plain = home.manifest()["lessons"].values()
    ours = {"stopOnce", "stage", "contentRegexSources", "errorRegexSources", "unlessRegexSources", "when"}
    assert ours <= set(full)
    assert full["when"] == {"os": ["linux"]}
    assert not ours & set(plain)


@table(
    "changes, wanted",
    [
        ({}, "## Lesson: A stash leaves files\nPlain stash\n**Fix**: Add -u"),
        ({"problem": "a `stash` leaves files."}, "## Lesson: A stash leaves files\n**Fix**: Add -u"),
        ({"problem": "", "solution": "A stash leaves files!"}, "## Lesson: A stash leaves files"),
        ({"problem": "A stash leaves files. Why?"}, "## Lesson: A stash leaves files\nA stash leaves files. Why?\n"
         "**Fix**: Add -u"),
        ({"injection": "My words."}, "My words."),
    ],
)  # fmt: skip
def test_the_agent_reads_everything_once(changes: dict[str, str], wanted: str) -> None:
    record = lesson(summary="A stash leaves files", problem="Plain stash", solution="Add -u") | changes
    assert injection_of(lesson_from_document(record)) == wanted


def test_patterns_on_contents_look_at_each_line(home: DataHome) -> None:
    patterns = [r"^\s*print\($", r"(?i)\AFOO\Z"]
    home.publish(lesson(triggers={"contentPatterns": patterns, "unless": ["^# may print$"]}))
    for content, shown in (
        ("x = 1\n  print(\n", True), ("x = print(\n", False), ("foo", True), ("x\nfoo", False),
        ("# may print\nprint(\n", False),
    ):  # fmt: skip
        call = payloads.write("/shop/a.py", content) | {"session_id": content}
        assert bool(context_of(home.run(call))) is shown, content


def test_a_project_behind_a_link_is_known_by_both_paths(home: DataHome, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    home.publish(lesson(scope={"type": "project", "path": str(tmp_path / "link")}))
    for folder, shown in (("real/src", True), ("link", True), ("reality", False)):
        payload = payloads.bash("git stash", session=folder, cwd=str(tmp_path / folder))
        assert bool(context_of(home.run(payload))) is shown


def test_the_files_are_private_and_belong_together(home: DataHome) -> None:
    home.publish(lesson())
    files = [home.folder / "lesson-manifest.json", home.folder / "hook-index"]
    assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o600, 0o600]
    stamp = manifest.stamp(home.path)
    assert stamp is not None
    assert HookIndex(str(files[1]), stamp).head["lessons"] == 1


def test_a_build_that_changes_nothing_still_counts_as_new(home: DataHome) -> None:
    home.publish(lesson())
    before = time.time()
    os.utime(home.folder / "lesson-manifest.json", (1, 1))
    home.publish()
    assert (home.folder / "lesson-manifest.json").stat().st_mtime >= before - 1
    assert "Stash with -u" in context_of(home.run(payloads.bash("git stash")))


@pytest.mark.parametrize("text", ["{", "[]", '{"lessons": {}}', "\xff"])
@pytest.mark.parametrize("name", ["lessons.json", "config.json"])
def test_a_damaged_file_leaves_the_last_manifest(home: DataHome, name: str, text: str) -> None:
    home.publish(blocking())
    before = (home.folder / "lesson-manifest.json").read_bytes()
    (home.folder / name).write_text(text, encoding="latin-1")
    if name == "config.json" and text.startswith('{"'):
        home.publish()  # an unknown key is no damage
    else:
        with pytest.raises(DamagedFile):
            home.publish()
        assert (home.folder / "lesson-manifest.json").read_bytes() == before
    assert (home.folder / name).read_text(encoding="latin-1") == text
    assert "git push --force" in reason_of(home.run(payloads.bash("git push --force")))


def test_a_wrong_setting_leaves_the_last_manifest(home: DataHome) -> None:
    home.publish(lesson())
    with pytest.raises(Refused):
        home.publish(minPriority=99)
    assert slugs(home) == {"stash-leaves-files"}


def test_without_lessons_the_manifest_is_empty(home: DataHome) -> None:
    assert home.publish().included == 0
    assert home.manifest()["lessons"] == {}
    assert home.run(payloads.bash("git stash")) == (0, None)


def test_settings_reach_the_manifest(home: DataHome, variable: SetVariable) -> None:
    variable("LESSONS_MAX_LESSONS_PER_INJECTION", "9")
    home.publish(lesson(), injectionBudgetBytes=77, dedupScope="session", autoScanIntervalHours=0.5)
    config = home.manifest()["config"]
    found = [config[key] for key in ("injectionBudgetBytes", "dedupScope", "autoScanIntervalHours")]
    assert found == [77, "session", 0.5]
    assert config["maxLessonsPerInjection"] == 9


NAMED: dict[str, object] = {"triggers": {"matchOn": "invocation"}}
START_WARNINGS: list[tuple[str, dict[str, object], bool]] = [
    ("--no-verify", {}, False),
    ("--no-verify", {"stopOnce": True}, False),
    ("git commit .*--no-verify", NAMED, False),
    ("lamp commit", NAMED, False),
    (".*--no-verify", NAMED, False),
    ("--no-verify", {"stopOnce": True, "triggers": {"matchOn": "command"}}, False),
    ("--no-verify", NAMED, True),
    ("--no-verify", {"stopOnce": True, **NAMED}, True),
    (r"\b--no-verify", NAMED, True),
    ("^ --no-verify", NAMED, True),
    (r"\| sh", {"block": True, "blockReason": "no", **NAMED}, True),
]


@pytest.mark.parametrize(("pattern", "changes", "warned"), START_WARNINGS)
def test_a_pattern_that_begins_no_command_is_told(
    home: DataHome, pattern: str, changes: dict[str, Any], warned: bool
) -> None:
    triggers = {"commandPatterns": [pattern], **changes.get("triggers", {})}
    report = home.publish(lesson(**{**changes, "triggers": triggers}))
    assert report.included == 1
    assert any("can match no command from its start" in warning for warning in report.warnings) is warned


@table(
    ("pattern", "changes", "noted"),
    [
        ("push.*--force", {}, False),
        ("push.*--force", {"triggers": {"matchOn": "command"}, "stopOnce": True}, False),
        ("push.*--force", {"triggers": {"matchOn": "invocation"}, "stopOnce": True}, False),
        ("push.*--force", {"triggers": {"when": {"missing": ["git"]}}, "stopOnce": True}, False),
        ("push.*--force", {"triggers": {"when": {"present": ["x"]}}, "stopOnce": True}, False),
        ("git push.*--force", {"stopOnce": True}, False),
        (r"(?:sudo\s+)?rm -rf", {"stopOnce": True}, False),
        (r"(^|\s)[Gg]it push", {"stopOnce": True}, False),
        (r"(?:pip3?|python[23](\.\d+)? -m pip) install", {"stopOnce": True}, False),
        (r"git push[^|;&<>]*--force", {"stopOnce": True}, False),
        (r"(?P<all>(?<!x)git) push", {"stopOnce": True}, False),
        (".*--force", {"stopOnce": True}, False),
        ("[a-z]+ --force", {"stopOnce": True}, False),
        ("push.*--force", {"stopOnce": True}, True),
        ("push.*--force", {"block": True, "blockReason": "no"}, True),
        ("(?i)drop table", {"stopOnce": True}, True),
        ("rm -rf|DROP TABLE", {"stopOnce": True}, True),
        ("(git )?push", {"stopOnce": True}, True),
        ("lamp on", {"stopOnce": True}, True),
        (r"curl .*\| *sh", {"stopOnce": True}, True),
        ("curl .*[|] *sh", {"stopOnce": True}, True),
        ("git add .*&& git commit", {"stopOnce": True}, True),
        ("cat .*> .*env", {"stopOnce": True}, True),
    ],
)
def test_a_pattern_that_is_searched_in_the_whole_line_is_told(
    pattern: str, changes: dict[str, Any], noted: bool
) -> None:
    triggers = {"commandPatterns": [pattern], **changes.get("triggers", {})}
    record = lesson_from_document(lesson(**{**changes, "triggers": triggers}))
    warnings = start_warnings(entry_of(record).entry)
    assert any("searched in the whole command line" in warning for warning in warnings) is noted


@table(
    ("pattern", "match_on", "warned"),
    [
        ("cat .*> .*env", "command", False),
        ("pip install .*>=", "invocation", False),
        ("node -e .*=>", "invocation", False),
        ("make( 2>&1)?$", "invocation", False),
        ("cat .* > .*env", "invocation", True),
        ("make 2>&1", "invocation", True),
        ("make (?:2>&1|&> out)", "invocation", True),
        ("cat <<EOF", "invocation", True),
    ],
)
def test_a_pattern_that_asks_for_a_redirection_is_told(pattern: str, match_on: str, warned: bool) -> None:
    record = lesson_from_document(lesson(triggers={"commandPatterns": [pattern], "matchOn": match_on}))
    warnings = start_warnings(entry_of(record).entry)
    assert any("asks for a redirection" in warning for warning in warnings) is warned


def test_examples_that_come_out_wrong_are_told(home: DataHome) -> None:
    report = home.publish(lesson(examples={"fires": ["git stash", "git status"], "quiet": ["ls", "git stash -u"]}))
    assert report.included == 1
    assert report.warnings == [
        'stash-leaves-files: the example "git status" should fire and does not: correct the trigger or the example.',
        'stash-leaves-files: the example "git stash -u" should be left alone and fires: correct the trigger or the'
        " example.",
    ]


@table(
    ("field", "changes"),
    [
        ("summary", {"summary": " "}),
        ("priority", {"priority": 99}),
        ("confidence", {"confidence": 3}),
        ("blockReason", {"block": True}),
    ],
)
def test_what_was_written_by_hand_against_the_rules_is_reported_and_acts(
    field: str, changes: dict[str, Any], home: DataHome
) -> None:
    report = home.publish(lesson(**changes))
    assert report.included == 1
    assert [warning for warning in report.warnings if warning.startswith(f"stash-leaves-files: {field} is ")]
    found = {check.name: check.detail for check in published_checks(home.path)}
    assert f"stash-leaves-files: {field} is " in found["warnings of the build"]
    assert home.run(payloads.bash("git stash"))


def test_conditions_on_the_state_are_published(home: DataHome) -> None:
    state = {"missing": ["npx"], "absent": ["{1}"], "present": ["{root}/{1}"], "folder": ["web/**", "."]}
    home.publish(lesson("odd", triggers={"commandPatterns": ["cd (.+)"], "when": {**state, "os": ["linux"]}}))

    [entry] = home.manifest()["lessons"].values()

    assert entry["when"] == {"os": ["linux"], "missing": ["npx"], "absent": ["{1}"], "present": ["{root}/{1}"]}
    assert len(entry["folderRegexSources"]) == 2
    # Whatever is asked about a state is asked about one command of the line.
    assert entry["matchOn"] == "invocation"


@pytest.mark.parametrize("effect", [{"block": True, "blockReason": "Not installed here."}, {"stopOnce": True}])
def test_lesson_about_a_missing_program_only_hints(home: DataHome, effect: dict[str, object]) -> None:
    triggers = {"commandPatterns": ["zork"], "when": {"missing": ["zork"]}}

    report = home.publish(lesson("no-zork", triggers=triggers, **effect))

    assert report.included == 1
    [warning] = report.warnings
    assert warning.startswith("no-zork: ") and "only hint" in warning
    answer = home.run(payloads.bash("zork --now", cwd=str(home.folder)))
    assert "permissionDecision" not in str(answer)
    assert "Stash with -u" in context_of(answer)
