// The best plays of a rack, by a scan of the words of each length in descending order of the most that they can score.
// A mask of letters rules out nearly all words that the rack cannot make.

import { BLANK, CODES, countsOf, decode, encode } from "./tiles.js";

const MOST = 20; // tiles of a rack
const MASKED = 32; // a mask of the letters, and one of their second copies

export class PlayFinder {
  constructor(lexicon, scoring) {
    this.lexicon = lexicon;
    this.scoring = scoring;
    const { starts, codes, count } = lexicon;
    const reach = new Int32Array(count);
    const once = new Int32Array(count);
    const twice = new Int32Array(count);
    const groups = Array.from({ length: MOST + 1 }, () => []);
    for (let id = 0; id < count; id++) {
      const length = starts[id + 1] - starts[id];
      if (length > MOST) continue;
      groups[length].push(id);
      reach[id] = scoring.extra[length];
      for (let place = 0; place < length; place++) {
        const code = codes[starts[id] + place];
        const bit = 1 << (code % MASKED);
        if (once[id] & bit) twice[id] |= bit;
        once[id] |= bit;
        reach[id] += Math.max(0, (place + 1) * scoring.margins[code]);
      }
    }
    this.reach = reach;
    this.once = once;
    this.twice = twice;
    // by length: word ids, highest reach first, then by the alphabet
    this.groups = groups.map((ids) =>
      Int32Array.from(ids.sort((one, other) => reach[other] - reach[one] || one - other)),
    );
    this.have = new Int8Array(CODES);
  }

  // The best `top` words of a rack: [{ tiles, word, score }], best first. Words of equal score are in alphabetical order. A blank stands for the earliest copy of a missing letter, unless another place scores more.
  best(letters, top = 1, shortest = 1) {
    const size = letters.length;
    const rack = countsOf(encode(letters));
    let once = 0;
    let twice = 0;
    for (let code = 1; code < CODES; code++) {
      if (rack[code] > 0) once |= 1 << code;
      if (rack[code] > 1) twice |= 1 << code;
    }
    const found = []; // [score, id], best first
    for (let length = Math.min(size, MOST); length >= shortest; length--) {
      for (const id of this.groups[length]) {
        const worst = found.length === top ? found[top - 1] : null;
        if (worst && (this.reach[id] < worst[0] || (this.reach[id] === worst[0] && id > worst[1]))) break;
        if (bits(this.once[id] & ~once) + bits(this.twice[id] & ~twice) > rack[BLANK]) continue;
        const score = this.score(id, rack);
        if (score >= 0) insert(found, score, id, top);
      }
    }
    return found.map(([score, id]) => ({
      tiles: decode(this.laid(id, rack)),
      word: decode(this.lexicon.word(id)),
      score,
    }));
  }

  // the score of a word from a rack; -1 if the rack cannot make it
  score(id, rack) {
    if (!this.scoring.isPlain) return this.scoreOf(this.laid(id, rack));
    const { starts, codes } = this.lexicon;
    const { have } = this;
    have.set(rack);
    let total = 0;
    for (let at = starts[id + 1] - 1, start = starts[id]; at >= start; at--) {
      const code = codes[at];
      if (have[code]-- > 0) total += (at - start + 1) * this.scoring.margins[code];
      else if (have[BLANK]-- <= 0) return -1;
    }
    return total;
  }

  scoreOf(tiles) {
    if (!tiles) return -1;
    const { margins, extra } = this.scoring;
    return tiles.reduce((total, code, place) => total + (place + 1) * margins[code], extra[tiles.length]);
  }

  // the codes of the tiles that a rack lays down for a word, blanks where they score most; null if it cannot make it
  laid(id, rack) {
    const word = this.lexicon.word(id);
    const gain = (place) => (place + 1) * this.scoring.margins[word[place]];
    const have = Int8Array.from(rack);
    const tiles = new Uint8Array(word.length); // blanks
    // the real tiles of a letter take the copies that gain most
    const order = [...word.keys()].sort(
      (one, other) => gain(other) - gain(one) || (this.scoring.isPlain ? other - one : one - other),
    );
    for (const place of order) if (have[word[place]]-- > 0) tiles[place] = word[place];
    let spare = have[BLANK] - tiles.reduce((total, code) => total + (code === BLANK), 0);
    if (spare < 0) return null;
    // letters worth less than a blank
    for (const place of order.reverse()) {
      if (spare > 0 && tiles[place] !== BLANK && gain(place) < 0) {
        tiles[place] = BLANK;
        spare--;
      }
    }
    return tiles;
  }
}

function bits(mask) {
  let count = 0;
  for (let rest = mask; rest; rest &= rest - 1) count++;
  return count;
}

function insert(found, score, id, top) {
  if (found.length === top) {
    const worst = found[top - 1];
    if (score < worst[0] || (score === worst[0] && id > worst[1])) return;
    found.pop();
  }
  let place = found.length;
  while (place && (score > found[place - 1][0] || (score === found[place - 1][0] && id < found[place - 1][1]))) place--;
  found.splice(place, 0, [score, id]);
}
