"""A sentence in, the trigger that fires where it is broken out: by its shape, never by a guess.

`SHAPES` is tried in its order. The first shape that recognises the sentence decides, also if it decides that nothing
can be checked. Each has an example; what must get no trigger stands first in the tests.
"""

import re
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from lessons.model import Triggers
from lessons.rules.forms import (
    ENGLISH,
    PROGRAMS,
    WRITERS,
    begins_like,
    contents,
    escaped,
    files_of,
    glob_of,
    in_line,
    is_command,
    is_option,
    is_path,
    option_pattern,
    patterns_of,
    shell,
)

# A hit breaks the rule; or only if a person did not agree before; the order of calls decides; nothing can be checked.
Certainty = Literal["broken", "depends", "order", "none"]


class Checked(NamedTuple):
    """What fires where the rule is broken, and what fires wherever it applies."""

    certainty: Certainty
    broken: Triggers | None = None
    about: Triggers | None = None


class Sentence(NamedTuple):
    """A rule as the shapes see it: in `plain` each code in backticks is `⟨N⟩`, N its place in `codes`."""

    plain: str
    codes: list[str]
    section: str

    def find(self, pattern: str) -> re.Match[str] | None:
        return re.search(pattern, self.plain, re.IGNORECASE)

    def codes_in(self, text: str) -> list[str]:
        return [self.codes[int(number)] for number in re.findall(r"⟨(\d+)⟩", text)]

    def names_in(self, text: str) -> list[str]:
        """Returns the codes of a clause, or the programs that it names in plain words."""
        words = [word.strip(".,").lower() for word in re.findall(r"[A-Za-z][\w.+-]*", text)]
        return self.codes_in(text) or [word for word in words if word in PROGRAMS - ENGLISH]


class Shape(NamedTuple):
    name: str
    example: str
    recognise: Callable[[Sentence], Checked | None]


def checked(text: str, section: str = "") -> Checked:
    """Returns what can be checked of a rule; its code stands in backticks."""
    codes: list[str] = []

    def numbered(found: re.Match[str]) -> str:
        codes.append(found[1].strip())
        return f"⟨{len(codes) - 1}⟩"

    plain = re.sub(r"`([^`]{1,200})`", numbered, re.sub("[⟨⟩]", "", text))
    sentence = Sentence(plain, codes, section)
    return next((found for shape in SHAPES if (found := shape.recognise(sentence))), _UNCHECKED)


