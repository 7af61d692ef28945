"""The tests under every version of Python at hand: `nox`; all tests: `nox -s all`.

A part of them: `nox -s smoke`.
"""

import re
import tomllib
from pathlib import Path

import nox

nox.options.sessions = ["tests"]
nox.options.error_on_missing_interpreters = False
VERSIONS = ["3.11", "3.12", "3.13", "3.14"]
# what needs few kernels, since each version of Python compiles its own
CORE = [
    "tests/verify/test_referee.py",
    "tests/verify/scrabble/test_rule_sets.py",
    "tests/posts/test_corpus.py",
    "tests/solver/test_expansion.py",
]
PARTS = [
    "tests/verify",
    "tests/solver/test_kernels.py",
    "tests/solver/test_expansion.py",
    "tests/test_library.py",
]


@nox.session(python=VERSIONS)
def tests(session: nox.Session) -> None:
    """The tests that `pytest` runs."""
    session.install("-e", ".[test]")
    session.run("pytest", *session.posargs)


@nox.session
def all(session: nox.Session) -> None:  # noqa: A001
    """All tests, also those that take long."""
    session.install("-e", ".[test]")
    session.run("pytest", "-m", "", *session.posargs)


@nox.session(python=VERSIONS)
def smoke(session: nox.Session) -> None:
    """An answer to the challenge, its verdict, and the tests of referees, posts and expansion."""
    session.install("-e", ".", "pytest", "pytest-xdist", "hypothesis", "psutil")
    session.run("rowdraw", "solve", "-o", answer := str(Path(session.create_tmp()) / "answer.txt"))
    session.run("python", "-m", "verify", answer)
    session.run("pytest", *CORE)


@nox.session(python="3.11")
def lowest(session: nox.Session) -> None:
    """A part of the tests with the lowest versions of everything that pyproject.toml names."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = ["report", "cluster", "icelandic", "web"]
    named = [
        *project["dependencies"],
        *(name for extra in extras for name in project["optional-dependencies"][extra]),
    ]
    lowest = Path(session.create_tmp()) / "lowest.txt"
    lowest.write_text("".join(f"{re.sub('>=', '==', name)}\n" for name in named), encoding="utf-8")
    session.install(
        "-c",
        str(lowest),
        "-e",
        f".[{','.join(extras)}]",
        "pytest",
        "pytest-xdist",
        "hypothesis",
        "psutil",
    )
    session.run("rowdraw", "solve", silent=True)
    session.run("pytest", *PARTS, "tests/web/test_server.py", *session.posargs)


@nox.session
def supply(session: nox.Session) -> None:
    """Known faults of what a user installs, by pip-audit, and an SBOM of it, sbom.json."""
    session.install(".[report,cluster,icelandic,web]", "pip-audit", "cyclonedx-bom")
    session.run("cyclonedx-py", "environment", "--pyproject", "pyproject.toml", "-o", "sbom.json")
    session.run("pip-audit", "--skip-editable")
