"""The referee: a slow and plain reading of the rules, without any code of the solver. It needs the standard library only."""

from verify.referee import judge
from verify.rules import Rules, RulesError, load_rules
from verify.verdict import Replay, Verdict, Violation, Violations

__all__ = ["Replay", "Rules", "RulesError", "Verdict", "Violation", "Violations", "judge", "load_rules"]
