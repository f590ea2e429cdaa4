"""A transcript that its agent has compressed (Zstandard), as the file that it was before.

The text goes into a file without a name, so that it can be read from any byte on in bounded memory, and is gone with
the process however that ends. Positions in it are those of the file that was compressed.
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
    """A descriptor of the text, for the caller to close, and its size; OSError where the file cannot be read whole."""
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
