// What the browser keeps, and files that are imported, hold these values. All else is damaged, and left out.

const isText = (value) => typeof value === "string";
const isTruth = (value) => typeof value === "boolean";
const isCount = (value) => Number.isInteger(value) && value >= 0;
const isTime = (value) => isText(value) && !Number.isNaN(Date.parse(value));
const matches = (pattern) => (value) => isText(value) && pattern.test(value);
const listOf = (isOne) => (value) => Array.isArray(value) && value.every(isOne);
const optional = (isOne) => (value) => value === undefined || isOne(value);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const shape = (fields) => (value) =>
  isObject(value) && Object.entries(fields).every(([name, isField]) => isField(value[name]));

// an object, whatever it holds
export const plain = (value) => (isObject(value) ? value : {});

const isLines = listOf(matches(/^\d+ [a-z?]+ [a-z]+$/));
const NAMES = { name: isText, row: matches(/^[a-z?]+$/i), seed: isCount, own: isTruth };

// what names a puzzle, see api.js
function isAsked(value) {
  const entries = Object.entries(plain(value));
  return entries.length === 1 && entries.every(([kind, name]) => Object.hasOwn(NAMES, kind) && NAMES[kind](name));
}

// a game of the player's own, see `Games` of store.js
export const isEntry = shape({
  id: isText,
  key: isText,
  asked: isAsked,
  name: isText,
  lines: isLines,
  undone: isLines,
  score: Number.isInteger,
  over: optional(isTruth),
  seen: optional(isCount),
  when: isTime,
});

// the best game found on a row, see `found` of store.js
export const isFound = shape({
  lines: isLines,
  bound: (value) => value === null || Number.isFinite(value),
  digest: optional(isText),
});

const isDay = (value) => matches(/^\d{4}-\d{2}-\d{2}$/)(value) && isTime(value);
const isFinished = shape({
  score: isCount,
  best: isCount,
  lines: listOf(isText),
  marks: optional(matches(/^[0-3]*$/)),
  late: optional(isTruth),
  hints: optional(isCount),
});

// the result of a daily row with its date, see `results` of store.js
export const isResult = ([date, one]) => isDay(date) && isFinished(one) && one.best > 0 && one.score <= one.best;

// a game at the Scrabble board: its text, the events seen, the tiles laid as [row, column, letter], and the rack
export const isTable = shape({
  game: isText,
  seen: Number.isInteger,
  laid: optional(listOf(([row, column, letter]) => isCount(row) && isCount(column) && isText(letter))),
  tiles: optional(isText),
});
