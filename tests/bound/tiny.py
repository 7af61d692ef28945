"""Random certificates of tiny puzzles, with prices that prove little."""

import hashlib
from random import Random

from tests.reference import optimum
from verify.bound.certificate import Certificate, read_certificate

WORDS = ["a", "ab", "aba", "abba", "aaaaa", "ba", "bab", "cab", "cabs", "scab", "bass", "sacs", "cc", "ccccc", "ass", "bb"]
VALUES = {"a": 1, "b": 4, "c": 7, "s": 2}


def words_hash(words: list[str]) -> str:
    return hashlib.sha256("".join(f"{word}\n" for word in sorted(words)).encode()).hexdigest()


def tiny_text(seed: int, relaxation: str = "r3", claim: int | None = None, longest: int = 9) -> str:
    """A certificate of a random row of at most `longest` tiles; without a claim it claims the best score."""
    rng = Random(seed)
    row = "".join(rng.choice("aabcs?") for _ in range(rng.randint(3, longest)))
    tiles, rack = len(row), rng.randint(2, 4 if longest < 9 else 5)
    values = [VALUES.get(chr(97 + i), 0) for i in range(26)]
    best = optimum(row, rack, WORDS, VALUES) if claim is None else claim
    lines = ["rowdraw certificate 2", f"row {row}", f"rack {rack}", f"values {joined(values)}", f"words {words_hash(WORDS)}"]
    lines.append(f"claim {best}")
    if relaxation == "r1":
        lines += [f"relaxation r1 {rng.randint(1, tiles)}", f"tiles {joined(prices(rng, tiles))}"]
    else:
        sides, holds = rng.randint(1, 3), rng.randint(1, 3)
        lines.append(f"relaxation r3 {sides} {holds}")
        for number in range(rng.randint(1, 4)):
            drawn = rng.randint(min(rack, tiles), tiles)
            low = rng.randint(0, drawn)
            place = [rng.randint(0, drawn), drawn, low, rng.randint(low, drawn)] if number else [0, 0, 0, 0]
            knots = sorted(rng.sample(range(tiles + rack + 1), rng.randint(1, 4)))
            lines += [f"focus {joined(place)}", f"tiles {joined(prices(rng, tiles))}", f"knots {joined(knots)}"]
            for cell in ((knot, side, hold) for knot in knots for side in range(sides) for hold in range(holds)):
                pairs = " ".join(f"{kind} {rng.randint(0, 4000)}" for kind in "abcs?" if rng.random() < 0.5)
                if pairs and rng.random() < 0.7:
                    lines.append(f"leave {joined(cell)} {pairs}")
    return ended("".join(f"{line}\n" for line in lines))


def tiny(seed: int, relaxation: str = "r3", claim: int | None = None, longest: int = 9) -> Certificate:
    return read_certificate(tiny_text(seed, relaxation, claim, longest).encode(), "tiny.txt")


def ended(text: str) -> str:
    """A certificate with its last line."""
    return f"{text}end {hashlib.sha256(text.encode()).hexdigest()}\n"


def claiming(text: str, claim: int) -> str:
    """A certificate with another claim, and the digest that belongs to it."""
    lines = text.splitlines()[:-1]
    return ended("".join(f"claim {claim}\n" if line.startswith("claim ") else f"{line}\n" for line in lines))


def prices(rng: Random, tiles: int) -> list[int]:
    return [rng.randint(0, 9000) for _ in range(tiles)]


def joined(numbers: object) -> str:
    return " ".join(map(str, numbers))  # type: ignore[call-overload, no-any-return]
