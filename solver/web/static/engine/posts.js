// Answers in posts: turns between other lines, behind list marks, in fences and tables; and several answers one below the other.
// The referee of `rowdraw verify` reads many more kinds of posts.

import { isHeader, numbered, parse } from "./parse.js";
import { difference, judge } from "./referee.js";

const MARKS = /^(?:\s|>|`|~|\|)*(?:(?:[-*+•]|\d{1,3}[.):])\s+)?(?:`|\|)?\s*/; // quotes, fences, tables, bullets and numbers before a turn
const TURN = /^(\d{1,2})(?:\s+|\s*\|\s*|\s*,\s*)`?([a-z?]+)`?(?:\s+|\s*\|\s*|\s*,\s*)`?([a-z]+)`?(?![a-z?'])(.*)$/i;
const LIKENESS = 0.6;
const ANSWER = /^# ?answer [0-9]{1,9}(?::.*)?$/i; // what `rowdraw solve --top` writes before each
const NAMES = [
  /^(?:\[[–—+-]\]\s*)?(\/?u\/[\w-]{1,40})(?![\w/])/i,
  /^(?:\[[–—+-]\]\s*)?@?([\w.-]{1,50})(?:\s+\[?(?:OP|MOD)\]?)?\s*[•·]\s*(?:just now|(?:edited\s+)?\d{1,4}\s?[a-z]{1,7}\.?(?: ago)?)\b/i,
  /^(?:\[[–—+-]\]\s*)?([\w-]{1,40})\s+-?\d+ points?\b.*\bago\b/i,
];

// the turn in a line of a post, as a line of the plain format; null if it has none
function turnIn(line) {
  const found = TURN.exec(line.replace(MARKS, ""));
  if (!found) return null;
  const [, left, play, word, rest] = found;
  return isLike(play.toLowerCase(), word.toLowerCase()) && !/^\s+[a-z]{2,} [a-z]{2,}/i.test(rest) ? `${left} ${play} ${word}` : null;
}

// whether tiles are meant to spell a word, perhaps with a slip: most of them stand there, counted from both ends
function isLike(play, word) {
  const shorter = Math.min(play.length, word.length);
  const same = (at, its) => play.at(at) === "?" || play.at(at) === word.at(its);
  let first = 0;
  while (first < shorter && same(first, first)) first++;
  let last = 0;
  while (last < shorter - first && same(-1 - last, -1 - last)) last++;
  return first + last >= LIKENESS * Math.max(play.length, word.length);
}

export function nameIn(line) {
  const found = NAMES.map((form) => form.exec(line.trim())).find(Boolean);
  return found ? found[1].replace(/^\/?u\//i, "u/") : "";
}

// Runs of turns without other lines between them: [{ name, title, lines }], lines as [number, text]. A comment belongs to the turns
// above it, unless it begins an answer.
function pieces(lines) {
  const found = [];
  let piece = null;
  let comments = []; // before the turns that they are about
  let name = "";
  for (const [number, text] of lines) {
    const line = text.trim();
    const turn = turnIn(line);
    if (turn) {
      if (!piece) found.push((piece = { name, lines: comments }));
      piece.lines.push([number, turn]);
      comments = [];
      name = "";
    } else if (line.startsWith("#") && !isHeader(line) && !ANSWER.test(line)) {
      (piece?.lines ?? comments).push([number, line]);
    } else {
      piece = null;
      if (line.startsWith("#")) comments.push([number, line]);
      if (ANSWER.test(line)) name = line.replace(/^#\s*/, "");
      name = nameIn(line) || name;
    }
  }
  return found;
}

// Verdicts on all answers in a text, each with the rules that it was judged by: [{ verdict, rules, name }]. rulesOf: the rules for a
// parsed answer, with a `fault` where there are none
export function judgeAll(text, rulesOf) {
  const lines = numbered(text);
  const judged = (some, name = "") => {
    const answer = parse(some);
    const rules = rulesOf(answer);
    if (rules.fault) answer.faults.push({ line: 0, code: "unknown-puzzle", message: rules.fault });
    return { verdict: judge(answer, rules), rules, name };
  };
  const plain = judged(lines);
  const parts = pieces(lines);
  if (plain.verdict.valid || !parts.length) return [plain];
  const answers = [];
  for (const piece of parts) {
    const before = answers.at(-1);
    if (before && !begins(piece, before, judged)) before.lines.push(...piece.lines);
    else answers.push({ name: piece.name, lines: [...piece.lines] });
  }
  const isPlain = lines.every(([, line]) => /^\s*(?:$|#|[-+]?\d+(?![\d.):])|\S+\s+\S+\s+\S+\s*$)/.test(line));
  return answers.length === 1 && isPlain ? [plain] : answers.map((answer) => judged(answer.lines, answer.name));
}

// whether a piece begins another answer, rather than going on with the one before
function begins(piece, before, judged) {
  if (piece.name || piece.lines.some(([, line]) => isHeader(line) || ANSWER.test(line))) return true;
  const alone = judged(piece.lines).verdict;
  if (alone.valid) return true;
  const { verdict, rules } = judged(before.lines);
  const [first] = alone.turns;
  const last = verdict.turns.at(-1);
  if (!first || !last) return false;
  const rest = last.row.slice(last.left.length, last.row.length - last.right.length);
  const held = difference(last.play, last.rack).rest;
  const goesOn = judge({ turns: [{ ...first, left: String(first.left.length), malformed: false }], claims: [], faults: [] }, { ...rules, row: rest, held });
  return alone.faults.every((fault) => fault.line !== first.line) && goesOn.faults.length > 0;
}
