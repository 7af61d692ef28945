"""The referee: a slow and plain reading of the rules, without any code of the solver. It needs the standard library only."""

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
