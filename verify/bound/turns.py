"""Draws and plays of a sweep, by compiled code."""

from typing import NamedTuple

import numpy as np

from verify.bound.compiled import compiled
from verify.bound.numbers import MOST_TILES, NUMBER, TERM, Numbers, left_of, number_of, score_of, state_number, tiles_of
from verify.bound.plays import MARK, Plays
from verify.bound.words import Ints

POINT = 1000
_SUBSETS = 1 << MOST_TILES
_LOW = np.uint64((1 << 16) - 1)
_FILTER, _WORD, _BIT = np.uint64(64 - 24), np.uint64(6), np.uint64(63)
_RECENT = 17  # bits of a place in the table of recent states
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 by the golden ratio, as in Knuth, The Art of Computer Programming 3, 6.4
_MOST_OF_ONE_LENGTH = 252  # of a rack of ten: C(10, 5)


class PlayTable(NamedTuple):
    """Every multiset of tiles that lays down a word, by its mark.

    slots: the highest 48 bits of a mark, then its score + 1; 0 where there is none. The lowest bits of a mark say from which
        place on it is looked for.
    filter: a bit for each value of the highest 24 bits of a mark: whether any play has such a one. It is small enough to stay
        near the processor, and seven of eight look-ups of no play end here.
    """

    slots: Numbers
    filter: Numbers


class Outlook(NamedTuple):
    """What the bounds need of the rest of the game after a draw, for one number of left draws.

    to_come: by tiles held, the prices of the tiles not drawn yet + what the relaxed game brings, shape (rack + 1,).
    drawn: by kind + 1, what so many tiles cost if they are the cheapest drawn, shape (KINDS, rack + 1).
    leave: by tiles held and kind + 1, the price of a tile in a leave, shape (rack + 1, KINDS).
    """

    to_come: Ints
    drawn: Ints
    leave: Ints


def play_table(plays: list[Plays]) -> PlayTable:
    """The table of all plays. Raises `ValueError` if one scores more than the table has room for."""
    marks = np.concatenate([some.marks[:-1] for some in plays])
    score = np.concatenate([some.score[:-1] for some in plays])
    most = int(score.max(initial=0))
    if most >= (1 << 16) - 1:
        raise ValueError(f"a play of {most:,} points")
    slots = np.zeros(1 << (2 * len(marks) + 2).bit_length(), dtype=np.uint64)
    filter_ = np.zeros(1 << 18, dtype=np.uint64)
    _fill(marks, score, slots, filter_)
    return PlayTable(slots, filter_)


@compiled
def _fill(marks: Numbers, score: Ints, slots: Numbers, filter_: Numbers) -> None:
    last = np.uint64(len(slots) - 1)
    for i in range(len(marks)):
        place = marks[i] & last
        while slots[place] != 0:
            place = (place + np.uint64(1)) & last
        slots[place] = (marks[i] & ~_LOW) | np.uint64(score[i] + 1)
        near = marks[i] >> _FILTER
        filter_[near >> _WORD] |= np.uint64(1) << (near & _BIT)


@compiled
def draw_all(states: Numbers, played: int, row: Ints, rack: int, left: int, racks: Numbers) -> int:
    """Make the draws that lead to `left` left draws, or to an empty row; returns how many there are.

    states: with as many tiles played. row: kinds + 1. racks: room for one a state.
    """
    total = len(row)
    tiles = np.zeros(MOST_TILES, np.int64)
    count = 0
    for state in states:
        held, was = tiles_of(state, tiles), left_of(state)
        drawn = played + held
        want = min(rack - held, total - drawn)
        from_left = left - was
        if drawn + want == total:
            from_left = want if drawn < total else 0
        elif not 0 <= from_left <= want:
            continue
        for i in range(want):
            tile = row[was + i] if i < from_left else row[total - (drawn - was) - 1 - (i - from_left)]
            at = held + i
            while at > 0 and tiles[at - 1] < tile:
                tiles[at] = tiles[at - 1]
                at -= 1
            tiles[at] = tile
        racks[count] = state_number(0 if drawn + want == total else left, number_of(tiles, held + want), score_of(state))
        count += 1
    return count


@compiled
def bounds_of(states: Numbers, outlooks: Outlook, bound: Ints) -> None:
    """The most that a game through each state can score, in thousandths of a point. All have as many left draws.

    outlooks: by tiles held, in a dimension before all others.
    """
    to_come, drawn, leave = outlooks
    tiles = np.zeros(MOST_TILES, np.int64)
    for i in range(len(states)):
        held = tiles_of(states[i], tiles)
        total = POINT * score_of(states[i]) + to_come[held, held]
        copies = 0
        for place in range(held):
            copies = copies + 1 if place > 0 and tiles[place] == tiles[place - 1] else 1
            total += drawn[held, tiles[place], copies] - drawn[held, tiles[place], copies - 1] + leave[held, held, tiles[place]]
        bound[i] = total


