"""Tiny puzzles and their certificates: a claim below the optimum never holds, and a true one does.

Their word lists have lines that are no words. The optimum is that of all games that the referee of games takes.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from solver.bound.sweeps.training import Trainer
from solver.index.problem import Problem
from tests.bound.games import WORDS, Small, small
from tests.bound.proofs import swept, text_of
from tests.bound.tiny import claiming
from tests.fuzz.target import DisagreementError, Target
from tests.fuzz.word_lists import both_readings, changed_lines
from tests.reference import optimum
from verify import Rules, judge
from verify.bound.certificate import read_certificate
from verify.bound.verdict import BoundVerdict, judge_certificate
from verify.files import is_certificate
from verify.rules import RulesError

_TILES = "aeostz?"
_LONGEST = 9  # tiles of a row that is solved by trying everything
_GAME = small("zest?atseatto", 5, 7)


def _playable(lines: Sequence[str], rules: Rules) -> list[str]:
    """What the referee of games takes as a word: each line as it stands, without white space, and in lower case."""
    found = set[str]()
    for form in {form for line in lines for form in (line, line.strip(), line.strip().lower()) if form.strip()}:
        blanks = replace(rules, row="?" * len(form), rack_size=len(form))
        verdict = judge(f"0 {blanks.row} {form}", blanks, strict=True)
        found |= {turn.word for turn in verdict.turns if verdict.valid}
    return sorted(found)


def _judged(game: Small, text: str) -> BoundVerdict:
    return judge_certificate(read_certificate(text.encode(), "fuzzed"), game.rules, "fuzzed")


def _bounds(content: bytes) -> None:
    """The bytes are a puzzle, a word list, prices and what is done with them."""
    rng = random.Random(content)
    row = "".join(_TILES[byte % len(_TILES)] for byte in content[:_LONGEST]) or "a"
    lines = changed_lines(rng, WORDS)
    read = both_readings("\n".join(lines).encode())
    if read is None:
        return
    game = small(row, rng.randint(2, 6), rng.randrange(10_000))
    rules = replace(game.rules, words=read[0].words)
    game = replace(game, problem=Problem(game.problem.puzzle, read[1]), rules=rules)
    best = optimum(row, rules.rack_size, _playable(lines, rules))
    kind = rng.choice(("r1", "r3", "sweep", "foci"))
    if kind == "foci":
        trainer = Trainer(game.problem, least=1, apart=rng.randint(1, 3), groups=rng.randint(1, 3), rounds=2)
        text = swept(game, rng.choice((2, 20, 10_000)), trainer)
    else:
        text = swept(game, rng.choice((2, 20, 10_000))) if kind == "sweep" else text_of(game, kind)
    claim = read_certificate(text.encode(), "made").claim
    if claim < best:
        raise DisagreementError(f"{row}: the solver says {claim} by {kind}, a game scores {best}")
    if not _judged(game, text).valid:
        raise DisagreementError(f"{row}: the referee refuses the certificate by {kind}")
    if best and _judged(game, claiming(text, best - 1)).valid:
        raise DisagreementError(f"{row}: a claim of {best - 1} holds by {kind}, a game scores {best}")
    if kind != "r1" and not _judged(game, claiming(text, best)).valid:
        raise DisagreementError(f"{row}: the claim of the optimum {best} is refused by {kind}")


@cache
def _best() -> int:
    return optimum(_GAME.row, _GAME.problem.puzzle.rack_size, WORDS)


def _certificates(content: bytes) -> None:
    """Certificates as they stand, and signed again after the changes."""
    if not is_certificate(content):
        return
    try:
        told = read_certificate(content, "fuzzed")
        for signed in (told, replace(told, is_unchanged=True)):
            verdict = judge_certificate(signed, _GAME.rules, "fuzzed")
            verdict.as_text()
            json.dumps(verdict.as_json())
            if verdict.valid and (not signed.is_unchanged or told.claim < _best()):
                raise DisagreementError("a certificate that was changed holds")
    except RulesError:
        return


def _certificate_seeds() -> list[bytes]:
    texts = [text_of(_GAME, name) for name in ("r1", "r3")]
    texts += [swept(_GAME, 10_000), swept(_GAME, 10_000, Trainer(_GAME.problem, least=1, apart=2, groups=2, rounds=2))]
    return [text.encode() for text in texts]


TARGETS = {
    "bounds": Target(_bounds, lambda: [b"teaseatoz", b"?estozaet", b"zoo?tootse", b"oatsetsea"]),
    "certificates": Target(_certificates, _certificate_seeds),
}
