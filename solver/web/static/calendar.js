// The calendar of daily rows: each day of the player's own calendar has a row whose best score is proven.

import { dailyRows } from "./api.js";

const DAY = 86_400_000; // milliseconds
const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

let calendar = null; // { first: the first date, rows: [{ row, best, greedy, turns }] }

export async function loadDaily() {
  calendar ??= await dailyRows();
}

// Days are counted from the first one, 0. All times are of UTC, in which each day has 24 hours.
export const dayOn = (time) => Math.round((new Date(time) - new Date(calendar.first)) / DAY);

// today by the player's own calendar; negative before the first day
export function today() {
  const now = new Date();
  return dayOn(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()));
}

// after the last row the rows begin again from the first
export const rowOn = (day) => calendar.rows[day % calendar.rows.length];

// the last day up to today that has the row; null if there is none
export function dayOf(row) {
  const place = calendar?.rows.findIndex((one) => one.row === row) ?? -1;
  if (place < 0 || place > today()) return null;
  return today() - ((today() - place) % calendar.rows.length);
}

const timeOf = (day) => Date.parse(calendar.first) + day * DAY;

export const titleOf = (day) => `Daily ${day + 1}, ${DATE.format(timeOf(day))}`;

// the date of the first row, "23 November"
export const firstDate = () => DATE.format(timeOf(0));

export const isLoaded = () => calendar !== null;

// the title of the daily row that a puzzle is; null if it is none
export function dailyName(asked) {
  const day = dayOf(asked.row);
  return day === null ? null : titleOf(day);
}

// the best game of a daily row, and its score, which is proven: { game, bound }; empty for other rows
export function givenOf({ row }) {
  const { turns, best } = calendar?.rows.find((one) => one.row === row) ?? {};
  return turns ? { game: turns, bound: best } : {};
}

export const dateOf = (day) => new Date(timeOf(day)).toISOString().slice(0, 10);
