"""The tests under every version of Python that is at hand: `nox`; a part of them, as CI runs it: `nox -s smoke`."""

import nox

nox.options.sessions = ["tests"]
nox.options.error_on_missing_interpreters = False
VERSIONS = ["3.11", "3.12", "3.13", "3.14"]
PARTS = ["tests/verify", "tests/solver/test_kernels.py", "tests/solver/test_expansion.py", "tests/test_library.py"]


@nox.session(python=VERSIONS)
def tests(session: nox.Session) -> None:
    """All tests."""
    session.install("-e", ".[test]")
    session.run("pytest", *session.posargs)


@nox.session(python=VERSIONS)
def smoke(session: nox.Session) -> None:
    """An answer to the challenge, and the tests of referee, kernels and library."""
    session.install("-e", ".", "pytest", "pytest-xdist", "hypothesis")
    session.run("rowdraw", "solve", silent=True)
    session.run("pytest", *PARTS)
