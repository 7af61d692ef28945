"""Files that are whole or not there."""

import os
import tempfile
from pathlib import Path


def replace_file(path: Path, text: str) -> None:
    """Write `text` to `path` in one step: whoever reads it, and whenever this is killed, finds the old text or the new.

    Raises `OSError`.
    """
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", suffix=".part", delete=False
    ) as file:
        part = Path(file.name)
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            part.unlink(missing_ok=True)
            raise
    # such files are made for their owner alone; a result is for everybody, as any new file is
    mask = os.umask(0)
    os.umask(mask)
    part.chmod(0o666 & ~mask)
    os.replace(part, path)
