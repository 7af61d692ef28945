// The daily row: the same for everyone on a date, with a proven best score. The first finished game of a day counts.

import { toFragment } from "./address.js";
import { dailyRows } from "./api.js";
import { gradeOf } from "./known.js";
import { counted, fail, id } from "./page.js";
import { showGames } from "./show.js";
import { keepResults, results } from "./store.js";
import { fill, h } from "../view/dom.js";

const DAY = 24 * 60 * 60 * 1000;
const WHEN = new Intl.DateTimeFormat("en", { dateStyle: "full" });
const SQUARES = { "": "🟩", "?!": "🟨", "?": "🟧", "??": "🟥" };
const STEPS = [[100, "100"], [90, "90–99"], [80, "80–89"], [70, "70–79"], [60, "60–69"], [0, "0–59"]]; // percentages of the histogram

// a date of the player's calendar as text, 2026-11-25
const dateOf = (time) => [time.getFullYear(), time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, "0")).join("-");

// the number of days from one date to another, whatever the clock does in between
const daysFrom = (first, then) => Math.round((Date.parse(then) - Date.parse(first)) / DAY);

const before = (date) => new Date(Date.parse(date) - DAY).toISOString().slice(0, 10);

export const percent = ({ score, best }) => Math.floor((100 * score) / best);

// the days in a row with a result up to `today`, or up to the day before while today has none
export function streak(kept, today) {
  let date = kept[today] ? today : before(today);
  let days = 0;
  for (; kept[date]; date = before(date)) days++;
  return days;
}

export class Daily {
  // play: the game in progress; games: the store of own games; open: called with a puzzle and the lines of a game
  constructor(play, games, open) {
    Object.assign(this, { play, games, open });
    this.list = null; // { first: the date of the first row, rows: [{ row, best, turns: lines }] }
  }

  async load() {
    this.list ??= await dailyRows();
  }

  // the row of today: { date, number, row, best, turns, key }; null before the rows are loaded
  get today() {
    if (!this.list) return null;
    const { first, rows } = this.list;
    const date = dateOf(new Date());
    const day = daysFrom(first, date);
    // after the last row the first one comes again
    const { row, best, turns } = rows[((day % rows.length) + rows.length) % rows.length];
    return { date, number: day + 1, row, best, turns, key: toFragment({ row }, []) };
  }

  // The game in progress has changed: note the result when the game of the day is over. key: of the puzzle that is open; isOwn:
  // whether the player has played the game
  async note(key, isOwn) {
    await this.load().catch(() => {});
    const { today, play } = this;
    if (!today || key !== today.key || !isOwn || !play.isOver || !play.game.turns.length) return;
    const kept = results();
    if (!kept[today.date]) keepResults({ ...kept, [today.date]: { score: play.game.score, best: today.best, lines: play.game.lines() } });
    // now the best game gives nothing away
    play.known.learn(today.turns);
    play.known.limit(today.best);
  }

  async show() {
    const view = id("view-daily");
    try {
      await this.load();
    } catch (error) {
      const line = h("p", {});
      fill(view, line);
      fail(line, error);
      return;
    }
    const { today } = this;
    const kept = results();
    const result = kept[today.date];
    fill(
      view,
      h("h2", {}, `Daily ${today.number}`),
      h("p", { class: "quiet" }, `${WHEN.format(new Date())}. ${counted(today.row.length, "tile")}, the same for everyone. The rows of a week go from easy to hard, and the best score of each is proven.`),
      result ? this.finished(today, result) : this.invitation(today),
      Object.keys(kept).length > 0 && this.statistics(kept, today),
    );
  }

  invitation({ row, key }) {
    const begun = this.games.lastOn(key)?.lines.length;
    return h("p", {}, h("button", { type: "button", id: "daily-play", class: "main", onclick: () => this.open({ row }, []) }, begun ? "Go on with today's row" : "Play today's row"));
  }

  finished(today, result) {
    const { row, turns, number, best } = today;
    const name = `The best game of Daily ${number}, ${counted(best, "point")}`;
    const bestGame = () => showGames([{ puzzle: { row }, text: turns.join("\n"), number: 0, name }], (lines) => this.open({ row }, lines));
    const status = h("p", { role: "status" });
    return h("div", {},
      h("p", { class: "total" }, h("strong", {}, `${percent(result)} %`), ` of the best score: ${result.score} of ${best}`),
      h("p", { class: "squares", "aria-label": "Your turns, from good (green) to bad (red)" }, this.squares(today, result)),
      h("div", { class: "fields" },
        h("button", { type: "button", id: "daily-share", class: "main", onclick: () => this.share(today, result, status) }, "Share"),
        h("button", { type: "button", id: "daily-open", onclick: () => this.open({ row }, result.lines) }, "Your game"),
        h("button", { type: "button", id: "daily-best", onclick: bestGame }, "The best game")),
      status);
  }

  // a square for each turn, by what it lost; white where that is not known
  squares(today, { lines }) {
    const { game, known } = this.play;
    if (!game || game.puzzle.row !== today.row || game.lines().join() !== lines.join()) return lines.map(() => "⬜").join("");
    return known.losses(game).map((loss) => (loss === null ? "⬜" : SQUARES[gradeOf(loss.lost, known.best).mark ?? ""])).join("");
  }

  // what is copied names no word and no tile
  async share(today, result, status) {
    const { origin, pathname } = location;
    const text = `rowdraw daily ${today.number}: ${percent(result)} %\n${this.squares(today, result)}\n${origin}${pathname}`;
    try {
      await navigator.clipboard.writeText(text);
      status.textContent = "Copied.";
    } catch {
      fill(status, h("textarea", { rows: "3", readonly: true, "aria-label": "Your result as text" }, text));
      status.firstChild.select();
    }
  }

  statistics(kept, today) {
    const all = Object.values(kept).map(percent);
    const most = Math.max(...STEPS.map((_, step) => this.inStep(all, step)));
    return h("section", { "aria-label": "Statistics" },
      h("h3", {}, "Your days"),
      h("p", {}, `${counted(all.length, "day")} played, ${counted(streak(kept, today.date), "day")} in a row, ${Math.floor(all.reduce((sum, one) => sum + one, 0) / all.length)} % on average.`),
      h("table", { class: "histogram" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "% of the best"), h("th", { scope: "col" }, "days"), h("td", {}))),
        h("tbody", {}, STEPS.map(([, label], step) => {
          const days = this.inStep(all, step);
          return h("tr", {}, h("td", {}, label), h("td", {}, String(days)), h("td", {}, h("meter", { min: "0", max: String(most), value: String(days), "aria-label": `${label} %: ${counted(days, "day")}` })));
        }))));
  }

  inStep(all, step) {
    return all.filter((one) => one >= STEPS[step][0] && (step === 0 || one < STEPS[step - 1][0])).length;
  }
}
