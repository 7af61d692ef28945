// Which game is open: one of the player's own, which is kept after every turn, or one that the player only looks at.

import { fromFragment, toFragment } from "./address.js";
import { positionOf, puzzleOf } from "./api.js";
import { turnOf } from "./game.js";
import { LESSON } from "./coach.js";
import { givenOf } from "./calendar.js";
import { Known } from "./known.js";
import { counted, failure, id, messageOf } from "./page.js";
import { button, fill, h } from "../view/dom.js";
import { found, keepFound, keyOf, newId } from "./store.js";
import { nameOf } from "./standing.js";

export class Session {
  // games: the store of own games; learnt: called when more is known of a row
  constructor(play, games, learnt) {
    this.play = play;
    this.games = games;
    this.learnt = learnt;
    this.entry = null; // the id of the user's game that is open; null if it has no turn yet, or is only looked at
    this.seen = 0; // the number of its first turns that came with a link
    this.kept = null; // the lines of the entry, as far as this tab knows
    this.before = null; // the game that was open before: { asked, lines }
    this.key = ""; // the puzzle that is open, as the store names it
    this.opening = 0; // counts requests for games: only the last one is opened
    this.rows = new Map(); // what is known of each row, by its key
    // another tab may have gone on with the game, or finished the day
    addEventListener("storage", ({ key }) => {
      if (!key?.startsWith("rowdraw-")) return;
      this.follow();
      learnt();
    });
  }

  get isVisit() {
    return this.entry === null && this.play.game.turns.length + this.play.game.undone.length > 0;
  }

  // Open a puzzle with the lines of a game, or without lines the user's game on it. Play the lines before the first
  // that the referee refuses, and show the fault. Return a message if the puzzle cannot be opened. push: a new entry
  // in the browser's history
  async open(asked, lines = [], push = true) {
    const number = ++this.opening;
    const before = this.play.game?.turns.length
      ? { asked: this.play.asked, lines: this.play.game.lines(), isOwn: !this.isVisit }
      : null;
    try {
      const puzzle = await puzzleOf(asked);
      const key = keyOf(puzzle.asked, puzzle);
      let entry = lines.length ? this.games.withLines(key, lines) : this.games.lastOn(key);
      const asLines = entry?.lines ?? lines;
      // a row without turns is shown before the engine has read its words
      const position = asLines.length
        ? await positionOf(puzzle.asked, asLines)
        : { turns: [], faults: [], over: false };
      if (number !== this.opening) return "";
      const [fault] = position.faults;
      // the referee's own words for the turns: people write them in several ways
      if (!fault) entry ??= position.turns.length ? this.games.withLines(key, position.turns) : null;
      // a browser that keeps no games still knows after a reload whose this one is
      const own = entry ?? (push ? null : history.state?.own) ?? null;
      this.entry = own && !fault ? own.id : null;
      this.seen = own?.seen ?? 0;
      this.kept = entry?.lines.join();
      this.key = key;
      this.before =
        before && toFragment(before.asked, before.lines) !== toFragment(puzzle.asked, position.turns)
          ? before
          : this.before;
      if (push) this.push(toFragment(puzzle.asked, position.turns));
      this.play.open(
        puzzle.asked,
        this.knownOf(key, puzzle),
        position.turns.map(turnOf),
        fault ? [] : (entry?.undone ?? []).map(turnOf),
        position.over,
      );
      if (!asLines.length) this.endIfStuck().catch(() => {});
      if (fault)
        this.play.tell(
          `${fault.line ? `Turn ${fault.line}, “${asLines[fault.line - 1] ?? ""}”: ` : ""}${fault.message}`,
          true,
        );
      return "";
    } catch (error) {
      if (number === this.opening && this.play.game) fill(id("message"), failure(error));
      return messageOf(error);
    }
  }

  // a row on which no word can be played is over before its first turn
  async endIfStuck() {
    const { game, asked } = this.play;
    const { over } = await positionOf(asked, []);
    if (!over || game !== this.play.game || game.turns.length) return;
    this.play.end();
    this.play.settle("opened");
  }

  // whether another tab has gone on with the game that is open
  get isBehind() {
    const kept = this.games.withId(this.entry);
    return kept !== null && kept.lines.join() !== this.kept;
  }

