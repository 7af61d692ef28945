"""Programs in any language as strategies: started, heard, judged and ended."""

from solver.solving.programs.program import Program, ProgramParameters, program_digest

__all__ = ["Program", "ProgramParameters", "program_digest"]
