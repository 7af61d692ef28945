// The daily row: each day of the player's own calendar has a row whose best score is proven. The first finished game of a day counts.

import { toFragment } from "./address.js";
import { dailyRows } from "./api.js";
import { gradeOf } from "./known.js";
import { counted, dialog, fail, id, refill } from "./page.js";
import { copy } from "./share.js";
import { showGames } from "./show.js";
import { begunOn, hintsOn, keepBegun, keepHint, keepResult, keyOf, results } from "./store.js";
import { fill, h } from "../view/dom.js";

const DAY = 86_400_000; // milliseconds
const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
const GRADES = ["", "?!", "?", "??"]; // the marks of turns, see known.js; a result keeps their places here
const SQUARES = ["🟩", "🟨", "🟧", "🟥"]; // for each grade
const BINS = [[100, "100"], [90, "90–99"], [80, "80–89"], [70, "70–79"], [60, "60–69"], [50, "50–59"], [0, "0–49"]]; // percent, from the best

let calendar = null; // { first: the first date, rows: [{ row, best, greedy, turns }] }

export async function loadDaily() {
  calendar ??= await dailyRows();
}

// Days are counted from the first one, 0. All times are of UTC, in which each day has 24 hours.
const dayOn = (time) => Math.round((new Date(time) - new Date(calendar.first)) / DAY);

// today by the player's own calendar; negative before the first day
function today() {
  const now = new Date();
  return dayOn(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()));
}

// after the last row the rows begin again from the first
const rowOn = (day) => calendar.rows[day % calendar.rows.length];

// the last day up to today that has the row; null if there is none
function dayOf(row) {
  const place = calendar?.rows.findIndex((one) => one.row === row) ?? -1;
  if (place < 0 || place > today()) return null;
  return today() - ((today() - place) % calendar.rows.length);
}

const titleOf = (day) => `Daily ${day + 1}, ${DATE.format(Date.parse(calendar.first) + day * DAY)}`;

// the title of the daily row that a puzzle is; null if it is none
export function dailyName(asked) {
  const day = dayOf(asked.row);
  return day === null ? null : titleOf(day);
}

const dateOf = (day) => new Date(Date.parse(calendar.first) + day * DAY).toISOString().slice(0, 10);
const resultOf = (day) => results()[dateOf(day)] ?? null;
const percentOf = ({ score, best }) => Math.floor((100 * score) / best);

// the squares of a game; white where what a turn lost is not known
const squaresOf = ({ lines, marks }) => lines.map((_, turn) => SQUARES[marks?.[turn]] ?? "⬜").join("");

// the results that count: [{ day, percent }]
const countedResults = () =>
  Object.entries(results())
    .filter(([, result]) => !result.late)
    .map(([date, result]) => ({ day: dayOn(date), percent: percentOf(result) }))
    .filter(({ day }) => day <= today());

// the days in a row that were finished, up to today or yesterday, and the longest such series
function streaks() {
  const days = countedResults().map(({ day }) => day);
  const all = new Set(days);
  const upTo = (day) => {
    let length = 0;
    while (all.has(day - length)) length++;
    return length;
  };
  return { now: upTo(all.has(today()) ? today() : today() - 1), longest: Math.max(0, ...days.map(upTo)) };
}

const helpOf = ({ hints }) => (hints ? `, with ${counted(hints, "hint")}` : "");

// the result as text, without a word of the game
const shareText = (day, result) => `rowdraw daily ${day + 1}: ${percentOf(result)} %${helpOf(result)}\n${squaresOf(result)}\n${location.origin}${location.pathname}#daily=${day + 1}`;

function share(day) {
  const area = h("textarea", { rows: "4", readonly: true, "aria-label": "The result as text" });
  const status = h("p", { role: "status" });
  const copyText = () => copy(area, status, "The result", shareText(day, resultOf(day)));
  dialog("Share the result", [h("p", {}, "One square for each turn, green where it lost next to nothing, to red. No word is given away."), area, h("div", { class: "fields" }, h("button", { type: "button", onclick: copyText }, "Copy")), status]);
  copyText();
}

function showBest(day) {
  const { row, best, turns } = rowOn(day);
  showGames([{ puzzle: { row }, text: turns.join("\n"), number: 0, name: `The best game of ${titleOf(day)}, ${best} points` }], null);
}

const button = (key, label, onclick, extra = {}) => h("button", { type: "button", "data-key": key, onclick, ...extra }, label);

export class Daily {
  // open: opens a puzzle; show: shows the daily view
  constructor(play, session, { open, show }) {
    Object.assign(this, { play, session, open, show });
  }

  // the day of the row that is open; null if it is no daily row
  get day() {
    return this.play.asked && dayOf(this.play.asked.row);
  }

  // the result of the row that is open; null without one
  get result() {
    return this.day === null ? null : resultOf(this.day);
  }

  // whether the best plays are not shown yet
  get isSealed() {
    return this.day !== null && !this.result;
  }

  // the game has changed, see `Play`
  changed(kind) {
    const { day, play } = this;
    if (day === null) return;
    if (kind === "opened" && day === today()) keepBegun(dateOf(day));
    if (kind === "turn" && play.isOver && !this.result) this.finish(day, play.game);
  }

