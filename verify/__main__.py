"""`python -m verify`: the same as `rowdraw verify`."""

import sys

from verify.cli import main

sys.exit(main(sys.argv[1:]))
