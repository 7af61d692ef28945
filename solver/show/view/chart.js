// Charts with two axes, as SVG.

import { s } from "./dom.js";

const WIDE = 380;
const TALL = 150;
const [LEFT, RIGHT, TOP, BOTTOM] = [36, 38, 10, 22];
const FLOOR = TALL - BOTTOM;

const extent = (values) => [Math.min(...values), Math.max(...values)];
const text = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(1));
const axis = (x1, y1, x2, y2) => s("line", { x1, y1, x2, y2, class: "axis" });
const svg = (label, ...children) =>
  s("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, class: "chart", role: "img", "aria-label": label }, children);

// A curve through marks { x, y, title }. number: its place among the curves; click: called with the place of a mark, from
// 0; first: the turn of the first mark, if they stand for turns, of which turn 0 is not marked; isStairs: whether a value
// lasts until the next one
function curve(number, marks, { click, first = null, isStairs = false }) {
  const corners = marks.flatMap(({ x, y }, at) =>
    isStairs && at
      ? [
          [x, marks[at - 1].y],
          [x, y],
        ]
      : [[x, y]],
  );
  const mark = ({ x, y, title }, at) => {
    const kind = `mark curve-${number}${click ? " active" : ""}`;
    const turn = first === null ? null : at + first;
    const look = {
      cx: x,
      cy: y,
      r: click ? 3.5 : 2,
      class: kind,
      "data-turn": turn,
      onclick: click && (() => click(at)),
    };
    return turn === 0 ? null : s("circle", look, s("title", title));
  };
  return [s("polyline", { points: corners.join(" "), class: `curve curve-${number}` }), marks.map(mark)];
}

const spoken = ({ name, points }) => `${name} from ${points[0][1]} to ${points.at(-1)[1]}`;

// curves: [{ name, points: [[x, y], ...] }]; click: called with the x of a point; steps: whether a value lasts until
// the next point
export function chart(curves, { x, y, click, steps = false }) {
  const all = curves.flatMap((curve) => curve.points);
  if (!all.length) return null;
  const [lowX, highX] = extent(all.map((point) => point[0]));
  const [lowY, highY] = extent(all.map((point) => point[1]));
  const atX = (value) => LEFT + 6 + ((value - lowX) / (highX - lowX || 1)) * (WIDE - LEFT - 20);
  const atY = (value) =>
    highY === lowY ? (TOP + FLOOR) / 2 : FLOOR - ((value - lowY) / (highY - lowY)) * (FLOOR - TOP);
  return svg(
    `${y} by ${x}: ${curves.map(spoken).join("; ")}`,
    axis(LEFT, FLOOR, WIDE - 8, FLOOR),
    axis(LEFT, TOP, LEFT, FLOOR),
    s("text", { x: LEFT - 4, y: atY(highY) + 4, "text-anchor": "end" }, text(highY)),
    highY === lowY ? null : s("text", { x: LEFT - 4, y: FLOOR, "text-anchor": "end" }, text(lowY)),
    s("text", { x: LEFT, y: TALL - 6 }, text(lowX)),
    s("text", { x: WIDE - 8, y: TALL - 6, "text-anchor": "end" }, highX === lowX ? x : `${text(highX)} ${x}`),
    curves.map(({ points }, number) => {
      const marks = points.map(([at, value]) => ({ x: atX(at), y: atY(value), title: `${x} ${text(at)}: ${value}` }));
      return curve(number, marks, { click: click && ((at) => click(points[at][0])), isStairs: steps });
    }),
  );
}

// The points of each turn as bars, by the left axis, and the total as a line, by the right one; of several games the
// totals alone.
// scores: for each game the points of its turns; click: called with the number of a turn, from 1
export function scoreChart(scores, hue, click) {
  const count = Math.max(1, ...scores.map((game) => game.length));
  const totals = scores.map((game) => game.reduce((sums, points) => [...sums, (sums.at(-1) ?? 0) + points], []));
  const most = Math.max(1, ...totals.flat());
  const high = Math.max(1, ...scores.flat());
  const one = scores.length === 1;
  const wide = (WIDE - LEFT - RIGHT) / count;
  const middle = (turn) => LEFT + (turn + 0.5) * wide;
  const every = Math.ceil(count / 16); // numbers below the axis, no more than fit
  const bar = (points, turn) => {
    const tall = (Math.max(0, points) / high) * (FLOOR - TOP);
    return s(
      "g",
      { "data-turn": turn + 1, class: "bar", onclick: () => click(turn + 1) },
      s(
        "rect",
        {
          x: middle(turn) - wide / 2 + 1,
          y: FLOOR - tall,
          width: Math.max(1, wide - 2),
          height: tall,
          hue: hue(turn + 1),
        },
        s("title", `turn ${turn + 1}: ${points} points`),
      ),
    );
  };
  return svg(
    one
      ? "Points of each turn and their total; the table holds the figures"
      : "Totals by turn; the table holds the figures",
    axis(LEFT, FLOOR, WIDE - RIGHT, FLOOR),
    one
      ? [
          axis(LEFT, TOP, LEFT, FLOOR),
          s("text", { x: LEFT - 4, y: TOP + 4, "text-anchor": "end" }, high),
          s("text", { x: LEFT - 4, y: FLOOR, "text-anchor": "end" }, "0"),
        ]
      : null,
    axis(WIDE - RIGHT, TOP, WIDE - RIGHT, FLOOR),
    s("text", { x: WIDE - RIGHT + 4, y: TOP + 4 }, most),
    s("text", { x: WIDE - RIGHT + 4, y: FLOOR }, "0"),
    one ? scores[0].map(bar) : null,
    totals.map((sums, game) => {
      const marks = sums.map((sum, turn) => ({
        x: middle(turn),
        y: FLOOR - (Math.max(0, sum) / most) * (FLOOR - TOP),
        title: `after turn ${turn + 1}: ${sum} in all`,
      }));
      return curve(game, marks, { click: (at) => click(at + 1), first: 1 });
    }),
    Array.from({ length: count }, (_, turn) =>
      turn % every ? null : s("text", { x: middle(turn), y: TALL - 8, "text-anchor": "middle" }, turn + 1),
    ),
    s("text", { x: LEFT - 4, y: TALL - 8, "text-anchor": "end" }, "turn"),
  );
}

// How far each player is ahead after each step, as lines around zero.
// curves: [{ name, leads: the points after each step, from step 0 on }]; click: called with the number of a step, from
// 1
export function leadChart(curves, click) {
  const all = curves.flatMap((curve) => curve.leads);
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
  const last = Math.max(1, ...curves.map((curve) => curve.leads.length - 1));
  const atX = (step) => LEFT + 6 + (step / last) * (WIDE - LEFT - 20);
  const atY = (points) => FLOOR - ((points - low) / (high - low || 1)) * (FLOOR - TOP);
  const label = (points) =>
    s("text", { x: LEFT - 4, y: atY(points) + 4, "text-anchor": "end" }, points > 0 ? `+${points}` : points);
  return svg(
    `Lead after each step: ${curves.map((curve) => `${curve.name} ${curve.leads.at(-1)}`).join("; ")}`,
    axis(LEFT, TOP, LEFT, FLOOR),
    axis(LEFT, atY(0), WIDE - 8, atY(0)),
    [...new Set([low, 0, high])].map(label),
    s("text", { x: WIDE - 8, y: TALL - 6, "text-anchor": "end" }, `${last} steps`),
    curves.map(({ name, leads }, number) => {
      const marks = leads.map((points, step) => ({
        x: atX(step),
        y: atY(points),
        title: `${name}, step ${step}: ${points}`,
      }));
      return curve(number, marks, { click, first: 0 });
    }),
  );
}
