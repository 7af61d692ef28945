"""What takes long to load: the server of `tests.process` imports this module before it forks for
each command."""

import atexit
import gc
import os
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from markupsafe import Markup

from solver.commands.cli import main
from solver.report import comparison
from verify import load_rules


def keep_library() -> None:
    """Let the first command that draws charts keep the library of its page, which takes longer
    to make than most commands."""
    make, kept = comparison._library, Path(mkdtemp()) / "library.js"
    atexit.register(rmtree, kept.parent)  # by the server: a forked process ends without it

    def library() -> Markup:
        if not kept.exists():
            kept.write_bytes(make().encode())
        return Markup(kept.read_bytes().decode())

    comparison._library = library


with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
    # kernels of beams, of exact search, and of bounds; the indexes of the challenge
    for command in (["warmup"], ["solve", "--row", "tea", "--strategy", "exact"]):
        with suppress(SystemExit):
            main(command)
for module in (
    "jinja2",
    "pytest",
    "verify.cli",
    "verify.scrabble.judge",
    "multiprocessing.spawn",
    "concurrent.futures.process",
):
    import_module(module)
assert load_rules().words_hash
keep_library()
# what is loaded is left out of the collection at the exit of each process, which would copy all of
# its memory
gc.collect()
gc.freeze()
