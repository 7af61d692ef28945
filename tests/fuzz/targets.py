"""All that is fuzzed, by name."""

from tests.fuzz import bounds, referee, requests, solving, word_lists
from tests.fuzz.target import Target

TARGETS: dict[str, Target] = referee.TARGETS | word_lists.TARGETS | solving.TARGETS | requests.TARGETS | bounds.TARGETS