_UNCHECKED = Checked("none")
_CODE = r"⟨\d+⟩"
_NOT = r"(?:never|do not|don['’]t|must not|mustn['’]t|should not|shouldn['’]t|may not|cannot|can['’]t|avoid|no)"
# What follows is no part of what is forbidden.
_CLAUSE_END = re.compile(
    r"[;:(—–]| - |\.(?=\s|$)|,?\s+(?:instead|because|since|as it|as they|so that|but|it|they|use|always|prefer|this"
    r"|that (?:is|are))\b|,\s+(?!or\b|and\b|⟨)",
    re.IGNORECASE,
)
# The rule holds sometimes only, and no call shows when.
_CONDITIONAL = re.compile(
    r"\b(?:unless|except|if|when|while|until|without|only|outside|during|for (?:new|production|temporary|quick|simple)"
    r"|more than|too|excessive\w*|unnecessar\w*|needless\w*|where possible|in (?:production|prod|ci|parallel)|against"
    r"|on behalf|twice|again|before|after)\b",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(r"\W*(?:unless|except|without|only|if|when|outside)\b", re.IGNORECASE)


def _broken(broken: Triggers | None, about: Triggers | None) -> Checked:
    return Checked("broken", broken, about) if broken and about else _UNCHECKED


def _clause(text: str) -> str:
    return _CLAUSE_END.split(text.strip(" ,"), maxsplit=1)[0]


# Order.

_ACTS = rf"(?:run|execute|use|call|invoke|re-?run|regenerate|update|rebuild|format|lint|test|{_CODE})"
_NEEDS_ORDER = (
    rf"^(?:before|after|once|whenever|when you|every time|each time)\b.*{_ACTS}",
    rf"\b{_ACTS}.*\b(?:before|prior to)\b.*"
    rf"(?:{_CODE}|\b\w+ing\b|\bcommits?\b|\bPRs?\b|push|done|pull request|merge|you)",
    r"\brun\b.*\b(?:after|once|whenever|when|if)\b.*(?:chang|edit|modif|updat|add|touch)",
)
_NOT_WITHOUT = (
    rf"{_NOT} (?:commit|push|merge|open|create|mark|finish)\b.*"
    r"(?:without (?:running|test)|(?:before|until) .*\b(?:pass|run|test|green))"
)


def _order(sentence: Sentence) -> Checked | None:
    if sentence.find(rf"^(?:please )?{_NOT}\b"):
        return Checked("order") if sentence.find(_NOT_WITHOUT) else None
    return Checked("order") if any(map(sentence.find, _NEEDS_ORDER)) else None


# What people do in words, and the commands that do it.

_ALONE = (
    r"(?=$|\W*$|,? (?:unless|without|automatically|changes|anything|code|until|on your own|yourself|any changes|or push"
    r"|to origin|to (?:the )?remote))"
)
_FORCE = r"\s(?:--force|-[a-zA-Z]*f[a-zA-Z]*)(?=\s|$)"
_PACKAGES = (
    r"(?:(?:any|new|extra|additional|a|external|third-party|npm|production|runtime) )*(?:dependenc|package|librar)\w*"
)
_ACTIONS = (
    (r"force[- ]push(?:ing|es)?(?! to| on)", ("git push", rf"^git\s+push(?=\s)(?=.*{_FORCE})")),
    (r"amend(?:ing)?(?: \w+)?(?: commits?)?", ("git commit", r"^git\s+commit(?=\s)(?=.*\s--amend(?=\s|$))")),
    (
        r"(?:skip|bypass)(?:ping|ing)? (?:the )?(?:git |pre-commit |commit )?hooks?",
        ("git commit", r"^git\s+(?:commit|push)(?=\s)(?=.*\s(?:--no-verify|-n)(?=\s|$))"),
    ),
    (r"rebas(?:e|ing)", ("git rebase", r"^git\s+rebase(?=\s|$)")),
    (
        rf"(?:add|install|introduc)(?:e|ing)? {_PACKAGES}",
        (
            "",
            r"^(?:npm|pnpm|yarn|bun)\s+(?:install|i|add)\s+(?:-\S+\s+)*[^-\s]",
            r"^(?:uv|poetry|pdm|cargo|composer|dotnet|bundle)\s+add\s+\S",
            r"^(?:uv\s+)?pip3?\s+install\s+(?!-r|-e|--requirement|\.)\S",
            r"^go\s+get\s+\S",
        ),
    ),
    (rf"commit(?:ting)?(?:/push| (?:or|and) push(?:ing)?)?{_ALONE}", ("git commit", r"^git\s+commit(?=\s|$)")),
    (rf"(?:git )?push(?:ing)?{_ALONE}", ("git push", r"^git\s+push(?=\s|$)")),
)


def _action(text: str, whole: bool) -> tuple[Triggers | None, Triggers | None] | None:
    """Returns what fires where it is done, and where something like it is done; `whole`: the text says nothing more."""
    for words, (program, *patterns) in _ACTIONS:
        if (
            re.match(rf"(?:{words})\W*$", text, re.IGNORECASE)
            if whole
            else re.search(rf"\b{words}", text, re.IGNORECASE)
        ):
            broken = shell(patterns)
            return broken, shell(patterns_of([program])) if program else broken
    return None


_AGREES = (
    r"(?:ask|approv|permi|confirm|consen|request|instruct|consult|authori[sz]|check\w* with|discuss|told|tells?|says?)"
)
_ASKED = (
    r"\bask\b(?: \w+){0,3} (?:before|prior to)(?: you)?(?P<what> .+)",
    rf"(?P<what>.+?),?\s*\b(?:without|unless|until|only (?:if|when)|except when|if not) (?:\w+ ){{0,4}}{_AGREES}",
    r"(?P<what>.+?) (?:always )?(?:requires?|needs?) (?:\w+ ){0,3}(?:approval|permission|confirmation)",
)


def _asks_first(sentence: Sentence) -> Checked | None:
    """The person may have agreed, which no call shows."""
    found = next(filter(None, map(sentence.find, _ASKED)), None)
    if found is None:
        return None
    what = found["what"]
    codes = sentence.codes_in(what)
    commands = [code for code in codes if is_command(code, runs=bool(re.search("run|execut", what)))]
    if patterns := patterns_of(commands):
        return Checked("depends", shell(patterns), shell(patterns))
    if globs := [glob_of(code) for code in codes if is_path(code)]:
        return Checked("depends", Triggers(tool_names=WRITERS, path_patterns=globs), Triggers(path_patterns=globs))
    done = None if codes else _action(f"{what} unless", whole=False)
    return Checked("depends", done[0], done[0]) if done else _UNCHECKED


# Commands.

_WITH_OPTION = (
    rf"(?P<command>{_CODE}) (?:(?:must|should|always) )?(?:be run )?(?:with|using|use|needs|requires)(?: the)?"
    rf" (?P<option>{_CODE})",
    rf"(?:use|pass|add|include|specify) (?:the )?(?P<option>{_CODE})(?: flag| option)? (?:with|to|for|on"
    rf"|when (?:running|using|calling))(?: every| all| any)? (?P<command>{_CODE}|commits?\b)",
    rf"{_NOT} (?:run|use|call) (?P<command>{_CODE}) without (?:the )?(?P<option>{_CODE})",
)


def _with_option(sentence: Sentence) -> Checked | None:
    for form in _WITH_OPTION:
        if found := sentence.find(form):
            [option], commands = (
                sentence.codes_in(found["option"]),
                sentence.codes_in(found["command"]) or ["git commit"],
            )
            if not is_option(option) or not is_command(commands[0], runs=True):
                return None
            around = f"{sentence.plain[: found.start()]} | {sentence.plain[found.end() :]}"
            patterns = [] if _CONDITIONAL.search(around) else patterns_of(commands)
            return _broken(shell(patterns, unless=[option_pattern(option)]), shell(patterns))
    return None


_TYPES = "feat|fix|docs|style|refactor|perf|test|tests|build|ci|chore|revert|deps|wip|release"
_SIGNATURE = r"co-?authored-?by|generated|🤖|signed-off"


def _commit_messages(sentence: Sentence) -> Checked | None:
    is_forbidden, about = sentence.find(rf"{_NOT}\b"), shell(patterns_of(["git commit"]))
    commit = r"git\s+(?:\S+\s+)*?commit\s"
    if not is_forbidden and sentence.find("conventional commits?") and sentence.find("use|follow|must|should|write"):
        # Only the first message counts: others are paragraphs below it. A sign may stand before the type.
        prefix = rf"[^\w\n\"']*(?:{_TYPES})(?:\([^)\n]*\))?!?:\s"
        first = r"(?:(?!-[a-zA-Z]*m\s*[\"'])[^\n])*-[a-zA-Z]*m\s*[\"']"
        return _broken(in_line(rf"{commit}{first}(?!{prefix}|\$|Merge|Revert)"), about)
    words = [code for code in sentence.codes if re.match(_SIGNATURE, code, re.IGNORECASE)]
    if not words and (found := sentence.find(r"co-?authored-?by")):
        words = [found[0]]
    if words and sentence.find(rf"{_NOT} (?:\w+ ){{0,3}}(?:add|include|append|put|use|mention|co-?authored|{_CODE})"):
        texts = "|".join(escaped(re.sub(r":.*", "", word)).replace(r"\ ", "[- ]") for word in words)
        return _broken(in_line(rf"(?i:{commit}[\s\S]*(?:{texts}))"), about)
    return None


_BRANCHES = r"(?:main|master|develop|production)"
_PUSH_TO = (
    rf"{_NOT} (?P<force>force[- ])?(?:commit (?:or|and) )?push(?:ing)?(?: (?:directly|changes|code|commits))* (?:to|on)"
    rf" (?:the )?(?P<what>(?:{_CODE}|{_BRANCHES}|\W|or|and|branch(?:es)?| )+)"
)


def _push_to_branch(sentence: Sentence) -> Checked | None:
    found = sentence.find(_PUSH_TO)
    if not found or _CONDITIONAL.search(sentence.plain[found.end() :]):
        return None
    names = sentence.codes_in(found["what"]) or re.findall(_BRANCHES, found["what"])
    if not names or not all(re.fullmatch(r"[\w.-]+", name) for name in names):
        return None
    force = rf"(?=.*{_FORCE})" if found["force"] else ""
    pattern = rf"^git\s+push(?=\s){force}(?=.*[\s:](?:{'|'.join(map(escaped, names))})(?=\s|$))"
    return _broken(shell([pattern]), shell(patterns_of(["git push"])))


_BUT_NOT = rf"(?:not|never|instead of|rather than|over|{_NOT} (?:use|run|call|write)|avoid)"
_ONE_NOT_OTHER = (
    r"\b(?:use|using|prefer|run|with|via|through|choose|write|call)\b (?P<use>[^.;]*?)(?:,|;|\s[—–-]|\s\(|\.)?\s*"
    rf"(?:and |but )?\b{_BUT_NOT}\b(?: (?:raw|plain|bare|direct|use|run|just))*(?P<not>[^;.—–]*)",
    rf"^(?:please )?{_NOT} (?:use|run|call|write)\b (?P<not>[^;,.—–(]*?)[;,.—–(-]+\s*(?:always |please |instead,? )?"
    r"use (?P<use>.+)",
    r"^instead of (?P<not>[^,]*), (?:always )?(?:use|run|call|prefer) (?P<use>.+)",
)


_PAIR = re.compile(rf"({_CODE}),? (?:and )?(?:not|instead of|over|rather than) ({_CODE})")


def _one_not_other(sentence: Sentence) -> Checked | None:
    if len(pairs := _PAIR.findall(sentence.plain)) > 1:
        good, bad = (sentence.codes_in(" ".join(side)) for side in zip(*pairs, strict=True))
        return _forbidden(sentence, bad, good)
    for form in _ONE_NOT_OTHER:
        found = sentence.find(form)
        if not found or re.search(r"\bnot (?:only|just|all|necessarily|required|needed)\b", found[0]):
            continue
        clause = _clause(found["not"])
        if _CONDITIONAL.search(clause) or re.match(r"\W*(?:in|to|for|on|both|all)\b", clause):
            return None
        bad, good = sentence.names_in(clause), sentence.names_in(found["use"])
        if bad and not set(bad) & set(good):
            return _forbidden(sentence, bad, good)
    return None


def _forbidden(sentence: Sentence, bad: Sequence[str], good: Sequence[str] = (), where: Sequence[str] = ()) -> Checked:
    """Returns what fires on each of these codes, if all have the same form."""
    runs = bool(sentence.find(r"\brun|execut|invok")) or any(map(is_command, good))
    if all(is_command(code, runs) for code in bad) and not where:
        commands = [code for code in good if is_command(code)]
        about = shell(begins_like([*bad, *commands], 1 if commands else 2))
        if any(code.endswith(f" {each}") for code in commands for each in bad):
            # `uv run pytest` runs pytest too: only what begins with it is wrong.
            names = "|".join(r"\s+".join(map(escaped, each.split())) for each in bad)
            return _broken(in_line(rf"(?:^|[;&|(\n])\s*(?:\w+=\S*\s+)*(?:{names})(?=\s|$)"), about)
        longer = [code for code in commands if any(code.startswith(f"{each} ") for each in bad)]
        return _broken(shell(patterns_of(bad), unless=patterns_of(longer)), about)
    if all(map(is_option, bad)):
        named = [code for code in sentence.codes if is_command(code) and code not in good]
        if not named and (found := sentence.find(r"\b(?:git )?(commit|push|merge|rebase)\b")):
            named = [f"git {found[1].lower()}"]
        if named:
            patterns = patterns_of([f"{command} {code}" for command in named for code in bad])
            return _broken(shell(patterns), shell(begins_like(named, 2)))
        clear = [rf"^\S+(?=\s)(?=.*{option_pattern(code)})" for code in bad if code.startswith("--")]
        return _broken(shell(clear), shell(clear))
    if any(is_path(code) or is_option(code) or is_command(code) for code in bad):
        return _UNCHECKED
    triggers = contents(f"{sentence.plain} {sentence.section}", bad, where)
    return Checked("broken", *triggers) if triggers else _UNCHECKED


_FROM_FOLDER = (
    r"(?:run|execute|invoke|call)(?: all| any| every)? (?P<what>.*?)\b(?:from|in|inside|within) (?:the )?"
    rf"(?:(?:repo(?:sitory)?|project|workspace|monorepo)?\s*root|(?P<folder>{_CODE}))"
)


def _from_folder(sentence: Sentence) -> Checked | None:
    found = sentence.find(_FROM_FOLDER)
    if not found or sentence.find(rf"^{_NOT}\b") or _CONDITIONAL.search(sentence.plain[: found.end()]):
        return None
    commands = [code for code in sentence.names_in(found["what"]) if is_command(code, runs=True)]
    folder = sentence.codes_in(found["folder"])[0] if found["folder"] else ""
    if not commands or (folder and not re.fullmatch(r"\.?/?[\w.-]+(?:/[\w.-]+)*/?", folder)):
        return None
    # Where it must not run: at the root, or anywhere below it.
    elsewhere = ["."] if folder.strip("./") else ["*", "*/**"]
    return _broken(shell(patterns_of(commands), folder=elsewhere), shell(patterns_of(commands)))


# Files and texts.

_EDIT = r"(?:hand-?|manually |directly )?(?:edit|modify|touch|change|alter|overwrite|update|delete|write to|remove)"
_NOT_EDITED = (
    rf"{_NOT} (?:ever )?(?:manually |directly )?(?P<verb>{_EDIT}|commit|read|open|stage|check in)\b(?: or \w+)?"
    "(?P<what>.*)"
)
_GENERATED = r"^(?P<what>.*?)(?:is|are) (?:\w+[- ])*(?:generated|read-only|off[- ]limits)\b"
_THAT = r"(?:\s+or \w+)?\s+(?:it|them|this|these|those|the files?|by hand|manually|directly)\b"


def _not_edited(sentence: Sentence) -> Checked | None:
    if found := sentence.find(_NOT_EDITED):
        what, verb = found["what"], found["verb"].lower()
        if re.match(_THAT, what):
            what = sentence.plain[: found.start()]
    elif (found := sentence.find(_GENERATED)) and sentence.find("by hand|read-only|off[- ]limits"):
        what, verb = found["what"], "edit"
    else:
        return None
    clause = what if not found.start() and found.re.pattern == _GENERATED else _clause(what)
    codes = sentence.codes_in(clause)
    if not codes or not all(map(is_path, codes)):
        return None
    rest = what[len(clause) :]
    if _CONDITIONAL.search(clause) or re.search(r"\b(?:unless|except|without|only|if)\b", rest, re.IGNORECASE):
        return _UNCHECKED
    if verb in ("commit", "stage", "check in"):
        names = [escaped(code.removeprefix("./").rstrip("/")) for code in codes if "*" not in code]
        pattern = rf"^git\s+(?:add|commit)(?=\s)(?=.*[\s/](?:{'|'.join(names)})(?=[\s/]|$))"
        return _broken(shell([pattern] if names else []), shell(patterns_of(["git add", "git commit"])))
    globs = [glob_of(code) for code in codes]
    tools = ["Read"] if verb in ("read", "open") else WRITERS
    return _broken(Triggers(tool_names=tools, path_patterns=globs), Triggers(path_patterns=globs))


_DO = (
    "run|running|use|using|execute|executing|invoke|call|calling|write|writing|add|adding|import|importing|introduce|leave"
    "|include|commit"
)
_NOT_DONE = (
    rf"(?:^|[,;:.—–]\s+|\byou |\band )(?:please |ever )?(?P<no>{_NOT})(?: ever)?(?: (?P<verb>{_DO})\b)?\s+(?P<what>.*)"
)
_IS_FORBIDDEN = (
    rf"^(?P<what>{_CODE}(?:(?:,| or| and|/)?\s*{_CODE})*) (?:is|are) (?:strictly )?"
    "(?:forbidden|prohibited|banned|(?:not|never) allowed)"
)
_PLACE = re.compile(r"\b(?:in|inside|within|under|from)\b (?:the )?(?P<where>.*)$", re.IGNORECASE)


def _not_done(sentence: Sentence) -> Checked | None:
    """What must not be run, used or written, by its code or by the words for it."""
    if found := sentence.find(_NOT_DONE):
        what, verb, is_noun = found["what"], found["verb"] or "", found["no"].lower() == "no"
    elif found := sentence.find(_IS_FORBIDDEN):
        what, verb, is_noun = f"{found['what']}{sentence.plain[found.end() :]}", "", False
    else:
        return None
    clause = _clause(what)
    is_conditional = _CONDITIONAL.search(clause) or _EXCEPTION.match(what[len(clause) :])
    # The code must be what is forbidden, no part of its description.
    begins = re.match(rf"(?:(?:the|a|an|any|raw|bare|plain|inline|direct) )*{_CODE}", clause)
    if not begins:
        done = None if is_conditional else _action(f"{verb} {clause}".strip(), whole=True)
        return _broken(*done) if done else None
    place = _PLACE.search(clause)
    bad = sentence.codes_in(clause[: place.start()] if place else clause)
    one_way = re.match(r"\s+(?:to|for|with|on|as|by|at|of|into|between)\b", clause[begins.end() :])
    if is_conditional or one_way or verb == "commit" or (is_noun and any(map(is_command, bad))):
        return _UNCHECKED
    if not place:
        return _forbidden(sentence, bad)
    globs = [glob_of(code) for code in sentence.codes_in(place["where"]) if is_path(code)]
    language = files_of(place["where"])
    where = globs or ([language] if language else [])
    return _forbidden(sentence, bad, where=where) if where else _UNCHECKED


# Programs that do the same: to use one of them only is not to use the others.
_RIVALS = (("npm", "pnpm", "yarn", "bun"), ("pip", "pip3", "poetry", "pipenv", "conda", "uv", "pdm"))
_ONLY_ONE = (
    rf"(?P<only>(?:always|only|exclusively) use|use only|use) (?P<what>{_CODE}|[A-Za-z]+)"
    r"(?P<why> (?:as|for|exclusively|only|to (?:manage|install|add)).*|\W*$)"
)


def _only_one(sentence: Sentence) -> Checked | None:
    found = sentence.find(_ONLY_ONE)
    if not found or sentence.find(rf"^{_NOT}\b"):
        return None
    [name, *_] = sentence.names_in(found["what"]) or [""]
    is_about = re.search(r"packag|dependenc|manager|install|everything|exclusively", found["why"], re.IGNORECASE)
    is_exclusive = " " in found["only"] and not found["why"].strip(" .!")
    for family in _RIVALS:
        if name in family and (is_about or is_exclusive):
            others = [each for each in family if each not in (name, "uv", f"{name}3")]
            return _broken(shell(patterns_of(others)), shell(patterns_of(family)))
    return None


SHAPES = (
    Shape("needs an order", "Run `make test` before you commit.", _order),
    Shape("ask before X", "Ask before running `terraform apply`.", _asks_first),
    Shape("X with option O", "Run `pytest` with `-x`.", _with_option),
    Shape("commit messages", "Use Conventional Commits.", _commit_messages),
    Shape("do not push to B", "Never push directly to `main`.", _push_to_branch),
    Shape("use X, not Y", "Always use pnpm, never npm.", _one_not_other),
    Shape("run X from F", "Run `npm` commands from `web/`.", _from_folder),
    Shape("do not edit or commit P", "Do not edit `dist/` by hand.", _not_edited),
    Shape("do not run, use or write X", "Never run `git commit --no-verify`.", _not_done),
    Shape("use X only", "Use `pnpm` for package management.", _only_one),
)
