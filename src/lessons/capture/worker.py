"""Files to read in, their batches out, in this process."""

from collections.abc import Iterator

from lessons.agents.table import reader_of
from lessons.capture.jobs import FOREIGN, GONE, REPLACED, UNCLEAR, Done, Job, Problem
from lessons.capture.project import Projects
from lessons.capture.reading import Foreign, Replaced, Unclear, batches
from lessons.store.consent import Consent
from lessons.store.faults import describe
from lessons.store.history.rows import Batch


class Worker:
    """Reads one file after the other; folders that were looked up once are remembered."""

    def __init__(self, consent: Consent) -> None:
        self.consent = consent
        self.projects = Projects()

    def parts(self, job: Job) -> Iterator[Batch | Problem]:
        try:
            yield from batches(reader_of(job.agent), job.path, job.known, self.projects, self.consent)
        except Foreign:
            yield Problem(FOREIGN)
        except Unclear:
            yield Problem(UNCLEAR)
        except Replaced:
            yield Problem(REPLACED)
        except FileNotFoundError:
            yield Problem(GONE)
        except OSError as fault:
            yield Problem(fault.strerror or str(fault))
        except Exception as fault:  # a bug must not keep the other files from being read
            yield Problem(describe(fault))


def in_this_process(jobs: list[Job], consent: Consent) -> Iterator[Done]:
    """Jobs may be added to the list while it is worked off."""
    worker = Worker(consent)
    while jobs:
        job = jobs.pop()
        for part in worker.parts(job):
            yield Done(job.path, part)
