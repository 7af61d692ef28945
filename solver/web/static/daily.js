// The daily row: each day of the player's own calendar has a row whose best score is proven. The first finished game of
// a day counts.

import { toFragment } from "./address.js";
import { puzzleOf } from "./api.js";
import { dateOf, dayOf, dayOn, firstDate, isLoaded, loadDaily, rowOn, titleOf, today } from "./calendar.js";
import { Game, turnOf } from "./game.js";
import { GRADES } from "./grades.js";
import { counted, dialog, download, failure, id } from "./page.js";
import { review } from "./review.js";
import { shareText } from "./share.js";
import { showGames } from "./show.js";
import { backup, begunOn, hintsOn, keepBegun, keepHint, keepResult, keyOf, restore, results } from "./store.js";
import { button, fill, h, line, table } from "../view/dom.js";

// percent: the least of each bin, from the best
const BINS = [100, 90, 80, 70, 60, 50, 0];
const mostOf = (bin) => (bin ? BINS[bin - 1] - 1 : 100);

const resultOf = (day) => results()[dateOf(day)] ?? null;
const percentOf = ({ score, best }) => Math.floor((100 * score) / best);

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

const isGraded = ({ lines, marks }) => marks?.length === lines.length;

// a result with grades as text, without a word of the game
function resultText(day, { marks, ...result }) {
  const help = result.hints ? `, with ${counted(result.hints, "hint")}` : "";
  const squares = [...marks].map((mark) => GRADES[mark].square).join("");
  const address = `${location.origin}${location.pathname}#daily=${day + 1}`;
  return `rowdraw daily ${day + 1}: ${percentOf(result)} %${help}\n${squares}\n${address}`;
}

function untilMidnight() {
  const now = new Date();
  const minutes = Math.ceil((new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1) - now) / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// a button that stays the same one when others come and go
export const act = (key, label, onclick, kind = null) => button(label, onclick, { "data-key": key, class: kind });

export class Daily {
  // open: opens a puzzle
  constructor(play, session, open) {
    Object.assign(this, { play, session, open });
  }

  // the day of the row that is open; null if it is no daily row
  get day() {
    return this.play.asked && dayOf(this.play.asked.row);
  }

  // the result of the row that is open; null without one
  get result() {
    return this.day === null ? null : resultOf(this.day);
  }

  // whether nothing is shown yet of how good a play is
  get isSealed() {
    return this.day !== null && !this.result;
  }

  // the game has changed, see `Play`
  changed(kind) {
    const { day, play } = this;
    if (day === null) return;
    if (kind === "opened" && day === today()) keepBegun(dateOf(day));
    // turns of a link are not the player's own
    if (kind === "turn" && play.isOver && !this.result && !this.session.seen) this.finish(day, play.game);
  }

  finish(day, game) {
    // a game that goes on after midnight counts for the day on which it was begun
    const late = day !== today() && dateOf(day) !== begunOn();
    const { best } = rowOn(day);
    const hints = hintsOn(dateOf(day));
    keepResult(dateOf(day), { score: game.score, best, lines: game.lines(), marks: "", late, hints });
  }

  // a hint was given, which the result mentions
  hinted() {
    if (this.isSealed) keepHint(dateOf(this.day));
  }

  // more is known of the row: the turns of the game that counts get their grades, once and for all
  follow() {
    const { game, known } = this.play;
    if (this.isCounted) this.grade(this.day, known.grades(game));
  }

  // whether the game that is open is the one that counts
  get isCounted() {
    return this.result?.lines.join() === this.play.game.lines().join();
  }

  grade(day, grades) {
    const result = resultOf(day);
    if (!grades || isGraded(result)) return;
    keepResult(dateOf(day), { ...result, marks: grades.join("") });
    if (!id("view-daily").hidden) this.showView();
  }

  // what the card at the end says of a daily game, { hints, greedy: its score, marks: the grades that are kept,
  // news: a line, share }; null of another game
  get ending() {
    const { day, result } = this;
    if (!result) return null;
    const series = result.late
      ? "You began it after its day, so it does not count."
      : `${counted(streaks().now, "day")} in a row.`;
    const next = day === today() ? ` The next row comes in ${untilMidnight()}.` : "";
    const { greedy } = rowOn(day);
    const marks = this.isCounted && result.marks;
    return { hints: result.hints ?? 0, greedy, marks, news: series + next, share: () => this.share(day) };
  }

  // share the result, after a review of its turns if that is still to be done
  async share(day) {
    const title = "Share the result";
    const about = "A sign for each turn: 🟩 it lost next to nothing, 🟡 🔶 🔺 more and more. No word is given away.";
    const isWaiting = !isGraded(resultOf(day));
    if (isWaiting && !(await this.reviewed(day, title))) return;
    shareText(title, about, "The result", resultText(day, resultOf(day)), isWaiting);
  }

  // review the game that counts, with a progress; false if the dialog was closed meanwhile
  async reviewed(day, title) {
    const { row } = rowOn(day);
    const { lines } = resultOf(day);
    const bar = h("progress", { max: String(lines.length + 1), "aria-label": "Turns looked at" });
    const status = h("p", { role: "status" }, "Finding out what each turn lost …");
    const box = dialog(title, [status, bar]);
    const isOpen = () => box.open && bar.isConnected;
    let watch = 0;
    try {
      const puzzle = await puzzleOf({ row });
      const known = this.session.knownOf(keyOf({ row }, puzzle), puzzle);
      const game = new Game(puzzle, lines.map(turnOf));
      watch = setInterval(() => (bar.value = lines.length + 1 - known.unknown(game).length), 100);
      // a search for something else may have ended the review
      let isDone = false;
      while (isOpen() && !isDone) isDone = await review({ row }, known, game);
      if (isDone) this.grade(day, known.grades(game));
      return isOpen();
    } catch (error) {
      fill(status, failure(error));
      return false;
    } finally {
      clearInterval(watch);
    }
  }

  // The address of the row that an address such as #daily or #daily=12 names, and a remark; other addresses stay as
  // they are. Another day gives today's row; before the first day, or without the rows, there is none.
  address(hash) {
    const [named, number] = /^#daily(?:=(\d{1,7}))?$/.exec(hash) ?? [];
    if (named === undefined) return [hash];
    if (!isLoaded() || today() < 0) return [""];
    const day = number > 0 && number <= today() ? number - 1 : today();
    const remark = number && day !== number - 1 && `No daily row has the number ${number}: this is the row of today.`;
    return [`#${toFragment({ row: rowOn(day).row }, [])}`, remark];
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
      fill(view, failure(error));
      return;
    }
    const day = today();
    fill(
      view,
      day < 0
        ? h("div.card", h("h2", "The daily row"), h("p", `The first daily row comes on ${firstDate()}.`))
        : this.today(day),
      h(
        "div.card",
        h("h2", "The challenge"),
        h("p", "A hundred tiles, and a game of an hour. The best possible score is proven: 1042."),
        act("challenge", "Play the challenge", () => this.open({ name: "challenge" })),
      ),
      statistics(() => this.showView()),
    );
  }

  today(day) {
    const { row, best, greedy, turns } = rowOn(day);
    const result = resultOf(day);
    const isBegun = this.session.games.lastOn(keyOf({ row }, { row }))?.lines.length > 0;
    const label = result ? "Your game" : isBegun ? "Go on" : "Play";
    const showBest = () =>
      showGames([{ asked: { row }, lines: turns, name: `The best game of ${titleOf(day)}, ${best} points` }], null);
    const done = result
      ? [
          h(
            "p.total",
            h("strong", `${percentOf(result)} %`),
            ` ${result.score} of ${best} points`,
            result.hints ? `, with ${counted(result.hints, "hint")}` : "",
          ),
          squares(result.lines.map(turnOf), result.marks),
          h("p.quiet", `The next row comes in ${untilMidnight()}.`),
        ]
      : h(
          "p",
          `${counted(row.length, "tile")}, the same for everyone. Greedy play, the most points in each turn, reaches `,
          `${Math.floor((100 * greedy) / best)} % of the best possible score.`,
        );
    return h(
      "div.card",
      h("h2", titleOf(day)),
      done,
      h(
        "div.fields",
        result && act("daily-share", "Share", () => this.share(day), "main"),
        act("play", label, () => this.playOn(day), result ? null : "main"),
        result && act("daily-best", "The best game", showBest),
      ),
    );
  }

  // the first visit begins with the row of today
  get todaysRow() {
    return isLoaded() && today() >= 0 ? { row: rowOn(today()).row } : null;
  }
}

