"""A rule in a person's words in; whether it speaks of the way of working, and not of what a product does, out."""

import re


def _words(*words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(words)})(?![\w-])", re.IGNORECASE)


_TOOLS = (
    r"git|gh|npm|npx|pnpm|yarn|bun|deno|pip3?|pipx|uv|poetry|conda|cargo|rustup|gradlew?|maven|mvn|bazel|cmake|ninja|docker"
    r"|podman|kubectl|terraform|ansible|pytest|unittest|tox|jest|vitest|mocha|playwright|cypress|eslint|prettier|ruff|mypy"
    r"|pyright|tsc|biome|rails|rake|rspec|rubocop|bundler|composer|artisan|phpunit|mix|dotnet|flutter|xcodebuild|curl|wget"
    r"|grep|rg|ripgrep|sed|awk|psql|sqlite3?|redis-cli|aws|gcloud|brew|apt|ssh|tmux|python3?|virtualenv|venv|alembic"
)
# Names of tools that are words of their own, too.
_TOOL_IN_PLACE = (
    r"(?:use|run|via|with|through|not|than|of|plain|[`'\"])\s*(?:make|go|just|node|black|task|helm|turbo|nx|next)"
)
_CHANGES = (
    r"commit(?:s|ted|ting)?|push(?:ed|ing)?(?!\s+(?:notification|message))|force-push|rebas(?:e|ed|ing)|squash(?:ed|ing)?|amend"
    r"|cherry-?pick|stash|pull\s+requests?|merge\s+requests?|prs?|branch(?:es)?|worktrees?|change-?log"
)
_CHECKS = (
    r"tests?|test\s+suites?|specs|fixtures?|snapshots?|mock(?:s|ed|ing)?|stub(?:s|bed|bing)?|lint(?:er|ers|ing)?|formatter"
    r"|type-?check\w*|ci|pipelines?|code\s+reviews?|coverage|benchmarks?"
)
_SOURCES = (
    r"migrations?|lock-?\s?files?|generated|codegen|dependenc(?:y|ies)|readme|docstrings?|repo(?:sitory)?|code\s?base"
    r"|mono-?repo|(?:this|our)\s+project|makefile|dockerfile|scripts?|shell|commands?|sudo|hard-?cod\w+|refactor\w*"
    r"|(?:default|named|wildcard|relative|absolute)\s+(?:im|ex)ports?|typescript|javascript|python|rust|golang|swift"
    r"|kotlin|bash|protobuf|indent\w*|we\s+use\s+(?:tabs|spaces)|tabs\W+(?:\w+\W+){1,2}spaces|spaces\W+(?:\w+\W+){1,2}tabs"
)
_CONDUCT = (
    r"(?:sub-?)?agents?|claude|codex|copilot|ask(?:ing)?(?:\s+me)?\s+(?:first|before)|without\s+asking|tell(?:ing)?\s+me"
    r"|assum(?:e|ing)|guess(?:ing)?|(?:answer|reply|respond)\s+(?:me\s+)?in|summar(?:y|ies)\s+files?|markdown"
)
_STRONG = _words(_TOOLS, _TOOL_IN_PLACE, _CHANGES, _CHECKS, _SOURCES, _CONDUCT)
_FLAG_OR_FILE = re.compile(
    r"(?<!\S)[`'\"]?--?[A-Za-z][\w-]+|(?<!\w)\.env\b|\w\.(?:[cm]?[jt]sx?|py|rb|rs|go|ya?ml|toml|lock|proto|sh)\b"
)
# Also words of what programs are about.
_WEAK = _words(
    r"code|comments?|files?|folders?|director(?:y|ies)|types?|functions?|class(?:es)?|modules?|packages?"
    r"|docs?|documentation|builds?|build\s+output|logs?|logger|logging|print|secrets?|credentials?|tokens?|passwords?|pii"
    r"|env|prod(?:uction)?|staging|schemas?|databases?|install(?:ed|ing)?|deploy(?:ed|ing|s)?|releases?|versions?|english"
    r"|emojis?|todos?|clock|main|master|git\s+\w+",
    r"[\w.-]+/[\w./*-]*",
    r"`[^`]+`",
)
_PRODUCT = _words(
    r"users?|guests?|customers?|visitors?|players?|admins?|buttons?|pages?|screens?|modals?|dialogs?|headers?|footers?"
    r"|sidebars?|banners?|tables?|columns?|rows?|cells?|charts?|forms?|menus?|icons?|labels?|prices?|orders?|invoices?"
    r"|e-?mails?|uploads?"
)
_SHOWN = re.compile(
    r"\b(?:always|never|don'?t|do\s+not|must|should|we|stop|avoid)\s+(?:be\s+)?"
    r"(?:show|display|hid|render|redirect|sort|round|notif|charg|highlight|animat|spawn|let\b|send|allow)",
    re.IGNORECASE,
)


def speaks_of_work(rule: str) -> bool:
    """Whether it names a tool, a command, a branch, a test, a kind of file, or how the agent itself behaves."""
    if _SHOWN.search(rule) is not None:
        return False
    # A quotation is one word for the shapes, not here.
    rule = rule.replace("_", " ")
    if _FLAG_OR_FILE.search(rule) is not None or _STRONG.search(rule) is not None:
        return True
    return _WEAK.search(rule) is not None and _PRODUCT.search(rule) is None
