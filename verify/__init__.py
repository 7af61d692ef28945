"""The referee: a plain reading of the rules, without code of the solver. Only `verify.bound` needs numpy and numba."""

from verify.posts.answers import judge, judge_all
from verify.replay.rules import Rules, RulesError, load_rules
from verify.replay.verdict import Reading, Replay, Verdict, Violation, Violations

__all__ = [
    "Reading",
    "Replay",
    "Rules",
    "RulesError",
    "Verdict",
    "Violation",
    "Violations",
    "judge",
    "judge_all",
    "load_rules",
]
