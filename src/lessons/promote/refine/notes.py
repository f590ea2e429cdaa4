"""Notes about a wording for the user who decides."""

from lessons.promote.queue.candidate import Candidate


def notes_on(candidate: Candidate) -> list[str]:
    """Returns one sentence each; none if the text is our own."""
    wording = candidate.worded
    if wording is None:
        return []
    if not wording.worth_a_lesson:
        return [f"{wording.by} says that this is not worth a lesson: {wording.reason}"]
    found = [f"Worded by {wording.by}: it starts in shadow."]
    if wording.unproven:
        found.append(f"Unproven: no call that worked shows {' or '.join(f'`{code}`' for code in wording.unproven)}.")
    if wording.at_error:
        found.append("Its own trigger was refused, so it fires on the error.")
    if len(wording.split_into) > 1:
        number = len(wording.split_into)
        found.append(f"{wording.by} sees {number} different mistakes in it; the words are about the first.")
    if wording.merge_with:
        found.append(f"{wording.by} takes it for the same mistake as {wording.merge_with}.")
    return found
