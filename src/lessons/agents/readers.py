"""The agents whose transcripts can be read, by name."""

from lessons.agents.claude_code.transcript import Transcripts
from lessons.agents.events import Reader

READERS: dict[str, Reader] = {reader.agent: reader for reader in (Transcripts(),)}
