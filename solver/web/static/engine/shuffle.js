// The order in which Python's `random.Random(seed).shuffle` puts tiles, so that a number names the same row everywhere:
// a Mersenne Twister (Matsumoto and Nishimura 1998), seeded by an array, and a Fisher-Yates shuffle.

const SIZE = 624;
const PERIOD = 397;

function seeded(seed) {
  const state = new Uint32Array(SIZE);
  state[0] = 19650218;
  for (let i = 1; i < SIZE; i++) state[i] = Math.imul(1812433253, state[i - 1] ^ (state[i - 1] >>> 30)) + i;
  let i = 1;
  const next = () => {
    if (++i < SIZE) return;
    state[0] = state[SIZE - 1];
    i = 1;
  };
  for (let k = 0; k < SIZE; k++) {
    state[i] = (state[i] ^ Math.imul(state[i - 1] ^ (state[i - 1] >>> 30), 1664525)) + seed;
    next();
  }
  for (let k = 1; k < SIZE; k++) {
    state[i] = (state[i] ^ Math.imul(state[i - 1] ^ (state[i - 1] >>> 30), 1566083941)) - i;
    next();
  }
  state[0] = 0x80000000;
  return state;
}

function twister(seed) {
  const state = seeded(seed);
  let at = SIZE;
  return () => {
    if (at === SIZE) {
      for (let i = 0; i < SIZE; i++) {
        const bits = (state[i] & 0x80000000) | (state[(i + 1) % SIZE] & 0x7fffffff);
        state[i] = state[(i + PERIOD) % SIZE] ^ (bits >>> 1) ^ (bits & 1 ? 0x9908b0df : 0);
      }
      at = 0;
    }
    let bits = state[at++];
    bits ^= bits >>> 11;
    bits ^= (bits << 7) & 0x9d2c5680;
    bits ^= (bits << 15) & 0xefc60000;
    return (bits ^ (bits >>> 18)) >>> 0;
  };
}

// seed: a whole number below 2 ** 32
export function shuffled(tiles, seed) {
  const next = twister(seed);
  const below = (limit) => {
    const shift = Math.clz32(limit);
    for (;;) {
      const number = next() >>> shift;
      if (number < limit) return number;
    }
  };
  const row = [...tiles];
  for (let i = row.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [row[i], row[j]] = [row[j], row[i]];
  }
  return row.join("");
}
