"""All that is fuzzed, by name."""

from tests.fuzz import bounds, referee, requests, solving
from tests.fuzz.target import Target

TARGETS: dict[str, Target] = referee.TARGETS | solving.TARGETS | requests.TARGETS | bounds.TARGETS
