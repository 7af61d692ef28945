// A still picture of a valid game, as SVG: the picture that solver/show/games.py draws.

import { linesOf } from "./shown.js";
import { counted } from "./text.js";

const COLUMNS = 50;
const TILE = 17;
const MARGIN = 14;
const LINE = 27;
const INK = "#1c1b19";
const SOFT = "#5c5850";
const RULE = "#d9d4c8";

const escaped = (text) =>
  text.replace(/[&<>"']/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" })[sign]);
// numbers that are not whole have a point in Python, whatever their value
const real = (number) => (Number.isInteger(number) ? `${number}.0` : String(number));

// the row, coloured by the turn that drew each tile, then a line for each turn: draws, play, points and total
export function pictureOf(game) {
  const width = 2 * MARGIN + COLUMNS * TILE;
  const top = MARGIN + 26;
  const turnsAt = top + Math.ceil(game.row.length / COLUMNS) * (TILE + 9) + 14;
  const height = turnsAt + game.turns.length * LINE + MARGIN;
  const title = `${counted(game.score, "point")} in ${counted(game.turns.length, "turn")} on ${game.puzzle}`;
  const drawn = new Map();
  game.turns.forEach(({ left, right }, number) => {
    for (const place of left) drawn.set(place, [number + 1, "left"]);
    for (const place of right) drawn.set(place, [number + 1, "right"]);
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
      `font-family="system-ui, sans-serif" role="img" aria-label="${escaped(title)}">`,
    `<metadata class="rowdraw-game">\n${escaped(game.comments)}${linesOf(game)
      .map((line) => `${line}\n`)
      .join("")}</metadata>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#fbfaf7"/>`,
    text(MARGIN, MARGIN + 10, title, { size: 15, weight: 650, fill: INK }),
    ...[...game.row].flatMap((tile, place) => rowTile(tile, place, top, drawn)),
    ...game.turns.flatMap((turn, number) => turnLine(turnsAt + number * LINE, number + 1, turn, drawn)),
    "</svg>",
    "",
  ].join("\n");
}

function rowTile(tile, place, top, drawn) {
  const x = MARGIN + (place % COLUMNS) * TILE;
  const y = top + Math.floor(place / COLUMNS) * (TILE + 9);
  const [turn, side] = drawn.get(place) ?? [0, ""];
  if (!turn) return [tileAt(x, y, tile, 0)];
  return [
    tileAt(x, y, tile, turn),
    `<rect x="${side === "left" ? x : x + TILE - 4}" y="${y}" width="2" height="${TILE - 2}" fill="${INK}"/>`,
    text(real(x + TILE / 2 - 1), y + TILE + 5, String(turn), { size: 7, fill: SOFT, anchor: "middle" }),
  ];
}

function turnLine(y, number, turn, drawn) {
  const play = turn.play.flatMap((played, at) => {
    const x = MARGIN + 116 + at * (TILE + 1);
    const points = String(played.position * played.value);
    return [
      tileAt(x, y, played.letter, drawn.get(played.place)?.[0] ?? 0, played.tile === "?"),
      text(real(x + TILE / 2 - 1), y + TILE + 5, points, { size: 7, fill: SOFT, anchor: "middle" }),
    ];
  });
  return [
    text(MARGIN + 16, y + 13, String(number), { size: 11, fill: SOFT, anchor: "end" }),
    text(MARGIN + 26, y + 13, `${turn.left.length} left, ${turn.right.length} right`, { size: 11, fill: SOFT }),
    ...play,
    ...(turn.bonus
      ? [text(MARGIN + 120 + turn.play.length * (TILE + 1), y + 13, `+ ${turn.bonus}`, { size: 11, fill: SOFT })]
      : []),
    text(MARGIN + 470, y + 13, turn.word, { size: 12, fill: INK }),
    text(MARGIN + 640, y + 13, `+${turn.score}`, { size: 12, fill: INK, anchor: "end" }),
    text(MARGIN + 700, y + 13, String(turn.total), { size: 12, weight: 650, fill: INK, anchor: "end" }),
    text(MARGIN + 712, y + 13, "", { size: 11, fill: "#b3261e" }),
  ];
}

function tileAt(x, y, letter, turn, isBlank = false) {
  const hue = ((turn - 1) * 137.5) % 360;
  const [fill, stroke] = turn ? [`hsl(${hue}, 62%, 84%)`, `hsl(${hue}, 40%, 55%)`] : ["#ffffff", RULE];
  const style = isBlank ? `fill="${SOFT}" font-style="italic"` : `fill="${INK}"`;
  return (
    `<rect x="${x}" y="${y}" width="${TILE - 2}" height="${TILE - 2}" rx="2" fill="${fill}" stroke="${stroke}"/>` +
    `<text x="${real(x + TILE / 2 - 1)}" y="${y + 11.5}" font-size="11" text-anchor="middle" ${style}>` +
    `${escaped(letter.toUpperCase())}</text>`
  );
}

const text = (x, y, words, { size, fill, anchor = "start", weight = 400 }) =>
  `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}">` +
  `${escaped(words)}</text>`;
