// What the browser keeps: the games that the player has played, the best games found, and the text to judge. Games that
// the
// player has only seen, by a link or in a list, are never kept here, so they replace none of the player's own.

import { toFragment } from "./address.js";

const PLAYED = "rowdraw-played"; // { version, games: [entry] }
const FOUND = "rowdraw-found"; // by puzzle, see `found`
const TEXT = "rowdraw-text"; // the text to judge
// by date, see `results`; { begun: the last date whose row was opened on it }; hinted, see `hintsOn`; visited
const DAILY = "rowdraw-daily";
const MOST_FOUND = 200; // rows

// the value in the browser's storage; null where there is none, or none that can be read
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

// false if the browser does not keep it
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

// the name of a puzzle in the store; a server's own puzzle is known by its row, since each server has another
export const keyOf = (asked, puzzle) => ("own" in asked ? `own=${puzzle.row}` : toFragment(asked, []));

// Own games. An entry is { id, key: of the puzzle, asked, name: of the puzzle, lines, undone: lines that redo plays
// again, next first,
// score, over, when: an ISO date }.
export class Games {
  // all entries, the last one played first
  all() {
    const games = read(PLAYED)?.games;
    return Array.isArray(games) ? games.filter(isEntry).sort((one, other) => other.when.localeCompare(one.when)) : [];
  }

  // whether the browser keeps games
  get isKept() {
    return write(TEXT, keptText());
  }

  // the last game on a puzzle
  lastOn(key) {
    return this.all().find((entry) => entry.key === key) ?? null;
  }

  // the entry with this id; null if there is none
  withId(id) {
    return this.all().find((entry) => entry.id === id) ?? null;
  }

  // call this whenever another tab has kept or removed a game
  followOthers(changed) {
    addEventListener("storage", ({ key }) => key === PLAYED && changed());
  }

  // the game on a puzzle that has exactly these lines
  withLines(key, lines) {
    return this.all().find((entry) => entry.key === key && entry.lines.join() === lines.join()) ?? null;
  }

  // the best score of a finished or unfinished game on a puzzle; 0 if there is none
  bestOn(key) {
    return Math.max(
      0,
      ...this.all()
        .filter((entry) => entry.key === key)
        .map((entry) => entry.score),
    );
  }

  // Keep a game, in place of the entry with the same id. Return false if the browser does not keep it.
  keep(entry) {
    // after Start over and Redo two entries would hold the same game
    const isSame = (other) =>
      entry.lines.length > 0 && other.key === entry.key && other.lines.join() === entry.lines.join();
    const others = this.all().filter((other) => other.id !== entry.id && !isSame(other));
    return write(PLAYED, { version: 2, games: [...others, entry] });
  }

  remove(id) {
    write(PLAYED, { version: 2, games: this.all().filter((entry) => entry.id !== id) });
  }
}

const isText = (value) => typeof value === "string";
const isTexts = (value) => Array.isArray(value) && value.every(isText);

// the types of what a puzzle is asked by; see api.js
const ASKED = { name: isText, row: isText, seed: Number.isInteger, own: (value) => value === true };
const isAsked = (asked) => {
  const [[kind, value] = [], ...others] = Object.entries(plain(asked));
  return !others.length && Object.hasOwn(ASKED, kind ?? "") && ASKED[kind](value);
};

const isEntry = (entry) =>
  Number.isInteger(entry?.score) &&
  [entry.id, entry.key, entry.name, entry.when].every(isText) &&
  !Number.isNaN(Date.parse(entry.when)) &&
  isAsked(entry.asked) &&
  isTexts(entry.lines) &&
  isTexts(entry.undone);

export const newId = () => `${Date.now().toString(36)}-${Math.floor(Math.random() * 1e9).toString(36)}`;

// the best game found on a puzzle, and the bound: { lines, bound, digest: of the puzzle and its words }
export function found(key) {
  const kept = read(FOUND)?.[key];
  const isFound = isTexts(kept?.lines) && (kept.bound === null || typeof kept.bound === "number");
  return isFound ? kept : { lines: [], bound: null };
}

export function keepFound(key, kept) {
  const { [key]: _before, ...others } = read(FOUND) ?? {};
  write(FOUND, Object.fromEntries([...Object.entries(others), [key, kept]].slice(-MOST_FOUND)));
}

export const keptText = () => {
  const text = read(TEXT);
  return isText(text) ? text : "";
};

export const keepText = (text) => write(TEXT, text);

// The results of the daily rows by date: { score, best, lines, marks: the grade of each turn, late: whether the game
// was begun after
// its day, hints: how many were given }. Damaged ones are left out.
export function results() {
  const kept = Object.entries(plain(read(DAILY))).filter(([date, one]) => isDate(date) && isResult(one));
  return { ...Object.fromEntries(kept), ...unkept };
}

const isDate = (date) => /^\d{4}-\d{2}-\d{2}$/.test(date) && !Number.isNaN(Date.parse(date));

const isResult = (one) =>
  Number.isInteger(one?.score) &&
  Number.isInteger(one.best) &&
  one.score >= 0 &&
  one.best > 0 &&
  one.score <= one.best &&
  isTexts(one.lines) &&
  /^[0-3]*$/.test(one.marks ?? "") &&
  typeof (one.late ?? false) === "boolean" &&
  Number.isInteger(one.hints ?? 0) &&
  (one.hints ?? 0) >= 0;

const plain = (value) => (typeof value === "object" && value !== null && !Array.isArray(value) ? value : {});
const unkept = {}; // results that the browser does not keep

export function keepResult(date, result) {
  if (!write(DAILY, { ...plain(read(DAILY)), [date]: result })) unkept[date] = result;
}

// whether the first turn was neither shown nor skipped yet
export const isFirstVisit = () => !plain(read(DAILY)).visited;
export const keepVisited = () => write(DAILY, { ...plain(read(DAILY)), visited: true });

// the last date whose row was opened on it
export const begunOn = () => plain(read(DAILY)).begun;
export const keepBegun = (date) => write(DAILY, { ...plain(read(DAILY)), begun: date });

// how many hints were given on the row of a date; the browser keeps them for the last date with a hint
export function hintsOn(date) {
  const last = plain(plain(read(DAILY)).hinted);
  return last.date === date && Number.isInteger(last.count) && last.count > 0 ? last.count : 0;
}
export const keepHint = (date) => write(DAILY, { ...plain(read(DAILY)), hinted: { date, count: hintsOn(date) + 1 } });

// the results and games of this browser as text, for another one
export const backup = () => JSON.stringify({ daily: results(), games: read(PLAYED)?.games ?? [] });

// Take over what `backup` wrote; what this browser has stays as it is. Return the number of results that are new, null
// if the text is none of `backup`.
export function restore(text) {
  let other = null;
  try {
    other = plain(JSON.parse(text));
  } catch {
    return null;
  }
  const mine = plain(read(DAILY));
  const isNew = ([date, one]) => isDate(date) && isResult(one) && !isResult(mine[date]);
  const added = Object.entries(plain(other.daily)).filter(isNew);
  const games = read(PLAYED)?.games ?? [];
  const others = (Array.isArray(other.games) ? other.games : []).filter(isEntry);
  if (!other.daily && !others.length) return null;
  write(DAILY, { ...mine, ...Object.fromEntries(added) });
  write(PLAYED, { version: 2, games: [...games, ...others.filter((one) => !games.some(({ id }) => id === one.id))] });
  return added.length;
}
