// Answers about puzzles and games, as solver/web/position.py gives them.

import { ClosedIndex } from "./closed.js";
import { FORMS } from "./forms.js";
import { afterAll, choices, drawn } from "./hand.js";
import { parse } from "./parse.js";
import { PlayFinder } from "./plays.js";
import { judgeAll } from "./posts.js";
import { difference, judge } from "./referee.js";
import { Scoring } from "./scoring.js";
import { shownGame } from "./shown.js";
import { shuffled } from "./shuffle.js";
import { counted, quote } from "./text.js";
import { CLOSED, codesOf, decode, encode } from "./tiles.js";

const PLAYS = 30; // best plays of a rack
const LONGEST_ROW = 400; // tiles
const MOST_SEED = 1e9;
const MOST_TEXT = 200_000; // characters of answers to judge
const CHALLENGE = "challenge";

export class RequestError extends Error {}

export class Desk {
  // data: { puzzles: by name { row, rack, values, bonus, bound, turns }, own: the puzzle of a server, likewise and with its `name`,
  // or null, words: the name and digest of the word list, positions, otherCopies }; ownLexicon: the words of `own`
  constructor(data, lexicon, ownLexicon = lexicon) {
    Object.assign(this, { data, lexicon, ownLexicon });
    this.tables = new Map(); // finders and indexes, by the rules that they depend on
  }

  // the puzzle that `asked` names: { row } as text, { codes } the same as codes, and what its rules give
  problem(asked) {
    const [[kind, value]] = Object.entries(asked);
    const { puzzles, own } = this.data;
    if (kind === "own") return own ? this.problemOf(own.name, own, asked, this.ownLexicon) : this.problemOf(CHALLENGE, puzzles[CHALLENGE], { name: CHALLENGE });
    if (kind === "name") {
      if (!Object.hasOwn(puzzles, value)) throw new RequestError(`${quote(value)}: no bundled puzzle`);
      return this.problemOf(value, puzzles[value], asked);
    }
    const rules = puzzles[CHALLENGE];
    if (kind === "seed") {
      if (!Number.isInteger(value) || value < 0 || value > MOST_SEED) throw new RequestError(`seed ${value}: expected 0 to ${MOST_SEED.toLocaleString("en")}`);
      return this.problemOf(`seed ${value}`, { ...rules, row: shuffled(rules.row, value), turns: [], bound: null }, asked);
    }
    const row = value.toLowerCase();
    if (!row.length || row.length > LONGEST_ROW) throw new RequestError(`the row has ${counted(row.length, "tile")}: expected 1 to ${LONGEST_ROW}`);
    const wrong = [...row].findIndex((tile) => !/^[a-z?]$/.test(tile));
    if (wrong >= 0) {
      const what = `${quote([...value][wrong])} at place ${wrong + 1} of ${quote(value)} is not a tile`;
      throw new RequestError(`the row: ${what}: expected letters a to z and ? for a blank`);
    }
    const [known] = Object.values(puzzles).filter((puzzle) => puzzle.row === row);
    return this.problemOf("a row of your own", { ...rules, row, turns: known?.turns ?? [], bound: known?.bound ?? null }, asked);
  }

  problemOf(name, puzzle, asked, lexicon = this.lexicon) {
    const { row, rack, values, bonus } = puzzle;
    const key = JSON.stringify([rack, values, bonus, lexicon === this.lexicon]);
    if (!this.tables.has(key)) this.tables.set(key, new Tables(lexicon, values, rack, bonus));
    const rules = { name, row, rack, values, bonus, has: (word) => lexicon.has(word), whereListed: (word) => this.whereListed(word, lexicon) };
    return { ...puzzle, name, asked, codes: encode(row), rules, tables: this.tables.get(key) };
  }

  whereListed(word, lexicon) {
    return lexicon === this.lexicon && this.data.otherCopies.includes(word) ? "; copies of enable1 with 172,823 words hold it, the copy that the challenge links does not" : "";
  }

  puzzleOf(asked) {
    const { asked: address, name, row, rack, values, bonus, turns, bound } = this.problem(asked);
    // the page's own files are all that the digest has to tell apart
    const digest = JSON.stringify([row, rack, values, bonus, this.data.words.words_hash]);
    return { asked: address, digest, name, row, rack, values, bonus, game: turns, bound, solvable: rack <= CLOSED };
  }

  verdictOn(problem, lines) {
    return judge(parse(lines.map((line, at) => [at + 1, line])), problem.rules);
  }

  // the turns of a game: [{ left, tiles, word, score }]; throws the referee's first fault
  turnsOf(problem, lines) {
    const verdict = this.verdictOn(problem, lines);
    if (lines.length && !verdict.valid) throw new RequestError(verdict.faults[0].message);
    return verdict.turns.map(turnOf);
  }

