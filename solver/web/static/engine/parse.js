// The lines of an answer in the challenge's format, as verify/replay/parse.py reads them. A fault has its line, from 1, or 0 for the
// answer as a whole.

import { counted, lower, quote } from "./text.js";

const CLAIM = /^# ?(?:total )?score ?[:=]? ?([+-]?[0-9][0-9,]*(?:\.[0-9]*)?)(?: ?(?:points|pts)\.?)?$/i;
const PUZZLE = /^#\s*puzzle(?:\s*[:=]\s*|\s+)(\S.*)$/i;
const ROW = /^# ?row(?: ?[:=] ?| )(\S+)$/i;
const LONGEST_LINE = 10_000; // characters
const EMPTY = { line: 0, code: "empty", message: "no turn: expected lines such as '6 s?l?mnize solemnize'" };

// lines: [number, text]; returns { turns, claims, puzzle, row, faults }, where turns are { line, left, play, word, malformed }
export function parse(lines) {
  const answer = { turns: [], claims: [], puzzle: null, row: null, faults: [] };
  for (const [number, raw] of lines) {
    const line = raw.trim();
    if (line.startsWith("#")) readComment(answer, number, line);
    else if (line) readTurn(answer, number, line);
  }
  if (!answer.turns.length && !answer.faults.length) answer.faults.push(EMPTY);
  return answer;
}

export const numbered = (text) => text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/).map((line, at) => [at + 1, line]);

export const isHeader = (line) => PUZZLE.test(line) || ROW.test(spaced(line));
const spaced = (line) => line.split(/\s+/).join(" ");

function readComment(answer, number, line) {
  const comment = spaced(line);
  const claim = CLAIM.exec(comment);
  if (claim) {
    const text = claim[1].replaceAll(",", "").replace(/\.$/, "");
    answer.claims.push([number, /^[+-]?[0-9]{1,9}$/.test(text) ? Number(text) : claim[1]]);
  } else if (PUZZLE.test(line)) answer.puzzle ??= PUZZLE.exec(line)[1];
  else if (ROW.test(comment)) answer.row ??= lower(ROW.exec(comment)[1]);
}

function readTurn(answer, number, line) {
  const fault = (message) => answer.faults.push({ line: number, code: "malformed-line", message });
  if (line.length > LONGEST_LINE) {
    fault(`${quote(line)} has ${line.length.toLocaleString("en")} characters: expected three fields, left draws, play and word`);
    return;
  }
  let fields = line.split(/\s+/);
  const malformed = fields.length !== 3;
  if (malformed) {
    fault(`${quote(line)} has ${counted(fields.length, "field")}: expected three, left draws, play and word`);
    fields = likely(fields);
  }
  const [left, play, word] = fields;
  answer.turns.push({ line: number, left, play: lower(play), word: lower(word), malformed });
}

// three fields from more or fewer: a single word is play and word, and a missing number stays empty
function likely(fields) {
  if (fields.length > 3) return fields.slice(0, 3);
  const isCount = /^\d/.test(fields[0]);
  if (fields.length === 2 && !isCount) return ["", ...fields];
  const other = (isCount ? fields[1] : fields[0]) ?? "";
  return [isCount ? fields[0] : "", other, other];
}
