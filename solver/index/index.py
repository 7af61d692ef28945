"""The two indexes of a lexicon: signatures, for any rack, and the index closed under blanks, for the racks of a beam.

Both are built from the lexicon and kept in the user's cache folder, under a key made of everything that they depend on. A
damaged file, or one with another key, is a cache miss: the index is rebuilt.
"""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from solver.cache import FORMAT, cache_folder, read_bundle, read_only, write_bundle
from solver.index.kernels import build_closed, build_trie
from solver.index.kernels import closed_index as kernels
from solver.model.lexicon import Lexicon
from solver.model.racks import MAX_TILES
from solver.model.scoring import Scoring
from solver.model.tiles import N_CODES, ORDER
from verify.threads import ThreadPool

_VERSION = 4

U32 = npt.NDArray[np.uint32]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class SignatureIndex:
    """A trie of the signatures of all words that fit a rack. A signature is the sorted letters of a word, without blanks.

    Attributes:
        mask: See `solver.index.kernels.build_trie.Trie`.
        child: See `solver.index.kernels.build_trie.Trie`.
        entry: See `solver.index.kernels.build_trie.Trie`; the numbers are those of signatures.
        family: The first member of each signature.
        members: The word ids. Those with signature s are members[family[s] : family[s + 1]].
    """

    mask: U32
    child: U32
    entry: I32
    family: I64
    members: I32


@dataclass(frozen=True)
class ClosedIndex:
    """All tile multisets, blanks included, that play a word of at most `CLOSED_RACK` letters.

    Attributes:
        packed: The multisets, see `solver.index.kernels.build_closed`; shape (n,). They are sorted by hash, so that hash tables
            are filled from one end to the other.
        score: The score of the best play of each multiset, in points; shape (n,).
        slots: A hash table from multiset to score, see `solver.index.kernels.closed_index`.
        ranks: The rank of the multiset in each slot.
    """

    packed: npt.NDArray[np.uint64]
    score: I32
    slots: npt.NDArray[np.uint64]
    ranks: npt.NDArray[np.uint64]


def signature_index(lexicon: Lexicon) -> SignatureIndex:
    """Return the signature index of `lexicon`, from the cache if possible."""
    key = _key("signatures", lexicon.digest)
    path = _path("signatures", key)
    cached = read_bundle(path, key)
    if cached is not None:
        return SignatureIndex(**cached)
    index = build_signature_index(lexicon)
    write_bundle(path, key, vars(index))
    return SignatureIndex(**read_only(vars(index)))


def closed_index(lexicon: Lexicon, scoring: Scoring, longest: int) -> ClosedIndex:
    """Return the closed index of the words of at most `longest` letters, from the cache if possible.

    `longest` is at most `CLOSED_RACK`.
    """
    margins, extra = scoring.margins.tobytes().hex(), scoring.extra[: longest + 1].tobytes().hex()
    key = _key("closed", lexicon.digest, margins, extra, longest)
    path = _path("closed", key)
    cached = read_bundle(path, key)
    if cached is not None:
        return ClosedIndex(**cached)
    index = build_closed_index(lexicon, scoring, longest)
    write_bundle(path, key, vars(index))
    return ClosedIndex(**read_only(vars(index)))


def build_signature_index(lexicon: Lexicon) -> SignatureIndex:
    """Build the signature index of `lexicon`."""
    every_length = np.diff(lexicon.starts)
    playable = np.flatnonzero(every_length <= MAX_TILES)
    lengths = every_length[playable]
    width = int(lengths.max(initial=1))
    rows = np.full((len(playable), width), N_CODES, dtype=np.uint8)
    rows[np.arange(width) < lengths[:, None]] = lexicon.codes[np.repeat(every_length <= MAX_TILES, every_length)]
    rows.sort(axis=1)
    rows = np.where(rows == N_CODES, 0, rows + 1).astype(np.uint8)
    # as byte strings, signatures sort in the order of the trie
    distinct, signature = np.unique(rows.view(f"S{width}").ravel(), return_inverse=True)
    trie = build_trie.build_trie(distinct.view(np.uint8).reshape(-1, width))
    return SignatureIndex(
        mask=trie.mask,
        child=trie.child,
        entry=trie.entry,
        family=np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(signature))]),
        members=playable[np.argsort(signature, kind="stable")].astype(np.int32),
    )


def build_closed_index(lexicon: Lexicon, scoring: Scoring, longest: int) -> ClosedIndex:
    """Build the closed index of `lexicon` on two threads."""
    lengths = np.diff(lexicon.starts)

    def close(length: int) -> tuple[npt.NDArray[np.uint64], I32]:
        ids = np.flatnonzero(lengths == length)
        words = lexicon.codes[lexicon.starts[ids][:, None] + np.arange(length)]
        keys, scores = build_closed.close_under_blanks(words, length, scoring.margins, 16)
        return keys, scores + np.int32(scoring.extra[length])

    # the longest words come first, because they are most of the work
    with ThreadPool(2) as pool:
        parts = list(pool.map(close, range(longest, 0, -1)))
    keys = np.concatenate([part[0] for part in parts])
    scores = np.concatenate([part[1] for part in parts])
    hashes = kernels.hashes_of(keys)
    order = np.argsort(hashes)
    packed, score = keys[order], scores[order]
    slots, ranks = (np.zeros(1 << max(6, (len(packed) * 3 // 2).bit_length()), dtype=np.uint64) for _ in range(2))
    kernels.fill_slots(packed, hashes[order], score, slots, ranks)
    return ClosedIndex(packed=packed, score=score, slots=slots, ranks=ranks)


def _key(*parts: object) -> str:
    # the key names the file and contains the format, so that two versions of the program use two files
    return " ".join(str(part) for part in (FORMAT, _VERSION, ORDER, *parts))


def _path(kind: str, key: str) -> Path:
    return cache_folder() / f"{kind}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.bin"
