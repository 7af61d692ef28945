// Finds the faults of a game that follow from an earlier one, as verify/replay/folding.py does: at each slip, the game goes on with
// the mend with which most of the later lines can be played.

import { isPlay, scoreOf } from "./referee.js";

const MAY_FOLLOW = new Set(["not-on-rack", "too-many-draws", "row-exhausted", "after-end"]);
const LOOKED_BACK = 3; // turns before a slip whose draw may be its cause
const MOST_STEPS = 200_000; // replayed turns; beyond it all faults follow from the last slip

// the faults, each with `follows`: the line that it follows from, or null
export function fold(turns, faults, claims, rules) {
  if (faults.length < 2) return faults.map((fault) => ({ ...fault, follows: null }));
  return new Mending(turns, faults, rules).folded(faults, claims);
}

class Mending {
  constructor(turns, faults, rules) {
    Object.assign(this, { turns, rules, rootOf: new Map(), steps: 0, changed: null, lost: null });
    const atTurns = new Set(turns.map((turn) => turn.line));
    const linesOf = (codes) => faults.filter((fault) => codes.has(fault.code)).map((fault) => fault.line);
    this.unread = linesOf(new Set(["malformed-line"])).filter((line) => !atTurns.has(line)).sort((one, other) => one - other);
    this.unplayed = new Set(turns.filter((turn) => turn.malformed && !isPlay(turn, rules)).map((turn) => turn.line));
    this.mismatched = new Set(linesOf(new Set(["play-word-mismatch"])));
    this.astray = new Set(linesOf(MAY_FOLLOW));
    this.total = this.replay();
  }

  folded(faults, claims) {
    const cause = this.lost ?? this.changed;
    const end = faults.find((fault) => fault.code === "after-end")?.line ?? 0;
    return faults.map((fault) => {
      let root = MAY_FOLLOW.has(fault.code) ? this.rootOf.get(fault.line) ?? null : null;
      if (fault.code === "after-end" && fault.line > end && (root === null || root > end)) root = this.rootOf.get(end) ?? end;
      if (fault.code === "score-claim" && claims.has(fault.line)) root = this.lost !== null || claims.get(fault.line) === this.total ? cause : null;
      return { ...fault, follows: root };
    });
  }

  // replay the game with mends, and return the total
  replay() {
    let stand = { start: 0, stop: this.rules.row.length, leave: "", total: 0 };
    const past = [];
    let root = null;
    for (const [place, turn] of this.turns.entries()) {
      this.passUnread(turn.line);
      if (this.lost !== null) {
        // all later turns follow from the line where the game was lost
        for (const later of this.turns.slice(place)) if (later.line !== this.lost) this.rootOf.set(later.line, this.lost);
        break;
      }
      past.push(stand);
      if (this.unplayed.has(turn.line)) {
        this.lost = turn.line;
        continue;
      }
      const after = this.step(stand, turn);
      if (after && !this.mismatched.has(turn.line)) {
        stand = after;
        this.follows(turn.line, root);
        continue;
      }
      const [mended, sound] = this.mended(past, place, after);
      stand = mended;
      root = this.rootAfter(turn, after, stand, root, past[place]);
      this.changed ??= root;
      if (!sound && this.lost === null && place + 1 < this.turns.length) this.lost = root;
    }
    this.passUnread(null);
    return stand.total;
  }

  // the line that later faults follow from, after a slip in `turn`
  rootAfter(turn, after, stand, root, before) {
    if (after) {
      // the tiles were on the rack, even if they do not make the word
      this.follows(turn.line, root);
      return same(stand, after) ? root : turn.line;
    }
    if (this.steps > MOST_STEPS) {
      this.follows(turn.line, root);
      this.lost = root ?? turn.line;
      return root;
    }
    if (!this.astray.has(turn.line) && count(turn) !== null) return root;
    // only the count is wrong in the mended game, and the tiles are there
    if (count(turn) === null && !this.otherDraws(before, turn).next().done) this.follows(turn.line, root);
    return turn.line;
  }

  // give the game up at an unreadable turn before this line
  passUnread(line) {
    if (this.lost === null && this.unread.length && (line === null || this.unread[0] < line)) [this.lost] = this.unread;
  }

  follows(line, root) {
    if (root !== null && root !== line) this.rootOf.set(line, root);
  }