// a sign for each turn by its grade, if that is known; `grades` are numbers or a text of them
export const squares = (turns, grades) =>
  h(
    "ol.squares",
    turns.map(({ word }, at) => {
      const { mark, name } = GRADES[grades?.[at]] ?? { mark: "…", name: "not known yet" };
      return h("li", { class: `square-${grades?.[at] ?? "none"}` }, mark, h("span.unseen", ` ${word}: ${name}`));
    }),
  );

// changed: called when results were taken over
function statistics(changed) {
  const all = countedResults();
  const { now, longest } = streaks();
  const numbers = BINS.map(
    (least, bin) => all.filter(({ percent }) => percent >= least && percent <= mostOf(bin)).length,
  );
  const most = Math.max(1, ...numbers);
  const save = () => download("rowdraw-results.json", new Blob([backup()], { type: "application/json" }));
  const load = async ({ target }) => {
    const [file] = target.files;
    target.value = ""; // the same file may be chosen again
    const added = restore(await file.text());
    id("import-status").textContent = added === null ? "This file holds no results of rowdraw." : "";
    if (added !== null) changed();
  };
  const figure = (value, name) => h("div", h("dd", value), h("dt", name));
  const bins = BINS.map((least, at) =>
    line(
      h("th", { scope: "row" }, at ? `${least}–${mostOf(at)}` : least),
      h("td.word", h("span.bar", { "aria-hidden": "true", hue: numbers[at] / most }), ` ${numbers[at]}`),
    ),
  );
  return h(
    "div.card",
    h("h2", "Statistics"),
    h(
      "dl",
      { id: "daily-figures" },
      figure(all.length, "finished"),
      figure(now, now === 1 ? "day in a row" : "days in a row"),
      figure(longest, "longest series"),
    ),
    table(["percent", "games"], bins, { id: "histogram" }),
    h("p.quiet", "They stay in this browser. The first finished game of a row counts, if you begin it on its day."),
    h(
      "div.fields",
      act("save", "Export", save),
      h("label.file", "Import …", h("input.unseen", { type: "file", accept: ".json", id: "import", onchange: load })),
      h("span", { role: "status", id: "import-status" }),
    ),
  );
}
