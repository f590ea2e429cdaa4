"""The steps by which the history got its tables, in order; a step that was published is never changed."""

from lessons.store.history.migrations import (
    m001_history,
    m002_indexed,
    m003_mining,
    m004_commands,
    m005_diagnoses,
    m006_wordings,
    m007_ledger,
    m008_watch,
    m009_proposals,
    m010_usage,
    m011_trigger_hits,
    m012_locality,
    m013_memory,
)

STEPS: tuple[str, ...] = (
    m001_history.SQL,
    m002_indexed.SQL,
    m003_mining.SQL,
    m004_commands.SQL,
    m005_diagnoses.SQL,
    m006_wordings.SQL,
    m007_ledger.SQL,
    m008_watch.SQL,
    m009_proposals.SQL,
    m010_usage.SQL,
    m011_trigger_hits.SQL,
    m012_locality.SQL,
    m013_memory.SQL,
)