  // the state after a turn with a slip, mended so that most later turns can be played, and whether the next one can
  mended(past, place, after) {
    let best = this.forced(past[place], this.turns[place]);
    let furthest = place;
    const consider = (stand) => {
      const reached = this.reach(stand, place + 1);
      if (reached > furthest) [best, furthest] = [stand, reached];
      return reached === this.turns.length;
    };
    let done = after !== null && consider(after);
    if (!done && this.steps <= MOST_STEPS) for (const stand of this.mends(past, place)) if ((done = consider(stand))) break;
    if (furthest === place + 1 && furthest < this.turns.length - 1) {
      if (this.steps > MOST_STEPS) return [best, false];
      const again = [...this.otherDraws(best, this.turns[furthest])];
      return [best, again.some((stand) => this.reach(stand, furthest + 1) > furthest + 1)];
    }
    return [best, furthest > place];
  }

  // possible states after the turn: with another draw, another draw shortly before, or another play of its word
  *mends(past, place) {
    const turn = this.turns[place];
    yield* this.otherDraws(past[place], turn);
    for (let back = place - 1; back > Math.max(place - 1 - LOOKED_BACK, -1); back--) {
      for (const stand of this.otherDraws(past[back], this.turns[back])) {
        const later = this.on(stand, back + 1, place);
        if (later) yield later;
      }
    }
    if (turn.word !== turn.play && this.rules.has(turn.word)) yield* this.otherDraws(past[place], { ...turn, play: turn.word }, true);
    yield* this.otherDraws(past[place], turn, true);
  }

  on(stand, begin, last) {
    let at = stand;
    for (let place = begin; place <= last && at; place++) at = this.step(at, this.turns[place]);
    return at;
  }

  // the index of the first turn from `place` on that cannot be played as written
  reach(stand, place) {
    let at = stand;
    for (; place < this.turns.length; place++) {
      if (this.unplayed.has(this.turns[place].line)) continue;
      at = this.step(at, this.turns[place]);
      if (!at) return place;
    }
    return place;
  }

  // the state after a turn as written; null where it cannot be played
  step(stand, turn) {
    this.steps++;
    const left = count(turn);
    if (!turn.play || left === null || left > Math.min(this.rules.rack - stand.leave.length, stand.stop - stand.start)) return null;
    return this.played(stand, left, turn.play);
  }

  // the state after the play for each draw that holds it, nearest to the written draw first
  *otherDraws(stand, turn, blanks = false) {
    const wanted = Math.max(0, Math.min(this.rules.rack - stand.leave.length, stand.stop - stand.start));
    const written = count(turn) ?? 0;
    const draws = Array.from({ length: wanted + 1 }, (_, left) => left);
    for (const left of draws.sort((one, other) => Math.abs(one - written) - Math.abs(other - written))) {
      this.steps++;
      const after = this.played(stand, left, turn.play, blanks);
      if (after) yield after;
    }
  }

  played(stand, left, play, blanks = false) {
    const right = Math.min(this.rules.rack - stand.leave.length - left, stand.stop - stand.start - left);
    const start = stand.start + left;
    const stop = stand.stop - Math.max(0, right);
    const { row } = this.rules;
    let rack = stand.leave + row.slice(stand.start, start) + row.slice(stop, stand.stop);
    let laid = "";
    for (const wanted of play) {
      const tile = rack.includes(wanted) || !blanks ? wanted : "?";
      const at = rack.indexOf(tile);
      if (at < 0) return null;
      rack = rack.slice(0, at) + rack.slice(at + 1);
      laid += tile;
    }
    return { start, stop, leave: rack, total: stand.total + scoreOf(laid, this.rules) };
  }

  // the state as the referee goes on: it fills the rack and removes the played tiles that the rack holds
  forced(stand, turn) {
    const drawn = this.played(stand, 0, "") ?? stand;
    let { leave } = drawn;
    for (const tile of turn.play) leave = leave.replace(tile, "");
    return { ...drawn, leave, total: stand.total + scoreOf(turn.play, this.rules) };
  }
}

// the number of left draws; null for another field
function count(turn) {
  const digits = turn.left.replace(/^0+/, "") || turn.left.slice(0, 1);
  return /^[0-9]{1,8}$/.test(digits) ? Number(digits) : null;
}

const same = (one, other) => one.start === other.start && one.stop === other.stop && one.leave === other.leave && one.total === other.total;
