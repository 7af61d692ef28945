// Prices of tiles: a beam's estimate of the cost of using one up. See solver/search/beam.py.

import { BLANK, ORDER } from "./tiles.js";

export const SCALE = 16; // units of a priority in one point
const LETTER_PRICE = 0.75;
const BLANK_PRICE = 0.54;
const LEARNT_RACK = 10; // the rack size of the rows from which positions are learnt

// By code, in sixteenths of a point. row: the codes of the row; positions: the typical position of each letter; share:
// a factor of all prices
export function tilePrices(row, rack, values, positions, share = 1) {
  const letters = row.filter((code) => code !== BLANK);
  const middle = (rack + 1) / 2;
  const mean = letters.length ? letters.reduce((sum, code) => sum + values[code], 0) / letters.length : 0;
  const letter = share * LETTER_PRICE;
  return Int32Array.from(ORDER, (tile, code) => {
    const price =
      code === BLANK
        ? share * BLANK_PRICE * (mean * middle) + letter * values[code] * middle
        : (letter * values[code] * (positions[tile] * rack)) / LEARNT_RACK;
    return rounded(SCALE * price);
  });
}

// halves to the even neighbour, as the solver rounds
function rounded(number) {
  const whole = Math.floor(number);
  const rest = number - whole;
  return rest > 0.5 || (rest === 0.5 && whole % 2) ? whole + 1 : whole;
}
