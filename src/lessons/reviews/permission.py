"""Whether anything of a project may be stored: the user may exclude it."""

from datetime import UTC, datetime

from lessons.store.consent import consent_of
from lessons.store.excluded import repository_of
from lessons.store.project_state.state_paths import StatePaths
from lessons.store.project_state.timestamps import time_of


def may_be_kept(place: StatePaths) -> bool:
    consent = consent_of(place.home)
    now = time_of(datetime.now(UTC))
    return not (consent.is_needed and consent.refuses("", place.root, repository_of(place.root), now))
