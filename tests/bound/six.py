"""The example of the specification of certificates: a puzzle of six tiles and its certificates."""

from pathlib import Path
from typing import Any

from verify.bound.certificate import read_certificate
from verify.replay.rules import load_rules

FILES = Path(__file__).resolve().parents[2] / "examples/certificates"
RULES = load_rules(str(FILES / "six.toml"), str(FILES / "six.txt"))


def fields(name: str) -> dict[str, Any]:
    return read_certificate((FILES / f"{name}.json").read_bytes(), name)
