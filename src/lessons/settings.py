"""The settings with their defaults, as the hook reads them; hot. `config.py` has their rules."""

from lessons.system import environment

DEFAULTS: dict[str, object] = {
    "injectionBudgetBytes": 4096,
    "maxLessonsPerInjection": 3,
    "minConfidence": 0.5,
    "minPriority": 1,
    "compactionReinjectionThreshold": 7,
    "scanPaths": ["~/.claude/projects/"],
    "autoScanIntervalHours": 24,
    "maxCandidatesPerScan": 50,
    "miningWindowCalls": 8,
    "scoring.multiSessionBonus": 2,
    "scoring.multiProjectBonus": 1,
    "scoring.hangTimeoutBonus": 1,
    "scoring.userCorrectionBonus": 1,
    "scoring.singleOccurrencePenalty": -1,
    "dedupScope": "context",
    "autoPromote": False,
    "lessonProtocol": "recovery",
    "weeklyLine": True,
    "tendLine": True,
    "repeatLine": False,
    "memory": True,
    "holdoutRate": 0,
    "maxTriggerShare": 0.05,
    "excludeProjects": [],
    "historyDays": 0,
    "watchMode": "auto",
    "watchQuietSeconds": 120,
    "watchPollSeconds": 2,
}
Published = dict[str, object]


def variable_for(key: str) -> str:
    """Returns the environment variable that overrides a setting."""
    name = "".join(f"_{letter}" if letter.isupper() else letter for letter in key)
    return f"LESSONS_{name.replace('.', '_').upper()}"


def setting(published: Published, key: str) -> str:
    """Returns a setting as text: from the environment, else from the manifest, else its default."""
    return environment(variable_for(key)) or str(published.get(key, DEFAULTS[key]))


def number(published: Published, key: str) -> int:
    """Returns a setting as a whole number; the default if invalid."""
    try:
        return max(0, int(float(setting(published, key))))
    except (ValueError, OverflowError):
        return int(str(DEFAULTS[key]))


def share(published: Published, key: str) -> float:
    """Returns a setting as a number from 0 to 1; 0 if invalid."""
    try:
        return min(1.0, max(0.0, float(setting(published, key))))
    except ValueError:
        return 0.0


def switch(published: Published, key: str) -> bool:
    """Returns a setting as yes or no; yes if invalid."""
    return setting(published, key).lower() not in ("false", "0", "no", "off")


def protocol(published: Published) -> str:
    """Returns how the agent is asked for notes: `recovery`, `always`, or empty for never."""
    chosen = setting(published, "lessonProtocol").lower()
    return chosen if chosen == "always" else "recovery" if switch(published, "lessonProtocol") else ""
