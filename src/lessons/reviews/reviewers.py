"""Who wrote a comment, by the login: a person, a review bot, or another bot."""

from typing import Literal

Reviewer = Literal["person", "review bot", "other bot"]

# As `gh` prints them: apps without `[bot]`.
_REVIEW_BOTS = frozenset(
    (
        *("coderabbitai", "qodo-merge-pro", "qodo-merge", "qodo-code-review", "codiumai-pr-agent", "codium-pr-agent"),
        *("gemini-code-assist", "copilot-pull-request-reviewer", "copilot", "sourcery-ai", "greptile-apps", "cursor"),
        *(
            "ellipsis-dev",
            "chatgpt-codex-connector",
            "claude",
            "deepsource-io",
            "codacy-production",
            "bito-code-review",
        ),
        *("sonarqubecloud", "sonarcloud", "amazon-q-developer", "korbit-ai", "graphite-app", "codeant-ai"),
    )
)
_OTHER_BOTS = frozenset(
    (
        *("codecov", "codecov-commenter", "coveralls", "dependabot", "renovate", "github-actions", "vercel", "netlify"),
        *(
            "changeset-bot",
            "cla-assistant",
            "cla-bot",
            "linux-foundation-easycla",
            "mergify",
            "stale",
            "socket-security",
        ),
        *(
            "github-advanced-security",
            "pre-commit-ci",
            "azure-pipelines",
            "google-cla",
            "snyk-bot",
            "bors",
            "k8s-ci-robot",
        ),
    )
)


def name_of(login: str) -> str:
    """Returns the login without GitHub's additions for apps."""
    return login.lower().removeprefix("app/").removesuffix("[bot]")


def kind_of(login: str) -> Reviewer:
    name = name_of(login)
    if name in _REVIEW_BOTS:
        return "review bot"
    return "other bot" if name in _OTHER_BOTS or login.lower().endswith("[bot]") or not name else "person"
