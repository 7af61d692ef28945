// Tiles as small integers, and multisets of them as ranks. A tile's code is its place in ORDER, as in the solver, so
// that both number multisets alike and break ties alike.

export const ORDER = "?esiarntolcdugpmhbyfvkwzxqj";
export const CODES = ORDER.length;
export const BLANK = 0; // the code of the blank
export const CLOSED = 10; // the most tiles of a rack whose plays the closed index holds

const CODE_OF = new Map([...ORDER].map((tile, code) => [tile, code]));

export const codeOf = (tile) => CODE_OF.get(tile);
export const encode = (tiles) => Array.from(tiles, codeOf);
export const decode = (codes) => Array.from(codes, (code) => ORDER[code]).join("");

export function countsOf(codes) {
  const counts = new Uint8Array(CODES);
  for (const code of codes) counts[code]++;
  return counts;
}

// A multiset a_1 <= ... <= a_k of codes has rank OFFSET[k] + sum of C(a_i + i - 1, i): all multisets are numbered
// without gaps, those of fewer tiles first. Those of up to 10 tiles have ranks below 2 ** 29.
export const CHOOSE = []; // [place][code]
export const OFFSET = [0]; // by length
for (let place = 0; place <= CLOSED; place++) {
  CHOOSE.push(Int32Array.from({ length: CODES }, (_, code) => (place ? binomial(code + place - 1, place) : 0)));
  OFFSET.push(OFFSET[place] + binomial(CODES + place - 1, place));
}

// by length and code: the amount by which the rank of a multiset of that length grows with a tile of no smaller code
export const STEP = new Int32Array((CLOSED + 1) * CODES);
for (let length = 0; length < CLOSED; length++) {
  for (let code = 0; code < CODES; code++)
    STEP[length * CODES + code] = CHOOSE[length + 1][code] + OFFSET[length + 1] - OFFSET[length];
}

function binomial(n, k) {
  let result = 1;
  for (let i = 1; i <= k; i++) result = (result * (n - k + i)) / i;
  return result;
}

export function rankOf(counts) {
  let rank = 0;
  let size = 0;
  for (let code = 0; code < CODES; code++) {
    for (let copy = counts[code]; copy > 0; copy--) rank += STEP[size++ * CODES + code];
  }
  return rank;
}

// write the codes of the multiset of `rank` to `tiles`, ascending, and return its size
export function unrank(rank, tiles) {
  let size = CLOSED;
  while (OFFSET[size] > rank) size--;
  let rest = rank - OFFSET[size];
  let code = CODES - 1;
  for (let place = size; place > 0; place--) {
    const choose = CHOOSE[place];
    while (choose[code] > rest) code--;
    rest -= choose[code];
    tiles[place - 1] = code;
  }
  return size;
}
