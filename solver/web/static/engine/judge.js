// The page's referee: the rules of the game, and a reader of plain answers. It guesses at nothing: whatever it cannot
// read for certain it refuses, and names the line. `rowdraw verify` reads posts, and all rules that an answer can state.

import { Refused } from "../failures.js";
import { draw, drawSize, opening, score, sorted, spells, without } from "../rules.js";
import { quote } from "./text.js";

const EXAMPLE = "6 s?l?mnize solemnize";
const UNREAD =
  `this is more than a plain answer, which has turns such as ${EXAMPLE}, and perhaps # puzzle, # row or # score. ` +
  "Use rowdraw verify.";
// one case in each field: in a post, a word of capitals and small letters may mean blanks
const TURN = /^[ \t]*(\d+)[ \t]+([a-z?]+|[A-Z?]+)[ \t]+([a-z]+|[A-Z]+)[ \t]*$/;
// a comment that is not a mere remark
const STATEMENT = /^#\s*(?:puzzle|row|rack|values|bonus|words|(?:total\s+)?score|total|answer)\b/i;
const PUZZLE = /^#\s*(puzzle|row)(?:\s*[:=]\s*|\s+)(\S+)$/i;
const CLAIM = /^#\s*(?:total\s+)?score(?:\s*[:=]\s*|\s+)(\d{1,9})(?:\s+points)?$/i;

// the turn in a line: { count: its left draws, play, word }, or null
function turnIn(text) {
  const found = TURN.exec(text);
  return found && { count: found[1], play: found[2].toLowerCase(), word: found[3].toLowerCase() };
}

// turns from lines of a game; one that cannot be read is a fault of the game
export const turnsIn = (lines) => lines.map((text, at) => ({ line: at + 1, ...turnIn(text) }));

// Replay turns up to the first that the rules forbid. rules: { row, rack, values, bonus, has, whereListed }, the row as
// text and `has` whether a word is in the list. Returns { turns: the legal ones, score, fault: { line, code, message }
// or null, faulty: the turn of the fault, if its tiles could be drawn }; line 0 is the answer as a whole
export function replay(rules, turns) {
  const legal = [];
  let at = opening(rules);
  let total = 0;
  for (const { line, count, play, word } of turns) {
    const left = Number(count);
    const stop = (code, message, faulty = null) => {
      return { turns: legal, score: total, fault: { line, code, message }, faulty };
    };
    if (word === undefined)
      return stop("malformed-line", `no turn: expected left draws, tiles and word, as in ${EXAMPLE}`);
    if (at.start === at.end && !at.leave) return stop("after-end", "the game has ended: row and rack are empty");
    const most = drawSize(rules, at);
    if (left > most) return stop("too-many-draws", `${quote(count)} left draws: expected at most ${most}`);
    const drawn = draw(rules, at, left);
    const { rack } = drawn;
    const points = score(rules, play);
    const turn = { ...drawn, line, play, word, score: points, total: total + points };
    const leave = without(rack, play);
    if (leave === null) return stop("not-on-rack", `${quote(play)} is not on the rack ${quote(sorted(rack))}`, turn);
    if (!spells(play, word)) return stop("play-word-mismatch", `${quote(play)} does not spell ${quote(word)}`, turn);
    if (!rules.has(word))
      return stop("unknown-word", `${quote(word)} is not in the word list${rules.whereListed(word)}`, turn);
    legal.push(turn);
    total += points;
    at = { start: drawn.start, end: drawn.end, leave };
  }
  return { turns: legal, score: total, fault: null, faulty: null };
}

// A plain answer: { asked: the puzzle that it names, or null, turns, claims: [{ line, score }], hasGap: whether an
// empty line stands between two turns }. Throws `Refused` at the first line that is anything else
export function read(text) {
  const answer = { asked: null, turns: [], claims: [], hasGap: false };
  let isGap = false;
  for (const [at, line] of text
    .replace(/^\ufeff/, "")
    .split(/\r\n|\r|\n/)
    .entries()) {
    const turn = turnIn(line);
    const comment = line.trim();
    // a claim between turns is one of the points so far, or the end of an answer
    const isRead = turn
      ? !(answer.claims.at(-1)?.line > answer.turns[0]?.line)
      : isRemark(comment) || states(answer, at + 1, comment);
    if (!isRead) throw new Refused(`Line ${at + 1}, ${quote(comment)}: ${UNREAD}`);
    if (turn) {
      answer.hasGap ||= isGap && answer.turns.length > 0;
      answer.turns.push({ line: at + 1, ...turn });
      isGap = false;
    }
    isGap ||= !comment;
  }
  return answer;
}

const isRemark = (comment) => !comment || (comment.startsWith("#") && !STATEMENT.test(comment));

// take over what a comment states; false if it is not read for certain
function states(answer, line, comment) {
  const claim = CLAIM.exec(comment);
  if (claim) {
    answer.claims.push({ line, score: Number(claim[1]) });
    return true;
  }
  const puzzle = PUZZLE.exec(comment);
  if (!puzzle || answer.asked || answer.turns.length) return false;
  answer.asked = puzzle[1].toLowerCase() === "row" ? { row: puzzle[2].toLowerCase() } : { name: puzzle[2] };
  return true;
}

// The verdict on an answer, as `replay` returns it. Throws `Refused` if the turn of its fault may begin another answer
export function judge(answer, rules) {
  const { turns, claims } = answer;
  if (!turns.length)
    return {
      ...replay(rules, []),
      fault: { line: 0, code: "empty", message: `no turn: expected lines such as ${EXAMPLE}` },
    };
  const game = replay(rules, turns);
  if (game.fault) {
    const turn = turns[game.turns.length];
    if (answer.hasGap || !replay(rules, [turn]).fault) {
      throw new Refused(
        `Line ${turn.line}: ${game.fault.message}. ` +
          "If these are several answers, give one at a time, or use rowdraw verify.",
      );
    }
    return game;
  }
  const wrong = claims.find((claim) => claim.score !== game.score);
  const fault = wrong && {
    line: wrong.line,
    code: "score-claim",
    message: `claims a score of ${wrong.score}: expected ${game.score}`,
  };
  return { ...game, fault: fault ?? null };
}