  finish(day, game) {
    // a game that goes on after midnight counts for the day on which it was begun
    const late = day !== today() && dateOf(day) !== begunOn();
    keepResult(dateOf(day), { score: game.score, best: rowOn(day).best, lines: game.lines(), marks: "", late, hints: hintsOn(dateOf(day)) });
  }

  // a hint was given, which the result mentions
  hinted() {
    if (this.isSealed) keepHint(dateOf(this.day));
  }

  // More is known of the row. Once its game is over, that includes the best game; and the turns that count get their grades.
  follow() {
    const { day, result } = this;
    if (!result) return;
    const { game, known } = this.play;
    known.learn(rowOn(day).turns);
    known.limit(rowOn(day).best);
    if (game.lines().join() !== result.lines.join()) return;
    const marks = known.losses(game).map((loss) => GRADES.indexOf(gradeOf(loss?.lost ?? 0, known.best).mark)).join("");
    if (marks !== result.marks) keepResult(dateOf(day), { ...result, marks });
  }

  // what the card at the end of a daily game shows; isBusy: whether its turns are still being searched
  card(isBusy) {
    const { day, result } = this;
    if (!result) return null;
    const counts = result.late ? "begun after its day, so it does not count" : `${percentOf(result)} %${helpOf(result)} counts, ${counted(streaks().now, "day")} in a row`;
    return h("div", { id: "daily-card" }, h("p", {}, `${titleOf(day)}: ${counts}.`), h("div", { class: "fields" }, this.buttons(day, isBusy), button("statistics", "Statistics", () => this.show())));
  }

  buttons(day, isBusy = false) {
    return [
      button("daily-share", isBusy ? "Looking at your turns …" : "Share the result", () => share(day), { disabled: isBusy, class: "main" }),
      button("daily-best", "The best game", () => showBest(day)),
    ];
  }

  // The address of the row that an address such as #daily or #daily=12 names; other addresses stay as they are. A day that is
  // still to come gives today's row; before the first day, or without the rows, there is none.
  address(hash) {
    const [named, number] = /^#daily(?:=(\d{1,7}))?$/.exec(hash) ?? [];
    if (named === undefined) return hash;
    if (!calendar) return "";
    const day = number > 0 ? Math.min(number - 1, today()) : today();
    return day < 0 ? "" : `#${toFragment({ row: rowOn(day).row }, [])}`;
  }

  async playOn(day) {
    const wrong = await this.open({ row: rowOn(day).row });
    // a finished game without a result is of an earlier round of the rows
    if (!wrong && this.day === day && this.play.isOver && !this.result) this.session.startOver();
  }

  async showView() {
    const view = id("view-daily");
    try {
      await loadDaily();
    } catch (error) {
      const line = h("p", {});
      fill(view, line);
      fail(line, error);
      return;
    }
    const day = today();
    refill(view, day < 0 ? [h("h2", {}, "The daily row"), h("p", {}, `The first daily row comes on ${DATE.format(Date.parse(calendar.first))}.`)] : this.today(day), statistics());
  }

  today(day) {
    const { row, best, greedy } = rowOn(day);
    const result = resultOf(day);
    const isBegun = this.session.games.lastOn(keyOf({ row }, { row }))?.lines.length > 0;
    return [
      h("h2", {}, titleOf(day)),
      result && h("p", { class: "total" }, h("strong", {}, `${percentOf(result)} %`), ` ${counted(result.score, "point")}; the best possible score is ${best}, proven${helpOf(result)}`),
      result && h("p", { class: "squares", role: "img", "aria-label": "Your turns, from good (green) to bad (red)" }, result.lines.map((_, turn) => h("span", { class: `square-${result.marks?.[turn] ?? "none"}` }))),
      !result && h("p", {}, `${counted(row.length, "tile")}, and a rack of ten. Weeks go from easy to hard: who makes the play with the most points in each turn reaches ${Math.floor((100 * greedy) / best)} % of the best possible score today.`),
      h("div", { class: "fields" }, button("play", result ? "Your game" : isBegun ? "Go on" : "Play", () => this.playOn(day), { class: result ? null : "main" }), result && this.buttons(day)),
      result && h("p", { class: "quiet" }, "The next row comes at midnight. You can play this one again; your first game counts."),
    ];
  }
}

function statistics() {
  const all = countedResults();
  const { now, longest } = streaks();
  const numbers = BINS.map(([least], at) => all.filter(({ percent }) => percent >= least && percent < (BINS[at - 1]?.[0] ?? 101)).length);
  const figure = (value, name) => h("div", {}, h("dd", {}, String(value)), h("dt", {}, name));
  return [
    h("h3", {}, "Statistics"),
    h("dl", { id: "daily-figures" }, figure(all.length, "finished"), figure(now, now === 1 ? "day in a row" : "days in a row"), figure(longest, "longest series")),
    h("table", { id: "histogram" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "percent"), h("th", { scope: "col", class: "word" }, "games"))),
      h("tbody", {}, BINS.map(([, label], at) => h("tr", {},
        h("th", { scope: "row" }, label),
        h("td", { class: "word" }, h("span", { class: "bar", "aria-hidden": "true", hue: numbers[at] / Math.max(1, ...numbers) }), ` ${numbers[at]}`))))),
    h("p", { class: "quiet" }, "The statistics stay in this browser. The first finished game of a row counts, if you begin it on its day."),
  ];
}
