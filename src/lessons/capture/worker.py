"""Reads files in this process, and yields their batches."""

from collections.abc import Iterator

from lessons.agents.table import reader_of, store_of
from lessons.agents.whole import NotOurs
from lessons.capture.jobs import FOREIGN, GONE, REPLACED, UNCLEAR, Done, Job, Problem
from lessons.capture.project import Projects
from lessons.capture.reading import Foreign, Replaced, Unclear, batches, whole_batches
from lessons.store.consent import Consent
from lessons.store.faults import describe
from lessons.store.history.rows import Batch


class Worker:
    """Reads one file after the other; caches looked-up folders."""

    def __init__(self, consent: Consent) -> None:
        self.consent = consent
        self.projects = Projects()

    def parts(self, job: Job) -> Iterator[Batch | Problem]:
        try:
            yield from self._batches(job)
        except (Foreign, NotOurs):
            yield Problem(FOREIGN)
        except Unclear:
            yield Problem(UNCLEAR)
        except Replaced:
            yield Problem(REPLACED)
        except FileNotFoundError:
            yield Problem(GONE)
        except OSError as fault:
            yield Problem(fault.strerror or str(fault))
        except Exception as fault:  # a bug must not prevent reading the other files
            yield Problem(describe(fault))

    def _batches(self, job: Job) -> Iterator[Batch]:
        reader, store = reader_of(job.agent), store_of(job.agent)
        if store and store.store_of(job.path):
            stem = reader.stem(job.path)
            return whole_batches(store, stem, job.path, job.known, self.projects, self.consent)
        return batches(reader, job.path, job.known, self.projects, self.consent)


def in_this_process(jobs: list[Job], consent: Consent) -> Iterator[Done]:
    """Jobs may be added to the list during processing."""
    worker = Worker(consent)
    while jobs:
        job = jobs.pop()
        for part in worker.parts(job):
            yield Done(job.path, part)
