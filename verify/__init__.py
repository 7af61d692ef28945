"""The referee: a slow, plain reading of the rules that owes nothing to the solver. Standard library only."""

from verify.referee import judge
from verify.rules import Rules, RulesError, load_rules
from verify.verdict import Replay, Verdict, Violation, Violations

__all__ = ["Replay", "Rules", "RulesError", "Verdict", "Violation", "Violations", "judge", "load_rules"]
