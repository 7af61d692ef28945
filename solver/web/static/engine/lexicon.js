// The words that may be played. They arrive as one compressed file, see `packed_words` of solver/web/site.py: a tree of
// letters, depth first, a byte for each.

import { codeOf } from "./tiles.js";

const [LETTERS, KINDS] = [26, 52];
const [GOES_ON, BOTH] = [1, 2]; // kinds of letters besides those at which only a word ends

export class Lexicon {
  // tree: the file, but not compressed
  constructor(tree) {
    const codes = [..."abcdefghijklmnopqrstuvwxyz"].map(codeOf);
    const starts = [0];
    let letters = new Uint8Array(1 << 16);
    let end = 0; // of the letters so far
    const add = (word) => {
      if (end + word.length > letters.length) letters = grown(letters, 2 * (end + word.length));
      letters.set(word, end);
      end += word.length;
      starts.push(end);
    };
    const word = []; // the codes on the way to a letter of the tree
    const isLast = []; // whether each is the last at its place
    for (const byte of tree) {
      const kind = Math.floor(byte / KINDS);
      isLast[word.length] = byte % KINDS >= LETTERS;
      word.push(codes[byte % LETTERS]);
      if (kind !== GOES_ON) add(word);
      if (kind === GOES_ON || kind === BOTH) continue;
      do word.pop();
      while (word.length && isLast[word.length]);
    }
    this.codes = letters.slice(0, end); // the letters of all words, one after the other
    this.starts = Int32Array.from(starts); // those of word w are codes[starts[w]] to codes[starts[w + 1] - 1]
    this.count = starts.length - 1;
    this.shortest = this.count ? Number.POSITIVE_INFINITY : 1;
    for (let id = 0; id < this.count; id++)
      this.shortest = Math.min(this.shortest, this.starts[id + 1] - this.starts[id]);
  }

  // the codes of a word
  word(id) {
    return this.codes.subarray(this.starts[id], this.starts[id + 1]);
  }

  has(word) {
    this.known ??= new Set(Array.from({ length: this.count }, (_, id) => key(this.word(id))));
    return [...word].every((letter) => codeOf(letter)) && this.known.has(key([...word].map(codeOf)));
  }
}

const key = (codes) => String.fromCharCode(...codes);

function grown(array, length) {
  const larger = new Uint8Array(length);
  larger.set(array);
  return larger;
}

export async function inflated(compressed) {
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
