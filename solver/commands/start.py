"""The start of the command `rowdraw`: until the commands are imported, Ctrl-C ends it silently."""

import signal


def main() -> None:
    """Run the command line and exit."""
    # set before the imports, which take half a second; then the commands handle signals
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from solver.commands.cli import main as run

    run()
