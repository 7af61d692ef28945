"""Converts certificates of version 1, which are JSON, to plain lines, and computes nothing.

All moments are knots of the whole game, since version 1 gives its prices moment by moment. The
claim is rounded down to whole points, which says the same: scores are whole.
"""

import argparse
import hashlib
import json
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from string import ascii_lowercase
from typing import Any

_DATA = Path(__file__).resolve().parents[1] / "data"
_TILES = ascii_lowercase + "?"
_POINT = 1000


def converted(old: Mapping[str, Any], row: str, rack: int, values: Mapping[str, int]) -> str:
    """Return a certificate of version 1 in the form of version 2.

    Raises `ValueError` if it is not of this puzzle.
    """
    worth = [values.get(letter, 0) for letter in ascii_lowercase]
    listed = ",".join(
        f"{letter}={value}" for letter, value in zip(ascii_lowercase, worth, strict=True)
    )
    puzzle = hashlib.sha256(f"{row}\n{rack}\n{listed}\n{old['words_hash']}\n".encode()).hexdigest()
    if puzzle != old["puzzle_hash"]:
        raise ValueError("it is of another puzzle: name the right one with --puzzle")
    rest = {name: field for name, field in old.items() if name != "digest"}
    if (
        hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
        != old["digest"]
    ):
        raise ValueError("it was changed after it was made")
    lines = [
        "rowdraw certificate 2",
        f"row {row}",
        f"rack {rack}",
        f"values {_joined(worth)}",
        f"words {old['words_hash']}",
        f"claim {max(0, _thousandths(old['bound']) // _POINT)}",
        *_priced(old, range(len(row) + rack + 1)),
    ]
    text = "".join(f"{line}\n" for line in lines)
    return f"{text}end {hashlib.sha256(text.encode()).hexdigest()}\n"


def _priced(old: Mapping[str, Any], moments: range) -> Iterator[str]:
    """Yield the lines of the relaxation and of its prices."""
    sizes, prices = old["parameters"], old["prices"]
    if old["relaxation"] == "r1":
        # the prices of r1 give a bound of r3 that is no higher
        yield "relaxation r3 1 1"
        yield "focus 0 0 0 0"
        yield f"tiles {_joined(map(_thousandths, prices['tiles']))}"
        yield "knots 0"
        return
    yield f"relaxation r3 {sizes.get('sides', 1)} {sizes.get('holds', 1)}"
    whole = {
        "played": 0,
        "window": [0, 0, 0],
        "knots": moments,
        "tiles": prices["tiles"],
        "leaves": prices.get("leaves", []),
    }
    for focus in [whole, *old.get("foci", [])]:
        yield f"focus {_joined([focus['played'], *focus['window']])}"
        yield f"tiles {_joined(map(_thousandths, focus['tiles']))}"
        yield f"knots {_joined(focus['knots'])}"
        cells: dict[tuple[int, int, int], dict[str, int]] = {}
        for moment, side, hold, entry in focus["leaves"]:
            some = {kind: _thousandths(price) for kind, price in entry.items()}
            cells[moment, side, hold] = cells.get((moment, side, hold), {}) | some
        for cell, entry in sorted(cells.items()):
            pairs = [f"{kind} {entry[kind]}" for kind in _TILES if entry.get(kind)]
            if pairs:
                yield f"leave {_joined(cell)} {' '.join(pairs)}"


def _joined(numbers: Iterable[object]) -> str:
    return " ".join(map(str, numbers))


def _thousandths(points: str) -> int:
    return int(Decimal(points) * _POINT)


def main() -> None:
    """Convert one certificate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path, help="a certificate of version 1, a JSON file")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="NEW.txt",
        help="the file to write; it must not exist",
    )
    parser.add_argument(
        "--puzzle",
        type=Path,
        metavar="FILE",
        help="the puzzle file, unless the puzzle is a bundled one",
    )
    given = parser.parse_args()
    try:
        old = json.loads(given.old.read_bytes())
        puzzle = tomllib.loads(
            (given.puzzle or _DATA / "puzzles" / f"{old['puzzle']}.toml").read_text(
                encoding="utf-8"
            )
        )
        values = puzzle.get("values", "english")
        if isinstance(values, str):
            values = tomllib.loads(
                (_DATA / "tiles" / f"{values}.toml").read_text(encoding="utf-8")
            )["values"]
        row = puzzle["row"] if given.puzzle else old.get("row", puzzle["row"])
        text = converted(old, row.lower(), puzzle.get("rack", 10), values)
        with given.output.open("x", encoding="ascii", newline="\n") as file:
            file.write(text)
        print(f"{given.output}: {len(text):,} bytes")
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        sys.exit(f"{given.old}: not converted: {error}")


if __name__ == "__main__":
    main()
