"""Programs in any language as strategies: started, heard, judged and ended."""

from solver.solving.programs.strategy import Program, ProgramParameters, program_digest

__all__ = ["Program", "ProgramParameters", "program_digest"]
