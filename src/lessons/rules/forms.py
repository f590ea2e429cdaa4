"""Code in backticks in; whether it is a command, an option, a path or a text, and what finds it in a call, out."""

import re
from collections.abc import Sequence
from itertools import takewhile

from lessons.match.whole_line import PROGRAMS as _UNMISTAKABLE
from lessons.model import Triggers, When

WRITERS = ["Write", "Edit", "MultiEdit", "NotebookEdit", "apply_patch"]
PROGRAMS = _UNMISTAKABLE | frozenset(
    "alembic ant ava aws az bazel biome brew buf bun bunx bundle cargo clang-format composer conda corepack ctest dart"
    " django-admin docker docker-compose dprint drizzle-kit expo firebase flutter forge gcloud gh git go golangci-lint"
    " gradlew gulp hardhat hatch helm hugo isort jekyll jq just knex kubectl lerna mage make maven minikube mise mix"
    " mvn mvnw nest next ng nox npm nx nyc pdm phpunit pip pip3 pnpm pnpx poetry pre-commit prisma pulumi pyright"
    " python3 rollup rspec rubocop ruff sam sbt serverless stylelint supabase swift tauri terraform tofu ts-node tsx"
    " turbo uv uvicorn uvx vercel vite webpack wrangler xcodebuild yarn".split()
)
# Names of programs that are words of English too: they count in backticks only.
ENGLISH = frozenset(
    "at ava black cat expo find forge go grep halt hatch head just kill less make mage mix more nano nest next node"
    " perl poetry reboot rollup sam script sort su swift tail tee test touch turbo vi watch which".split()
)
_EXTENSIONS = frozenset(
    "bash c cc cfg cjs conf cpp cs css csv dart env ex go gradle graphql h hpp html ini ipynb java js json jsx kt"
    " less lock lua md mdc mjs php pl png prisma mod properties proto py pyi r rb rs sass scala scss sh sql sum svelte"
    " svg swift tf toml ts tsx txt vue xml yaml yml zig".split()
)
_SOURCES = "**/*.{c,cc,cpp,cs,dart,ex,go,h,hpp,java,js,jsx,kt,lua,mjs,cjs,php,py,pyi,rb,rs,scala,svelte,swift,ts,tsx}"
# What a rule says about its files, and their glob.
_LANGUAGES = (
    (r"typescript|\bts\b|tsx", "**/*.{ts,tsx,mts,cts}"),
    (r"javascript|\bjs\b|jsx|react", "**/*.{js,jsx,mjs,cjs,ts,tsx}"),
    (r"python", "**/*.{py,pyi}"),
    (r"\brust\b", "**/*.rs"),
    (r"golang|\bgo (?:code|files?)\b", "**/*.go"),
    (r"c#|\.net\b", "**/*.cs"),
    (r"\bphp\b", "**/*.php"),
    (r"\bjava\b", "**/*.java"),
    (r"kotlin", "**/*.kt"),
    (r"\bswift\b", "**/*.swift"),
    (r"\bruby\b", "**/*.rb"),
    (r"\bs?css\b|stylesheets?\b", "**/*.{css,scss,sass,less}"),
)
# Texts that are words or names too: how they look as code, and in which files.
_SPECIAL_TEXTS = {
    "any": (r"(?::|\bas|<|,|\||=>)\s*any\b(?!\s*[\w(:])", "**/*.{ts,tsx,mts,cts}"),
    "var": (r"(?m)^\s*(?:for \()?var\s+[\w{\[]", "**/*.{js,jsx,mjs,cjs,ts,tsx}"),
    "print": (r"(?<![\w.])print\s*\(", "**/*.py"),
    "require": (r"(?<![\w.])require\s*\(", "**/*.{js,jsx,mjs,ts,tsx}"),
    "console.log": (r"\bconsole\.log\s*\(", "**/*.{js,jsx,mjs,cjs,ts,tsx,vue,svelte}"),
}
_PLACEHOLDER = re.compile(r"<[^>]*>|\[[^\]]*\]|\{[^}]*\}|\.\.\.|…|\*|\$|\bX{2,}\b|\bNAME\b|\bFILE\b")
_NOT_IN_WORDS = re.compile(r"[|;&>`\"'\\()]")
_SCRIPT = re.compile(r"(?:\./)?[\w./-]+\.(?:sh|py|js|ts|rb|pl)|\./[\w./-]+|[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_PLAIN_WORD = re.compile(r"[\w.][\w./@:+-]*")
_END = r"(?=\s|$)"


def is_command(code: str, runs: bool = False) -> bool:
    """Whether it is a command line; `runs`: the sentence says so, and its program need not be known."""
    first, _, rest = code.partition(" ")
    if first.rpartition("/")[2] in PROGRAMS:
        return not rest or bool(re.match(r"[\w./@:<\[{$\"'*^~-]", rest))
    return runs and bool(_SCRIPT.fullmatch(first))


def is_option(code: str) -> bool:
    return bool(re.fullmatch(r"--[a-z][\w-]+(?:=\S+)?|-[A-Za-z]", code))


def is_path(code: str) -> bool:
    if re.search(r"[\s()$<>;=|\"'@]|://", code) or code.startswith(("-", "//")) or len(code) < 3:
        return False
    name = code.rstrip("/").rpartition("/")[2]
    if name.startswith(".") and len(name) > 2:
        return True
    if "." in name:
        return name.rpartition(".")[2].lower() in _EXTENSIONS
    return code.endswith(("/", "/*", "/**")) or code.count("/") > 1


def glob_of(path: str) -> str:
    path = re.sub(r"\[(\w+)\]", "*", path.removeprefix("./").removeprefix("/"))
    name = path.rstrip("/").rpartition("/")[2]
    return f"{path.rstrip('/')}/**" if path.endswith("/") or ("." not in name and "*" not in name) else path


def shell(patterns: Sequence[str], unless: Sequence[str] = (), folder: Sequence[str] = ()) -> Triggers | None:
    """Returns the trigger on any command that one of the patterns matches from its start."""
    when = When(folder=[*folder]) if folder else None
    return Triggers(
        tool_names=["Bash"], command_patterns=[*patterns], unless=[*unless], match_on="invocation", when=when
    ) if patterns else None  # fmt: skip


def in_line(pattern: str) -> Triggers:
    """Returns the trigger on any line that contains the pattern."""
    return Triggers(tool_names=["Bash"], command_patterns=[pattern], match_on="command")


def patterns_of(codes: Sequence[str]) -> list[str]:
    return [pattern for code in codes if (pattern := _command_pattern(code))]


def _command_pattern(code: str) -> str:
    """Returns the regex of a command: words in their order, options anywhere behind them; empty if it has none."""
    plain: list[str] = []
    options: list[str] = []
    rest = ""
    for word in code.split():
        if _NOT_IN_WORDS.search(word):
            return ""
        if found := _PLACEHOLDER.search(word):
            # `make:*` is any word that begins so.
            begin = escaped(word[: found.start()])
            rest = rf"(?=\s+{begin}\S)" if begin and not begin.startswith("-") else r"(?=\s+[^-\s])"
            break
        (options if word.startswith("-") and plain else plain).append(word)
    if not plain:
        return ""
    start = (r"(?:\./)?" if plain[0].startswith("./") else "") + escaped(plain[0].removeprefix("./"))
    words = r"\s+(?:-\S+\s+)*".join([start, *map(escaped, plain[1:])])
    return f"^{words}{_END}{rest}" + "".join(f"(?=.*{option_pattern(option)})" for option in options)


def begins_like(codes: Sequence[str], words: int = 1) -> list[str]:
    """Returns the patterns of everything that begins with these programs, or with so many of their words."""
    starts = (" ".join(takewhile(_PLAIN_WORD.fullmatch, code.split()[:words])) for code in codes)
    return patterns_of([start for start in dict.fromkeys(starts) if start])


def option_pattern(option: str) -> str:
    if re.fullmatch("-[A-Za-z]", option):
        return rf"\s-[A-Za-z]*{option[1]}[A-Za-z]*(?=[\s=]|$)"
    return rf"\s{escaped(option)}(?=[\s=]|$)"


def escaped(text: str) -> str:
    return re.escape(text).replace(r"\-", "-")


def files_of(words: str, text: str = "") -> str:
    """Returns the glob of the files that a rule is about; empty if neither its words nor its text say which."""
    for language, glob in _LANGUAGES:
        if re.search(language, words, re.IGNORECASE):
            return glob
    is_clear = len(text) >= 4 and re.search(r"[a-z][A-Z]|[A-Z][a-z]+[A-Z]|[.@:_(!#]|\w-\w", text)
    return _SOURCES if is_clear else ""


def contents(words: str, texts: Sequence[str], where: Sequence[str] = ()) -> tuple[Triggers, Triggers] | None:
    """Returns what fires where one of these texts is written, and where anything is written into such a file."""
    patterns, globs = [], [*where]
    for text in texts:
        pattern, files = _SPECIAL_TEXTS.get(text.removesuffix("()"), ("", ""))
        if not pattern:
            if not 2 <= len(text) <= 60 or _PLACEHOLDER.search(text.removesuffix("()")):
                return None
            pattern, files = _text_pattern(text), files_of(words, text)
        if not (where or files):
            return None
        globs += [files] if not where and files not in globs else []
        patterns.append(pattern)
    about = Triggers(tool_names=WRITERS, path_patterns=globs)
    return (Triggers(content_patterns=patterns, path_patterns=globs), about) if patterns else None


def _text_pattern(code: str) -> str:
    text = code.removesuffix("()")
    start = r"(?<![\w$-])" if re.match(r"[\w$]", text) else ""
    end = r"\s*\(" if text != code else r"(?![\w-])" if re.search(r"\w$", text) else ""
    return start + r"\s+".join(map(escaped, text.split())) + end
