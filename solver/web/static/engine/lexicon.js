// The words that may be played. They arrive as one compressed file: each word as the number of letters that it drops from the end
// of the word before, as a character from "A" on, then its own letters.

import { codeOf } from "./tiles.js";

const LOWEST_LETTER = "a".charCodeAt(0);
const NONE_DROPPED = "A".charCodeAt(0);
const LONGEST = LOWEST_LETTER - NONE_DROPPED - 1; // letters of a word

export class Lexicon {
  // text: the words as in the file, but not compressed
  constructor(text) {
    const codes = Uint8Array.from({ length: 128 }, (_, byte) => codeOf(String.fromCharCode(byte)) ?? 0);
    const starts = [0];
    let letters = new Uint8Array(1 << 16);
    let length = 0; // of the word that is being read
    let end = 0; // of its letters
    const word = new Uint8Array(LONGEST);
    const finish = () => {
      if (end + length > letters.length) letters = grown(letters, 2 * (end + length));
      letters.set(word.subarray(0, length), end);
      end += length;
      starts.push(end);
    };
    for (let at = 0; at < text.length; at++) {
      if (text[at] >= LOWEST_LETTER) {
        word[length++] = codes[text[at]];
        continue;
      }
      if (at) finish();
      length -= text[at] - NONE_DROPPED;
    }
    if (text.length) finish();
    this.codes = letters.slice(0, end); // the letters of all words, one after the other
    this.starts = Int32Array.from(starts); // those of word w are codes[starts[w]] to codes[starts[w + 1] - 1]
    this.count = starts.length - 1;
    this.shortest = this.count ? LONGEST : 1;
    for (let id = 0; id < this.count; id++) this.shortest = Math.min(this.shortest, this.starts[id + 1] - this.starts[id]);
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
