"""`python -m verify`: the same as `rowdraw verify`."""

import sys

from verify.cli import run

sys.exit(run())