  // go on where another tab has left the game
  async follow() {
    if (!this.isBehind) return;
    const { asked, lines } = this.games.withId(this.entry);
    const wrong = await this.open(asked, lines, false);
    if (!wrong) this.play.tell("Another tab went on with this game: here it is.");
  }

  knownOf(key, puzzle) {
    if (!this.rows.has(key)) {
      const known = new Known({ ...puzzle, ...givenOf(puzzle) }, () => {
        keepFound(key, { lines: known.bestGame, bound: known.bound, digest: puzzle.digest });
        this.learnt();
      });
      const { lines, bound, digest } = found(key);
      // with another word list these games may be impossible
      if (digest === puzzle.digest) {
        known.learn(lines);
        if (bound !== null) known.limit(bound);
      }
      this.rows.set(key, known);
    }
    return this.rows.get(key);
  }

  // the game has changed, see `Play`
  changed(kind, replaced) {
    const { game } = this.play;
    if (kind === "turn") {
      // another turn in place of some that were taken back: the longer game is kept as well
      if (this.entry !== null && replaced && replaced.length > game.turns.length) {
        this.keep(replaced, []);
        this.entry = null;
      }
      this.seen = Math.min(this.entry === null ? game.turns.length : this.seen, game.turns.length - 1);
      this.entry ??= newId();
    }
    if (kind !== "opened" && this.entry !== null)
      this.keep(
        game.lines(),
        game.undone.toReversed().map((turn) => `${turn.left} ${turn.tiles} ${turn.word}`),
      );
    this.address();
    this.showVisit();
  }

  keep(lines, undone) {
    const { asked, game, ended } = this.play;
    if (asked.row === LESSON.row) return;
    const over = ended.has(lines.join());
    const score = lines.reduce((total, line) => total + game.points(turnOf(line).tiles), 0);
    const name = nameOf(asked, game.puzzle);
    // a tab that was asleep may not have followed the other one: both games stay
    const isBehind = this.isBehind;
    if (isBehind) this.entry = newId();
    this.kept = lines.join();
    const isKept = this.games.keep({
      id: this.entry,
      key: this.key,
      asked,
      name,
      lines,
      undone,
      score,
      over,
      seen: this.seen,
      when: new Date().toISOString(),
    });
    if (isBehind) this.add("Another tab went on with this game in another way: both games are in My games.");
    if (!isKept) this.add("This browser keeps no games: keep the address of this page, which holds yours.");
  }

  // add a sentence to the message
  add(sentence) {
    this.play.tell(`${id("message").textContent} ${sentence}`);
  }

  // begin the row again; the game so far stays among the user's games
  startOver() {
    const { game } = this.play;
    if (this.entry !== null) this.entry = newId();
    this.play.goTo(
      game.turns,
      0,
      this.entry === null ? "" : "Your game is kept in My games; Redo brings its turns back.",
    );
  }

  // the address holds the game
  address() {
    const { asked, game } = this.play;
    try {
      const own = this.entry && { id: this.entry, seen: this.seen };
      history.replaceState({ ...history.state, own }, "", `#${toFragment(asked, game.lines())}`);
    } catch {
      // some browsers limit how often the address changes
    }
  }

  push(fragment) {
    const state = { view: "play" };
    if (location.hash.slice(1) !== fragment || history.state?.view !== state.view)
      history.pushState(state, "", `#${fragment}`);
  }

  // open the game of an address; return a message if it names none
  openAddress(hash) {
    const named = fromFragment(hash);
    if (named) return this.open(named.asked, named.lines, false);
    const wrong = hash && "The address names no row: a part of it may be missing.";
    if (hash && this.play.game) this.play.tell(wrong, true);
    return wrong;
  }

  // a line above the row while a game is only looked at
  showVisit() {
    id("visit").hidden = !this.isVisit;
    if (!this.isVisit) return;
    const own = this.games.lastOn(this.key);
    const back = this.before ?? (own?.lines.length ? { asked: own.asked, lines: own.lines, isOwn: true } : null);
    const label = back && `Back to ${back.isOwn ? "your game" : "the game"} of ${counted(back.lines.length, "turn")}`;
    const goBack = () => {
      this.before = null;
      this.open(back.asked, back.lines);
    };
    const on = this.play.isOver ? "" : " Playing a turn goes on with it.";
    fill(id("visit"), h("span", `Not your own game.${on}`), back && button(label, goBack));
  }
}
