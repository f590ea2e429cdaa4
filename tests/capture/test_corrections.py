"""Which of the things that people type after an action are rules for the next time too, and which are not."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.capture.correction_words import same_rule
from lessons.capture.corrections import correction
from lessons.episode import Step

SHELL = Step("t1", "Bash", "npm", "install", "npm install left-pad && pytest -q", "", "{}", "ok")
EDIT = Step("t2", "Edit", "", "", "", "src/app/header.tsx", "{}", "ok")

# About this piece of work, a question, praise, a task, something pasted: all of it common, none of it a rule.
QUIET = [
    "",
    " \n\t ",
    "yes",
    "no",
    "go on",
    "ok commit and push",
    "no, make the button blue",
    "no, the other one",
    "never mind",
    "nevermind, found it",
    "don't worry about it",
    "don't do that",
    "stop",
    "stop doing that",
    "fix the test",
    "don't commit yet",
    "do not push this until I have looked at it",
    "don't change anything else",
    "don't touch the header for now",
    "don't forget to update the changelog",
    "don't move the save icon, move the title",
    "don't show the toast when the list is empty",
    "don't add a modal",
    "I don't like the colours, try darker ones",
    "I don't see the sidebar",
    "I don't want to see the spinner on reload",
    "I don't think this is right",
    "we don't need pagination",
    "we don't have to support that, drop it",
    "resolve the conflicts. don't break anything",
    "add a dark theme and don't use gradients",
    "write the parser. do not add dependencies",
    "keep the footer always on top",
    "the total should always be rounded to two digits",
    "the tooltip should never overlap the chart",
    "it never worked for me on safari",
    "I have never seen that before",
    "it always fails on the second click",
    "use a dropdown instead of radio buttons",
    "use the second option instead",
    "use option 2 instead",
    "no, use the other endpoint",
    "use red instead of green for errors, and make it bold",
    "left, not right",
    "the bug is in the parser, not in the lexer",
    "I meant the second paragraph, not the first",
    "should we use redis instead of memcached?",
    "why did you use a loop instead of a map?",
    "why are we not caching this?",
    "can you always show the last ten entries?",
    "could you run the tests before pushing?",
    "do we always need to rebuild?",
    "did you update my ticket?",
    "are you sure? don't we already have a helper for this",
    "maybe we should never have split that service",
    "perhaps use sqlite instead of postgres",
    "what if we never delete rows",
    "in future we might want to support windows",
    "next time it happens I'll send you the log",
    "looks great, never seen it that fast!",
    "perfect, exactly what I wanted. always a pleasure",
    "could you sort out the merge yourself today?",
    "please introduce yourself",
    "I'll do it myself",
    "continue where you left off, don't start again",
    "/review never push to main",
    "<note>never push to main</note>",
    "> never push to main",
    "```\nnever push to main\n```",
    "$ make gen\nnever run this by hand",
    'the page says "never use this in production"',
    "add the sentence 'always run make gen first' to the readme",
    "error: do not use absolute paths here",
    "TypeError: never call hooks conditionally\n    at render (app.js:10:3)",
    "1. always validate input\n2. never trust the client\n3. write tests",
    "- never log tokens\n- always hash passwords\n- use argon2",
    "only the admin should see it",
    "after you finish, run the formatter",
    "when you are done, use the deploy script to ship it",
    "if you have time, run the benchmarks",
    "this will break the build",
    "that would cause an infinite loop",
    "we use that flag in two places",
    "in this repo there are three configs, which one is loaded?",
    "I told you the answer already",
    "it's not loading, try again with the cache cleared",
    "try again",
    "run it again on the second file",
    "before we merge, rename the column",
    "don't use the hook in this component",
    "I don't want the label to wrap",
    "ok but don't delete my comment on line 40",
    "never push to main. " * 60,
    "no that's wrong",
    "wait, that's the wrong branch",
    "why did you remove the retry logic?",
    "don't use recursion for this",
    "don't include the timestamp in the output",
    "we shouldn't show deleted users in the list",
    "let's not refactor right now",
    "I'd rather not rename the table",
    "use flexbox instead",
    "use a set instead of a list",
    "not that file, the one in the other folder",
    "don't delete the old implementation",
    "don't push, I'll review first",
    "stop the dev server and run the migrations",
    "only run the failing test",
    "if the user is not logged in, never show the banner",
    "when the user clicks save, always close the dialog",
    "users should never be able to delete their own org",
    "the cache must not be used for admin requests",
    "the service is on port 8080 and 8081, which one is it?",
    "remember the last selected tab",
    "from now on the function returns a promise",
    "going forward with option B",
    "you keep getting stuck, try a different approach",
    "great work! never thought this would be possible",
    "changing the type would break the other callers, update those as well",
    "do not include any explanation, just output the json",
    "don't return a vector, return an iterator",
    "we never hit that branch, remove it",
    "make sure you always handle the empty case",
    "the constant lives in src/lib.rs, not src/main.rs, please move the comment",
    "our project uses a workspace, add the crate there",
    "merge main into the branch, don't rebase",
    "please think harder, don't guess",
]

RULES = [
    ("no, use pnpm", "use pnpm"),
    ("No - use pnpm instead of npm.", "use pnpm instead of npm"),
    ("use uv, not pip", "use uv, not pip"),
    ("pnpm not npm", "pnpm not npm"),
    ("run `make test` instead of pytest", "run `make test` instead of pytest"),
    ("don't touch generated files", "don't touch generated files"),
    ("dont touch generated files!", "dont touch generated files"),
    ("please don’t edit files under vendor/", "don’t edit files under vendor/"),
    ("do not commit lock files", "do not commit lock files"),
    ("stop adding comments everywhere", "stop adding comments everywhere"),
    ("avoid mocking the database", "avoid mocking the database"),
    ("always run make gen first", "always run make gen first"),
    ("you should always run the linter", "you should always run the linter"),
    ("never force push", "never force push"),
    ("hmm, never push directly to main please", "never push directly to main please"),
    ("from now on write commit messages in the imperative", "from now on write commit messages in the imperative"),
    ("going forward, put migrations in their own commit", "going forward, put migrations in their own commit"),
    ("we never mock the clock here", "we never mock the clock here"),
    ("we don't use default exports", "we don't use default exports"),
    ("we use tabs here", "we use tabs here"),
    ("we use poetry, not pip", "we use poetry, not pip"),
    ("in this repo we use bazel for everything", "in this repo we use bazel for everything"),
    ("postgres runs on db.internal, not localhost", "postgres runs on db.internal, not localhost"),
    ("the fixtures live in tests/data, not in src", "the fixtures live in tests/data, not in src"),
    ("nope. try again on 10.1.2.3", "try again on 10.1.2.3"),
    ("don't commit unless I ask you to", "don't commit unless I ask you to"),
    ("only push when I tell you to", "only push when I tell you to"),
    ("ask me before you delete branches", "ask me before you delete branches"),
    ("generated files must not be edited by hand", "generated files must not be edited by hand"),
    ("the snapshots should never be written by hand", "the snapshots should never be written by hand"),
    ("whenever you change the schema, run make migrations", "whenever you change the schema, run make migrations"),
    ("when you add a dependency, run make lock", "when you add a dependency, run make lock"),
    ("run the linter before you commit", "run the linter before you commit"),
    ("next time run the formatter before committing", "next time run the formatter before committing"),
    ("I told you not to use sudo", "I told you not to use sudo"),
    ("I don't want you to install global packages", "I don't want you to install global packages"),
    ("it's better not to log any tokens", "it's better not to log any tokens"),
    ("you shouldn't commit secrets", "you shouldn't commit secrets"),
    ("remember that staging has no gpu nodes", "remember that staging has no gpu nodes"),
    ("you can read the logs yourself, you have access to the server", None),
    ("wait, did you change my shell profile?", "did you change my shell profile?"),
    ("don't we need to bump all manifests?", "don't we need to bump all manifests?"),
    ("thanks, looks fine.\nNever commit build output though.", "Never commit build output though"),
    ("don't edit generated files. change the template and rebuild", "don't edit generated files"),
    ("don't edit files in dist/, they are generated", "don't edit files in dist/, they are generated"),
    ("please never use --no-verify", "never use --no-verify"),
    (".env files must never be committed.", ".env files must never be committed"),
    ("never git add .", "never git add ."),
    ("stop creating summary files", "stop creating summary files"),
    ("before you push, run make lint", "before you push, run make lint"),
    ("tests are run with make check, not npm test", "tests are run with make check, not npm test"),
    ("why do you keep using npm?", "why do you keep using npm?"),
    ("this project uses pnpm", "this project uses pnpm"),
    ("npm is not available here, use bun", "npm is not available here, use bun"),
    ("we don't squash merge in this repo", "we don't squash merge in this repo"),
]  # fmt: skip


@pytest.mark.parametrize("text", QUIET)
@pytest.mark.parametrize("action", [SHELL, EDIT], ids=["shell", "edit"])
def test_no_rule(text: str, action: Step) -> None:
    assert correction(text, "sure", action, False) is None


@pytest.mark.parametrize(("text", "rule"), RULES)
def test_rule(text: str, rule: str | None) -> None:
    found = correction(text, "likely", SHELL, False)
    assert found is not None
    assert found.rule == (rule or text)
    assert 0.5 <= found.sureness <= 0.95


@pytest.mark.parametrize(("text", "_"), RULES)
def test_what_comes_before_any_action_is_a_request(text: str, _: str | None) -> None:
    assert correction(text, "sure", None, True) is None


def test_a_reason_counts_where_the_call_was_stopped() -> None:
    text = "the lock file will break the other builds"
    stopped = correction(text, "sure", EDIT, True)
    assert correction(text, "sure", EDIT, False) is None
    assert stopped is not None and stopped.rule == text


def test_a_contrast_counts_where_the_call_held_it() -> None:
    assert correction("bun not npm", "sure", SHELL, False) is not None
    assert correction("bun not deno", "sure", SHELL, False) is None
    assert correction("bun not npm", "sure", EDIT, False) is None


def test_what_was_meant_belongs_to_the_rule() -> None:
    found = correction("hey, did you reset my dotfiles? I meant the ones of the project", "sure", EDIT, False)
    assert found is not None
    assert found.rule == "did you reset my dotfiles? I meant the ones of the project"


def test_sureness_grows_with_an_objection_a_stop_and_a_sure_author() -> None:
    def sureness(text: str, author: str = "likely", stopped: bool = False) -> float:
        found = correction(text, author, SHELL, stopped)
        return found.sureness if found else 0.0

    plain = sureness("do not commit lock files")
    assert sureness("no, do not commit lock files") > plain
    assert sureness("do not commit lock files", stopped=True) > plain
    assert sureness("do not commit lock files", "sure") > plain
    assert sureness("no, never commit lock files", "sure", True) == 0.95


def test_a_long_rule_ends_with_a_word() -> None:
    found = correction(f"never commit {'generated ' * 30}files", "sure", SHELL, False)
    assert found is not None
    assert found.rule == ("never commit" + " generated" * 18)


def test_control_characters_are_taken_out() -> None:
    found = correction("never\x1b commit\x00 lock\u202e files", "sure", SHELL, False)
    assert found is not None and found.rule == "never commit lock files"


_PHRASES = st.sampled_from(
    [text for text, _ in RULES]
    + QUIET
    + ["never ", "don't ", "use ", "not ", "\x1b[0m", "\ud800", "\n", ". ", ", ", "“", "`"]
)


@given(
    st.lists(_PHRASES | st.text(max_size=30), max_size=12).map("".join),
    st.booleans(),
    st.sampled_from(["sure", "likely"]),
)
def test_any_text(text: str, stopped: bool, sureness: str) -> None:
    found = correction(text, sureness, SHELL, stopped)
    if found is not None:
        assert found.rule.isprintable() and 0 < len(found.rule) <= 200
        assert 0.5 <= found.sureness <= 0.95
        rest = "".join(letter if letter.isprintable() else " " for letter in text)
        for word in found.rule.split():
            assert word in rest
            rest = rest.partition(word)[2]


@pytest.mark.parametrize(
    "part",
    ["a", " ", "\n", "no ", "no, so, but ", "never ", "don't use ", "we use a ", "is in a ", "is on a not ", "a? ",
     "run x before ", "you can ", "when you x ", "`", "'a ", '"', "not a.b ", "in this repo ", "- - ", "i told you ",
     "will ", "the the ", "a."],
)  # fmt: skip
def test_time_is_linear(part: str) -> None:
    texts = [part * (size // len(part)) for size in (40, 250, 600, 16_384)]
    for text in texts:
        assert min(_seconds(text) for _ in range(4)) < 0.02


def _seconds(text: str) -> float:
    started = time.perf_counter()
    correction(text, "sure", SHELL, True)
    return time.perf_counter() - started


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("never commit lock files", "don't ever commit the lock file"),
        ("stop committing lock files!", "please do not commit any lock file"),
        ("use pnpm, not npm", "we use pnpm and not npm here"),
    ],
)
def test_the_same_rule_in_other_words(one: str, other: str) -> None:
    assert same_rule(one) == same_rule(other) != frozenset()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("always squash commits", "never squash commits"),
        ("use python3.11", "use python3.12"),
        ("don't edit src/a.py", "don't edit src/b.py"),
    ],
)
def test_other_rules(one: str, other: str) -> None:
    assert same_rule(one) != same_rule(other)
