"""An answer to a row of one's own, what no answer exceeds, and the best plays of its first rack."""

import solver

row = solver.load_puzzle("challenge").with_row("quizzicaljoyous?dog?maxwells")
result = solver.solve(row)
bound = solver.upper_bound(row, seconds=2.0)
print(result.text(), end="")
most = min(bound.points, result.bound or bound.points)
print(f"{result.score} points; no answer has more than {most}")
for play in solver.best_plays(row.row[: row.rack_size], top=3):
    print(f"{play.score:4} {play.tiles} {play.word}")
