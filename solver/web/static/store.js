// What the browser keeps: the games that the player has played, the best games found, and the text to judge. Games that
// the player has only seen, by a link or in a list, are never kept here, so they replace none of the player's own.

import { toFragment } from "./address.js";
import { isEntry, isFound, isResult, plain } from "./schema.js";

const PLAYED = "rowdraw-played"; // { version, games: [entry] }
const FOUND = "rowdraw-found"; // by puzzle, see `found`
const TEXT = "rowdraw-text"; // the text to judge
const DAILY = "rowdraw-daily"; // by date, see `results`
// each by itself: what a tab has read may be old, and would be written again
const BEGUN = "rowdraw-begun"; // the last date whose row was opened on it
const HINTED = "rowdraw-hinted"; // see `hintsOn`
const VISITED = "rowdraw-visited"; // whether the first turn was shown or skipped
const MOST_FOUND = 200; // rows

// the value in the browser's storage; null where there is none, or none that can be read
export function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

// false if the browser does not keep it
export function write(key, value) {
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
// again, next first, score, over, seen: the number of its first turns that came with a link, when: an ISO date }.
export class Games {
  // all entries, the last one played first
  all() {
    return entriesIn(read(PLAYED)).sort((one, other) => other.when.localeCompare(one.when));
  }

  // the last game on a puzzle
  lastOn(key) {
    return this.all().find((entry) => entry.key === key) ?? null;
  }

  // the entry with this id; null if there is none
  withId(id) {
    return this.all().find((entry) => entry.id === id) ?? null;
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
    return keepGames([...others, entry]);
  }

  remove(id) {
    keepGames(this.all().filter((entry) => entry.id !== id));
  }
}

const keepGames = (games) => write(PLAYED, { version: 2, games });

// the entries in what `keep` or `backup` wrote
const entriesIn = (kept) => [plain(kept).games ?? []].flat().filter(isEntry);

export const newId = () => `${Date.now().toString(36)}-${Math.floor(Math.random() * 1e9).toString(36)}`;

// the best game found on a puzzle, and the bound: { lines, bound, digest: of the puzzle and its words }
export function found(key) {
  const kept = plain(read(FOUND))[key];
  return isFound(kept) ? kept : { lines: [], bound: null };
}

export function keepFound(key, kept) {
  const { [key]: _before, ...others } = plain(read(FOUND));
  write(FOUND, Object.fromEntries([...Object.entries(others), [key, kept]].slice(-MOST_FOUND)));
}

export const keptText = () => {
  const text = read(TEXT);
  return typeof text === "string" ? text : "";
};

export const keepText = (text) => write(TEXT, text);

// The results of the daily rows by date: { score, best, lines, marks: the grade of each turn, late: whether the game
// was begun after its day, hints: how many were given }. Damaged ones are left out.
export const results = () => ({ ...Object.fromEntries(Object.entries(daily()).filter(isResult)), ...unkept });

const daily = () => plain(read(DAILY));
const keepDaily = (more) => write(DAILY, { ...daily(), ...more });
const unkept = {}; // results that the browser does not keep

export function keepResult(date, result) {
  if (!keepDaily({ [date]: result })) unkept[date] = result;
}

export const isFirstVisit = () => !read(VISITED);
export const keepVisited = () => write(VISITED, true);
export const begunOn = () => read(BEGUN);
export const keepBegun = (date) => write(BEGUN, date);

// how many hints were given on the row of a date; the browser keeps them for the last date with a hint
export function hintsOn(date) {
  const last = plain(read(HINTED));
  return last.date === date && Number.isInteger(last.count) && last.count > 0 ? last.count : 0;
}
export const keepHint = (date) => write(HINTED, { date, count: hintsOn(date) + 1 });

// the results and games of this browser as text, for another one
export const backup = () => JSON.stringify({ daily: results(), games: entriesIn(read(PLAYED)) });

// Take over what `backup` wrote; what this browser has stays as it is. Return the number of results that are new, null
// if the text is none of `backup`.
export function restore(text) {
  let other = null;
  try {
    other = plain(JSON.parse(text));
  } catch {
    return null;
  }
  const mine = daily();
  const isNew = ([date, one]) => isResult([date, one]) && !isResult([date, mine[date]]);
  const added = Object.entries(plain(other.daily)).filter(isNew);
  const games = entriesIn(read(PLAYED));
  const others = entriesIn(other);
  if (!other.daily && !others.length) return null;
  keepDaily(Object.fromEntries(added));
  keepGames([...games, ...others.filter((one) => !games.some(({ id }) => id === one.id))]);
  return added.length;
}
