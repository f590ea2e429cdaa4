"""Call ids that are unique across sessions."""

# This many letters and digits in a row are random or a time; `call_1` and `functions.bash:3` occur in every session.
_RANDOM_LENGTH = 12


def unique_call_id(given: str, session: str, agent_id: str = "") -> str:
    """Returns the id if it is unique by itself, else with its session and subagent."""
    if not given or not session or _longest_run(given) >= _RANDOM_LENGTH:
        return given
    return f"{given}@{session}/{agent_id}" if agent_id else f"{given}@{session}"


def _longest_run(identifier: str) -> int:
    longest = length = 0
    for sign in identifier:
        length = length + 1 if sign.isalnum() else 0
        if length > longest:
            longest = length
    return longest
