"""The referee, without code of the solver: `verify.core` decides, all else explains."""

from verify.answers import judge, judge_all
from verify.core import Fault, Played
from verify.explain import Faults, Reading, Verdict
from verify.rules import RowdrawError, Rules, RulesError, load_rules

__all__ = [
    "Fault",
    "Faults",
    "Played",
    "Reading",
    "RowdrawError",
    "Rules",
    "RulesError",
    "Verdict",
    "judge",
    "judge_all",
    "load_rules",
]