  positionOf(asked, lines) {
    const problem = this.problem(asked);
    const verdict = this.verdictOn(problem, lines);
    const faults = lines.length ? verdict.faults.map(({ line, message }) => ({ line, message })) : [];
    const stop = Math.min(...faults.map((fault) => fault.line), lines.length + 1);
    const legal = verdict.turns.filter((turn) => turn.line < stop);
    const last = legal.at(-1);
    return { turns: legal.map(turnOf).map(lineOf), faults, score: last?.score ?? 0, total: last?.total ?? 0, over: !this.canPlay(problem, legal.map(turnOf)) };
  }

  // the racks after every draw that leads to another hand
  racks(problem, turns) {
    const game = { row: problem.codes, rack: problem.rack };
    const hand = afterAll(game, turns);
    return Array.from({ length: choices(game, hand) }, (_, left) => drawn(game, hand, left).leave);
  }

  canPlay(problem, turns) {
    return this.racks(problem, turns).some((rack) => problem.tables.finder.best(rack).length > 0);
  }

  playsOf(asked, lines) {
    const problem = this.problem(asked);
    return this.racks(problem, this.turnsOf(problem, lines)).map((counts, left) => {
      const rack = [...decode(codesOf(counts))].sort().join("");
      return { left, rack, plays: problem.tables.finder.best(counts, PLAYS).map((play) => ({ ...play, leave: difference(play.tiles, rack).rest })) };
    });
  }

  // all answers in a text, each judged on the puzzle that it names, or else on this one: [{ verdict, rules, name, asked }]
  judged(asked, text) {
    if (text.length > MOST_TEXT) throw new RequestError(`text: expected at most ${MOST_TEXT.toLocaleString("en")} characters`);
    const here = this.problem(asked);
    return judgeAll(text, (answer) => this.rulesOf(answer, here)).map((judged) => ({ ...judged, asked: judged.rules.asked }));
  }

  rulesOf({ puzzle, row }, here) {
    const problem = () => {
      if (row !== null) return row === here.row ? here : this.problem({ row });
      return puzzle === null ? here : this.problem({ name: puzzle });
    };
    try {
      const { rules, asked } = problem();
      return { ...rules, asked };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return { ...here.rules, asked: null, fault: error.message };
    }
  }

  verdictsOn(asked, text) {
    return this.judged(asked, text).map(({ verdict, rules, name, asked: on }) => ({
      asked: on, name, puzzle: rules.name, valid: verdict.valid, score: verdict.score, turns: verdict.turns.map(turnOf).map(lineOf),
      faults: verdict.faults.map(({ line, message, follows }) => ({ line, message, follows: follows !== null })),
    }));
  }

  gameIn(asked, text, number) {
    const games = this.judged(asked, text);
    if (!games[number]) throw new RequestError(`number: expected 0 to ${games.length - 1}`);
    return shownGame(games[number]);
  }

  gameAs(asked, lines, form) {
    const problem = this.problem(asked);
    this.turnsOf(problem, lines);
    if (!Object.hasOwn(FORMS, form)) throw new RequestError(`form: expected ${Object.keys(FORMS).join(", ")}`);
    const { row, rack, values, bonus } = problem;
    const stated = { comments: this.comments(problem), rules: { row, rack, values, bonus, ...this.data.words } };
    return FORMS[form]({ ...shownGame({ verdict: this.verdictOn(problem, lines), rules: problem.rules, name: "game" }), ...stated });
  }

  // the comments with which an answer states its row; none for the challenge
  comments({ name, row }) {
    const { puzzles } = this.data;
    if (row === puzzles[CHALLENGE].row) return "";
    return puzzles[name] ? `# puzzle ${name}\n` : `# row ${row}\n`;
  }

  recordBook() {
    return Object.entries(this.data.puzzles).map(([puzzle, { turns, bound }]) => {
      const problem = this.problem({ name: puzzle });
      return { puzzle, best: this.verdictOn(problem, turns).score, bound, turns };
    });
  }
}

// the indexes of the words under one scoring, each made at its first use
class Tables {
  #finder = null;
  #index = null;

  constructor(lexicon, values, rack, bonus) {
    this.lexicon = lexicon;
    this.rack = rack;
    this.scoring = new Scoring(values, rack, bonus);
  }

  get finder() {
    return (this.#finder ??= new PlayFinder(this.lexicon, this.scoring));
  }

  get index() {
    return (this.#index ??= new ClosedIndex(this.lexicon, this.scoring, this.rack));
  }
}

const turnOf = ({ left, play, word, score }) => ({ left: left.length, tiles: play, word, score });
export const lineOf = ({ left, tiles, word }) => `${left} ${tiles} ${word}`;
