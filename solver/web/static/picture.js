// A game as a picture to save: the row, coloured by the turn that drew each tile, and a line for each turn.

import { shown } from "./api.js";
import { h } from "../view/dom.js";
import { hue } from "../view/games.js";
import { counted, download, messageOf } from "./page.js";

const SCALE = 2; // so that the picture is sharp on fine screens
const COLUMNS = 50;
const TILE = 17;
const MARGIN = 14;
const LINE = 27;
const INK = "#1c1b19";
const SOFT = "#5c5850";

// Save the picture. Return a message if that fails.
export async function savePicture({ asked, game }, name) {
  try {
    const canvas = drawn(await shown(asked, game.lines()), name);
    const blob = await new Promise((done) => canvas.toBlob(done));
    if (!blob) return "This browser cannot draw the picture.";
    download(`rowdraw-${game.score}.png`, blob);
    return "";
  } catch (error) {
    return messageOf(error);
  }
}

function drawn({ row, score, turns }, name) {
  const turnsAt = MARGIN + 40 + Math.ceil(row.length / COLUMNS) * (TILE + 9);
  const width = 2 * MARGIN + COLUMNS * TILE;
  const height = turnsAt + turns.length * LINE + MARGIN;
  const canvas = h("canvas", { width: width * SCALE, height: height * SCALE });
  const context = canvas.getContext("2d");
  const text = (words, x, y, size, { align = "left", colour = INK, weight = 400 } = {}) => {
    context.font = `${weight} ${size}px system-ui, sans-serif`;
    Object.assign(context, { fillStyle: colour, textAlign: align });
    context.fillText(words, x, y);
  };
  // by the turn that drew it, from 1; 0 if none did
  const tile = (letter, x, y, turn, below, isBlank = false) => {
    context.fillStyle = turn ? `hsl(${hue(turn)}, 62%, 84%)` : "#fff";
    context.strokeStyle = turn ? `hsl(${hue(turn)}, 40%, 55%)` : "#d9d4c8";
    context.fillRect(x, y, TILE - 2, TILE - 2);
    context.strokeRect(x, y, TILE - 2, TILE - 2);
    const middle = x + TILE / 2 - 1;
    text(letter.toUpperCase(), middle, y + 11.5, 11, { align: "center", colour: isBlank ? SOFT : INK });
    text(below, middle, y + TILE + 5, 7, { align: "center", colour: SOFT });
  };
  context.scale(SCALE, SCALE);
  context.fillStyle = "#fbfaf7";
  context.fillRect(0, 0, width, height);
  text(`${counted(score, "point")} in ${counted(turns.length, "turn")} on ${name}`, MARGIN, 24, 15, { weight: 650 });
  const by = new Map(turns.flatMap(({ left, right }, at) => [...left, ...right].map((place) => [place, at + 1])));
  [...row].forEach((letter, place) => {
    const x = MARGIN + (place % COLUMNS) * TILE;
    const y = MARGIN + 26 + Math.floor(place / COLUMNS) * (TILE + 9);
    tile(letter, x, y, by.get(place) ?? 0, by.get(place) ?? "");
  });
  turns.forEach((turn, at) => {
    const y = turnsAt + at * LINE;
    text(at + 1, MARGIN + 16, y + 13, 11, { align: "right", colour: SOFT });
    text(`${turn.left.length} left, ${turn.right.length} right`, MARGIN + 26, y + 13, 11, { colour: SOFT });
    turn.play.forEach(({ letter, tile: laid, place, position, value }, number) => {
      tile(letter, MARGIN + 116 + number * (TILE + 1), y, by.get(place) ?? 0, position * value, laid === "?");
    });
    text(turn.word, MARGIN + 470, y + 13, 12);
    text(`+${turn.score}`, MARGIN + 640, y + 13, 12, { align: "right" });
    text(turn.total, MARGIN + 700, y + 13, 12, { align: "right", weight: 650 });
  });
  return canvas;
}
