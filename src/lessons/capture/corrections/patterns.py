"""The patterns that judge people's sentences; English only for now.

Sentences have single spaces here, and each quotation is one word.
"""

import re
from collections.abc import Iterator
from functools import cache

# Name and pattern; an indented line continues the one above it, and {NAME} inserts a pattern from further up.
_TABLE = r"""
DO_NOT don'?t|do not
WORKING run|use|touch|edit|modify|commit|push|delete|install|upgrade|downgrade|deploy|merge|kill|rebase|amend|squash
    |publish|release|reset|mock|stub|hard-?code|store|import|ask|skip|disable|bypass|ignore|assume|guess|invent|log
    |overwrite|stash|force|tag|regenerate|rebuild|reformat|lint|format|bump|start|restart|reinstall|leave|rely|check in
START (?:^|[,;:(–—] *| - |\b(?:and|but|so|because|then) )(?:(?:please|pls|also|actually|just|i think|no)\b[ ,]*){0,2}
YOU_SHOULD (?:(?:you|we|u) (?:should|must|need to|have to) )?
IDLE (?!(?:worry|think|know|see|seen|saw|understand|care|need|have|had|mind|like|bother|forget|get|be|been|feel|want
    |believe|remember|look|seem|matter|exist|works?|let|hesitate|panic|wait|even|really|give|miss|recall|expect|yet|go
    |just|mean|trust|support|a|an|the|good|nice|asked|said|was|is|are|stop|thought|knew|expected|tried|realized
    |happened|heard|imagined|noticed)\b)
DONE edited|modified|touched|changed|committed|pushed|deleted|renamed|merged|run|used|imported|installed|mocked|stored
    |logged|hard-?coded|written|updated|published|disabled|skipped|checked in|bypassed|ignored
HERE (?:in|for|across|throughout) (?:this|our|the whole|the entire)
    [ ](?:repo(?:sitory)?|project|code ?base|mono-?repo|team|company|org)\b
HOST `?(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|[\w-]+(?:\.[\w-]+)+)(?::\d{2,5})?`?|port \d{2,5}|:\d{2,5}
PLACE {HOST}|`[^`]+`|[\w.@~-]*/[\w./@~-]*|\.\w[\w.-]*
IS_AT \b(?:is|are|'s|lives?|runs?|sits?|goes|go|belongs?|listens?|stays?) (?:in|on|at|under|behind|inside|to) (?:the )?
BARE (?!(?:a|an|the|this|that|these|those|it|them|my|your|some|option|\d+|\w)(?: |$))
MUST (?:must|should|ha(?:s|ve) to|needs? to)(?: (?:always|only|never|not))?
HANDLED run|written|done|go|live|start|begin|end|pass|use|have|follow|built|made|kept|stay|mandatory|forbidden
THIS this(?! (?:repo|project|code\b|code ?base|mono-?repo|machine|box|host|checkout|team|org))
POINTS_HERE \b(?:{THIS}|that(?= \w+$|[ .!]*$)|it|its|them|these|those|there|yet|now(?! on)|today|tomorrow|tonight|until
    |till|else|rest|above|below|current|currently|existing|others?|new|next(?! (?:time|to))|same|either|too|last
    |previous|recent|anything|something|nothing|(?:the|my|your) (?:pr|ticket|issue)|first \w+|second|third|button|page
    |screen|modal|for now|at the moment|meanwhile|atm|just (?!use|run)\w+)\b|#\d|(?<![\w-])(?!port)\w+ #?\d+\b
POINTS \b(?:{THIS}|that(?= \w+\b(?! \w))|it|these|those|them)\b
DOUBTS \b(?:may ?be|perhaps|might|possibly|eventually|someday|consider|wonder(?:ing)?|what if|what about|how about
    |not sure|for (?:now|today|the moment|this (?:one|time|phase|pr))|before we (?:continue|start|move)
    |just this once)\b|^(?:if|when|once|while) (?!(?:you|we|i|asked|in)\b)
ASKS ^(?:can|could|would|will|should|shall|is|are|do|does|did|why|what|what's|how|where|which|who|isn't|aren't|doesn't
    |have you|has|any)\b(?!n't| not\b)
TASK ^(?:now |then |just |go ahead and )?(?:add|fix|make|create|update|remove|implement|change|write|move|rename
    |refactor|show|display|put|continue|revert|build|resolve|address|merge|increase|reply|review|investigate|let'?s
    |can (?:you|we)|could you|i want|i'd like|generate|design|replace|convert|clean|finish|look|explain|give|commit|push
    |open|try|do|set|keep going|go on|proceed|spawn|test|delete|drop|use|run)\b(?! not\b)
TASK_BEHIND [,;] *(?:(?:please|so|and|then) )*(?:add|fix|make|create|update|remove|change|move|rename|delete|revert
    |replace|try|check|find|unify|go ahead|let'?s)\b
REASON [;(–—]| - |\b(?:because|cause|cuz|since|otherwise|so that|as (?:it|they))\b
    |, *(?:it|they|that|this|which|these|those|we|you|i|the)\b
FORBIDS \b(?:{DO_NOT}|never|stop|quit|avoid|not to|to not|rather (?:you )?not|(?:should|must)(?: not|n'?t)
    |want(?: you)? to) (?:ever |be )?
FORBIDS_WORKING {FORBIDS}{WORKING}
FORBIDS_CRAFTING {FORBIDS}(?:add|mak|show|display|chang|mov|put|render|styl|align|includ|renam|set|hid|animat|translat
    |updat|remov|replac|convert|refactor|wrap|split|return|throw|creat|fix|implement|open|clos|print|call|send)
FORBIDS_THE {FORBIDS}\w+ (?:\w+ )?(?:the|your|his|her|their)[ ]
FORBIDS_SEVERAL {FORBIDS}\w+ the (?:[\w-]+ ){0,2}?[\w-]{2,}[^s\W]s\b|\b(?:stop|quit|avoid) \w+ing\b
FORBIDS_FILE {FORBIDS}\w+ `?\w[\w/-]*\.\w{1,5}\b(?! files)
FORBIDS_ONE {FORBIDS}\w+ (?:a|an|another)[ ]
LASTS \b(?:(?:after|before|on|with) (?:each|every) \w|by hand\b|manually\b|yourself\b)
OBJECTS ^\W*(?:(?:ok|okay|hmm+|oh|uh|um)\W+)?(?:no+|nope|nah|wait|stop|hey|whoa|hold on)\b
MEANT ^(?:i (?:meant|said)\b|use\b)
CONTRASTED \b(?:instead of|rather than|not|over|use) `?([\w@./-]{2,40})
TOOLS git|gh|npm|npx|pnpm|yarn|bun|deno|pip3?|pipx|uv|poetry|conda|cargo|rustup|gradlew?|maven|mvn|bazel|cmake|ninja
    |docker|podman|kubectl|terraform|ansible|pytest|unittest|tox|jest|vitest|mocha|playwright|cypress|eslint|prettier
    |ruff|mypy|pyright|tsc|biome|rails|rake|rspec|rubocop|bundler|composer|artisan|phpunit|mix|dotnet|flutter|xcodebuild
    |curl|wget|grep|rg|ripgrep|sed|awk|psql|sqlite3?|redis-cli|aws|gcloud|brew|apt|ssh|tmux|python3?|virtualenv|venv
    |alembic|(?:use|run|via|with|through|not|than|of|plain|[`'"]) *
    (?:make|go|just|node|black|task|helm|turbo|nx|next)
CHANGES commit(?:s|ted|ting)?|push(?:ed|ing)?(?! (?:notification|message))|force-push|rebas(?:e|ed|ing)
    |squash(?:ed|ing)?|amend|cherry-?pick|stash|pull requests?|merge requests?|prs?|branch(?:es)?|worktrees?|change-?log
CHECKS tests?|test suites?|specs|fixtures?|snapshots?|mock(?:s|ed|ing)?|stub(?:s|bed|bing)?|lint(?:er|ers|ing)?
    |formatter|type-?check\w*|ci|pipelines?|code reviews?|coverage|benchmarks?
SOURCES migrations?|lock-? ?files?|generated|codegen|dependenc(?:y|ies)|readme|docstrings?|repo(?:sitory)?|code ?base
    |mono-?repo|(?:this|our) project|makefile|dockerfile|scripts?|shell|commands?|sudo|hard-?cod\w+|refactor\w*
    |(?:default|named|wildcard|relative|absolute) (?:im|ex)ports?|typescript|javascript|python|rust|golang|swift
    |kotlin|bash|protobuf|indent\w*|we use (?:tabs|spaces)|tabs\W+(?:\w+\W+){1,2}spaces|spaces\W+(?:\w+\W+){1,2}tabs
CONDUCT (?:sub-?)?agents?|claude|codex|copilot|ask(?:ing)?(?: me)? (?:first|before)|without asking|tell(?:ing)? me
    |assum(?:e|ing)|guess(?:ing)?|(?:answer|reply|respond) (?:me )?in|summar(?:y|ies) files?|markdown
OF_WORK (?<![\w-])(?:{TOOLS}|{CHANGES}|{CHECKS}|{SOURCES}|{CONDUCT})(?![\w-])|(?<!\S)[`'"]?--?[a-z][\w-]+|(?<!\w)\.env\b
    |\w\.(?:[cm]?[jt]sx?|py|rb|rs|go|ya?ml|toml|lock|proto|sh)\b
MAY_BE_WORK (?<![\w-])(?:code|comments?|files?|folders?|director(?:y|ies)|types?|functions?|class(?:es)?|modules?
    |packages?|docs?|documentation|builds?|build output|logs?|logger|logging|print|secrets?|credentials?|tokens?
    |passwords?|pii|env|prod(?:uction)?|staging|schemas?|databases?|install(?:ed|ing)?|deploy(?:ed|ing|s)?|releases?
    |versions?|english|emojis?|todos?|clock|main|master|git \w+|[\w.-]+/[\w./*-]*|`[^`]+`)(?![\w-])
OF_PRODUCT (?<![\w-])(?:users?|guests?|customers?|visitors?|players?|admins?|buttons?|pages?|screens?|modals?|dialogs?
    |headers?|footers?|sidebars?|banners?|tables?|columns?|rows?|cells?|charts?|forms?|menus?|icons?|labels?|prices?
    |orders?|invoices?|e-?mails?|uploads?)(?![\w-])
SHOWN \b(?:always|never|don'?t|do not|must|should|we|stop|avoid) (?:be )?
    (?:show|display|hid|render|redirect|sort|round|notif|charg|highlight|animat|spawn|let\b|send|allow)
"""


def search(name: str, text: str, start: int = 0) -> re.Match[str] | None:
    """Returns the first match of the named pattern."""
    return compiled(f"{{{name}}}").search(text, start)


# A scan of a few new lines needs few patterns, and compiling all of them takes longer than the scan.
@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compiles a pattern that may name others of the table."""
    return re.compile(_expanded(pattern, _named()), re.IGNORECASE)


def rows(table: str, columns: int) -> Iterator[tuple[list[str], str]]:
    """Yields the columns of each row of such a table, and the pattern after them."""
    for row in re.split(r"\n(?! )", table.strip()):
        first, *more = row.split("\n")
        fields = first.split(" ", columns)
        yield fields[:columns], "".join([*fields[columns:], *(line.strip() for line in more)])


@cache
def _named() -> dict[str, str]:
    named: dict[str, str] = {}
    for (name,), pattern in rows(_TABLE, 1):
        named[f"{{{name}}}"] = f"(?:{_expanded(pattern, named)})"
    return named


def _expanded(pattern: str, named: dict[str, str]) -> str:
    return re.sub(r"\{[A-Z_]+\}", lambda name: named[name[0]], pattern)