@compiled
def play_all(
    first: int, racks: Numbers, outlook: Outlook, least: int, table: PlayTable, recent: Numbers, out: Numbers, count: Ints
) -> int:
    """Write the states after the plays of the racks from `first` on with bounds of `least` or more.

    Returns the rack that was not played any more for want of room in `out`, or how many there are.

    racks: with as many tiles and left draws.
    recent: from `no_recent`, states written not long ago. Most states come again and again from racks that are near each other,
        and those without a better score than before are not written again.
    out: by tiles played, shape (MOST_TILES + 1, room); count: how many of each.
    """
    to_come, drawn, leave = outlook
    slots, filter_ = table
    last = np.uint64(len(slots) - 1)
    tiles = np.zeros(MOST_TILES, np.int64)
    mark, number = np.zeros(_SUBSETS, np.uint64), np.zeros(_SUBSETS, np.uint64)
    cost, kept = np.zeros((MOST_TILES + 1, _SUBSETS), np.int64), np.zeros(_SUBSETS, np.int64)
    group = _groups(leave)
    likely = np.zeros(_SUBSETS + 1, np.int64)
    lacking = np.zeros(MOST_TILES + 1, np.int64)
    for rack in range(first, len(racks)):
        if count.max() > out.shape[1] - _MOST_OF_ONE_LENGTH:
            return rack
        size, left, score = tiles_of(racks[rack], tiles), left_of(racks[rack]), score_of(racks[rack])
        subsets = _fill_subsets(tiles, size, drawn, leave, group, mark, number, cost, kept)
        for held in range(size):
            lacking[held] = least - POINT * score - to_come[held]
        whole = mark[subsets - 1]
        found = 0
        for i in range(subsets - 1):
            near = (whole - mark[i]) >> _FILTER
            likely[found] = i
            found += np.int64(filter_[near >> _WORD] >> (near & _BIT) & np.uint64(1))
        for place in range(found):
            i = likely[place]
            wanted = whole - mark[i]
            at = wanted & last
            while slots[at] != 0 and (slots[at] ^ wanted) & ~_LOW != 0:
                at = (at + np.uint64(1)) & last
            if slots[at] == 0:
                continue
            points = np.int64(slots[at] & _LOW) - 1
            if POINT * points >= lacking[kept[i]] - cost[group[kept[i]], i]:
                state = state_number(left, number[i], score + points)
                at = (state >> NUMBER) * _SPREAD >> np.uint64(64 - _RECENT)
                if recent[at] >> NUMBER == state >> NUMBER and recent[at] >= state:
                    continue
                recent[at] = state
                length = size - kept[i]
                out[length, count[length]] = state
                count[length] += 1
    return len(racks)


def no_recent() -> Numbers:
    """Room for the recent states of a layer; none is there yet, and no state has the number that stands for none."""
    return np.full(1 << _RECENT, np.iinfo(np.uint64).max, dtype=np.uint64)


@compiled
def _groups(leave: Ints) -> Ints:
    """For each number of tiles held the first one with the same prices of leaves."""
    group = np.zeros(leave.shape[0], np.int64)
    for held in range(1, leave.shape[0]):
        group[held] = held
        for other in range(held):
            if (leave[other] == leave[held]).all():
                group[held] = other
                break
    return group


@compiled
def _fill_subsets(
    tiles: Ints, size: int, drawn: Ints, leave: Ints, group: Ints, mark: Numbers, number: Numbers, cost: Ints, kept: Ints
) -> int:
    """All leaves that a rack can keep, none twice, the empty one first and the whole rack last; returns how many.

    mark, number, kept: of each leave, its mark, its number, how many tiles it has.
    cost: by group, what the tiles of the leave are worth in a leave of that group.
    """
    mark[0], number[0], kept[0] = 0, 0, 0
    cost[:, 0] = 0
    subsets, place = 1, 0
    while place < size:
        tile, before, copies = tiles[place], subsets, 0
        while place < size and tiles[place] == tile:
            copies += 1
            more = MARK[tile - 1] * np.uint64(copies)
            for i in range(before):
                mark[subsets + i] = mark[i] + more
            for i in range(before):
                kept[subsets + i] = kept[i] + copies
            for i in range(before):
                fewer = subsets - before + i if copies > 1 else i
                number[subsets + i] = number[fewer] + TERM[tile, MOST_TILES - kept[fewer]]
            for held in range(size):
                if group[held] == held:
                    worth = drawn[tile, copies] + copies * leave[held, tile]
                    for i in range(before):
                        cost[held, subsets + i] = cost[held, i] + worth
            subsets += before
            place += 1
    return subsets
