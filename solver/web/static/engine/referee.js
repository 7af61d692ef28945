// The referee: replays an answer turn by turn and names every fault, by the rules of verify/replay/referee.py. After a fault it goes
// on with the most likely reading, so that one mistake does not hide others.

import { fold } from "./folding.js";
import { quote } from "./text.js";

const LONGEST_PLAY = 100; // tiles

// The verdict on a parsed answer: { valid, score, turns, faults }. rules: { row, rack, values, bonus, has }, the row as text and
// `has` whether a word is in the list
export function judge(answer, rules) {
  const game = new GameInProgress(rules);
  for (const turn of answer.turns) game.play(turn);
  const faults = [...answer.faults, ...game.faults];
  for (const [line, claim] of answer.claims) {
    if (claim === game.total) continue;
    const said = typeof claim === "string" ? quote(claim) : claim;
    faults.push({ line, code: "score-claim", message: `claims a score of ${said}: expected ${game.total}` });
  }
  // of one line, the faults that follow from no other come first
  const order = (one, other) => one.line - other.line || (one.follows !== null) - (other.follows !== null);
  const folded = fold(answer.turns, faults, new Map(answer.claims), rules).sort(order);
  return { valid: faults.length === 0, score: game.total, turns: game.turns, faults: folded };
}

export function scoreOf(tiles, rules) {
  const sum = [...tiles].reduce((total, tile, place) => total + (place + 1) * (rules.values[tile] ?? 0), 0);
  return sum + (tiles.length === rules.rack ? rules.bonus : 0);
}

// the tiles of `wanted` that `held` lacks, and those of `held` that `wanted` leaves
export function difference(wanted, held) {
  let rest = held;
  const missing = [...wanted].filter((tile) => {
    const place = rest.indexOf(tile);
    if (place >= 0) rest = rest.slice(0, place) + rest.slice(place + 1);
    return place < 0;
  });
  return { missing, rest };
}

class GameInProgress {
  constructor(rules) {
    Object.assign(this, { rules, row: rules.row, rack: rules.held ?? "", total: 0, turns: [], faults: [] });
  }

  play(turn) {
    if (!this.row && !this.rack) {
      this.fault(turn, "after-end", `${quote(turn.word)} comes after the game has ended: row and rack are empty`);
      return;
    }
    if (this.turns.length === this.rules.row.length) {
      this.fault(turn, "after-end", `${quote(turn.word)} comes after as many turns as the row has tiles`);
      return;
    }
    if (Math.max(turn.play.length, turn.word.length) > LONGEST_PLAY) {
      const tiles = turn.play.length.toLocaleString("en");
      this.fault(turn, "malformed-line", `play ${quote(turn.play)} of ${tiles} tiles: expected what a rack holds`);
      return;
    }
    if (turn.malformed && !isPlay(turn, this.rules)) return;
    const { row } = this;
    const [left, right] = this.draw(this.leftCount(turn));
    const { rack } = this;
    this.checkTiles(turn);
    this.checkWord(turn);
    this.rack = difference(turn.play, rack).rest;
    const score = scoreOf(turn.play, this.rules);
    this.total += score;
    this.turns.push({ line: turn.line, row, left, right, rack, play: turn.play, word: turn.word, score, total: this.total });
  }

  get wanted() {
    return Math.min(this.rules.rack - this.rack.length, this.row.length);
  }

  // the number of left draws, or the most likely number where that of the line is impossible
  leftCount(turn) {
    const token = turn.left;
    if (!token && turn.malformed) return this.guess(turn); // already reported
    if (!/^[0-9]+$/.test(token)) {
      this.fault(turn, "bad-left-count", `left draws ${quote(token)}: expected a whole number in plain digits, 0 or more`);
      return this.guess(turn);
    }
    const digits = token.replace(/^0+/, "");
    const count = digits.length < 10 ? Number(digits) : 1e9;
    const space = this.rules.rack - this.rack.length;
    if (count > space) {
      const holds = `the rack holds ${this.rack.length} of ${this.rules.rack} tiles: expected at most ${space}`;
      this.fault(turn, "too-many-draws", `${count < 1e9 ? count : quote(digits)} left draws, but ${holds}`);
      return this.guess(turn);
    }
    if (count > this.row.length) {
      this.fault(turn, "row-exhausted", `${count} left draws, but the row holds ${this.row.length} tiles: expected at most ${this.row.length}`);
      return this.guess(turn);
    }
    return count;
  }

  // the number that the token may mean, else the first one with which the rack holds the play, else all draws
  guess(turn) {
    const token = turn.left.slice(0, 12);
    const meant = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(token) ? Math.trunc(Number(token)) : -1;
    const counts = Array.from({ length: this.wanted + 1 }, (_, left) => left);
    for (const left of [...(counts.includes(meant) ? [meant] : []), ...counts]) {
      const end = this.row.length - (this.wanted - left);
      if (!difference(turn.play, this.rack + this.row.slice(0, left) + this.row.slice(end)).missing.length) return left;
    }
    return this.wanted;
  }

  // take `left` tiles from the left end and fill the rack from the right end; returns both draws
  draw(left) {
    const end = this.row.length - Math.min(this.wanted - left, this.row.length - left);
    const [fromLeft, fromRight] = [this.row.slice(0, left), this.row.slice(end)];
    this.rack += fromLeft + fromRight;
    this.row = this.row.slice(left, end);
    return [fromLeft, fromRight];
  }

  checkTiles(turn) {
    const { missing } = difference(turn.play, this.rack);
    if (!turn.play) this.fault(turn, "malformed-line", "no play: expected the tiles that are laid down");
    else if (missing.length) {
      const rack = [...this.rack].sort().join("");
      this.fault(turn, "not-on-rack", `${quote(turn.play)} needs ${quote(missing.sort().join(" "))} more than the rack ${quote(rack)} holds`);
    }
  }

  checkWord(turn) {
    const { play, word } = turn;
    const wrong = [...play].findIndex((tile, place) => place < word.length && tile !== "?" && tile !== word[place]);
    if (play.length !== word.length) {
      const expected = `expected ${word.length}, one for each letter of ${quote(word)}`;
      this.fault(turn, "play-word-mismatch", `play ${quote(play)} has ${play.length} tiles: ${expected}`);
    } else if (wrong >= 0) {
      const expected = `expected ${quote(word[wrong])}, as in ${quote(word)}, or a blank`;
      this.fault(turn, "play-word-mismatch", `play ${quote(play)} has ${quote(play[wrong])} at position ${wrong + 1}: ${expected}`);
    }
    if (this.rules.has(word)) return;
    const why = /^[a-z]*$/.test(word) ? this.rules.whereListed(word) : ": words have only the letters a to z";
    this.fault(turn, "unknown-word", `${quote(word)} is not in the word list${why}`);
  }

  fault(turn, code, message) {
    this.faults.push({ line: turn.line, code, message });
  }
}

// whether a malformed line is replayed as a turn
export const isPlay = (turn, rules) => rules.has(turn.word) && turn.play.length === turn.word.length;
