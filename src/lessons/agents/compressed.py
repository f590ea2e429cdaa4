"""Unpacks a transcript that its agent has compressed (Zstandard).

The text goes into an unnamed file, so that it can be read from any byte in bounded memory. The file is gone with the
process, however that ends. Positions are those of the original file.
"""

import os
import sys
import tempfile

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdError, ZstdFile, compress
else:
    from backports.zstd import ZstdError, ZstdFile, compress

__all__ = ["compress", "unpacked"]

_CHUNK = 1 << 20
# Larger than any session: a file that unpacks to more is damaged, or made to fill the disk.
_MOST_BYTES = 8 << 30


def unpacked(packed: int) -> tuple[int, int]:
    """Returns a descriptor of the text, for the caller to close, and its size; raises OSError if it cannot be read
    completely.
    """
    with tempfile.TemporaryFile(prefix="lessons-") as text, open(packed, "rb", closefd=False) as source:
        try:
            with ZstdFile(source) as stream:
                while piece := stream.read(_CHUNK):
                    text.write(piece)
                    if text.tell() > _MOST_BYTES:
                        raise OSError(None, "it is larger than any transcript")
        except (ZstdError, EOFError) as fault:
            raise OSError(None, f"it is not sound Zstandard data: {fault}") from fault
        text.flush()
        return os.dup(text.fileno()), text.tell()
