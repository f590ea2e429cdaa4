"""The agents whose transcripts can be read, by name."""

from lessons.agents.base import Reader
from lessons.agents.claude_code.transcript import Transcripts

READERS: dict[str, Reader] = {reader.agent: reader for reader in (Transcripts(),)}
