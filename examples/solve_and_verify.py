"""Solve the challenge for some seconds, let the referee judge the answer, and keep two forms."""

import sys
from pathlib import Path

import solver
import verify


def main(folder: Path, seconds: float) -> None:
    """Write `answer.txt` and `answer.json` to `folder`."""
    result = solver.solve("challenge", time=seconds)
    verdict = verify.judge(result.text())
    print(verdict.as_text(), end="")
    for turn in result.turns:
        print(f"{turn.left:3} {turn.play:12} {turn.word:12} {turn.score:4}")
    result.save(folder / "answer.txt")
    result.save(folder / "answer.json")


if __name__ == "__main__":
    main(
        Path(sys.argv[1] if len(sys.argv) > 1 else "."),
        float(sys.argv[2]) if len(sys.argv) > 2 else 5.0,
    )
