// Charts with two axes, as SVG.

import { s } from "./dom.js";

const WIDE = 380;
const TALL = 150;
const [LEFT, RIGHT, TOP, BOTTOM] = [36, 38, 10, 22];
const FLOOR = TALL - BOTTOM;

const extent = (values) => [Math.min(...values), Math.max(...values)];
const text = (value) => (Number.isInteger(value) ? value : value.toFixed(1));
const axis = (x1, y1, x2, y2) => s("line", { x1, y1, x2, y2, class: "axis" });
const label = (x, y, words, anchor = "end") => s("text", { x, y, "text-anchor": anchor }, words);
const svg = (name, ...children) =>
  s("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, class: "chart", role: "img", "aria-label": name }, children);

// A curve through marks { x, y, title, step }. number: its place among the curves; click: called with the step of a
// mark; isStairs: whether a value lasts until the next one
function curve(number, marks, click, isStairs) {
  const before = (at) => (isStairs && at > 0 ? [[marks[at].x, marks[at - 1].y]] : []);
  const corners = marks.flatMap(({ x, y }, at) => [...before(at), [x, y]]);
  const look = { r: click ? 3.5 : 2, class: `mark curve-${number}${click ? " active" : ""}` };
  const circles = marks.map(({ x, y, title, step }) => {
    const acts = click && { "data-turn": step, onclick: () => click(step) };
    return step === null ? null : s("circle", { ...look, cx: x, cy: y, ...acts }, s("title", title));
  });
  return [s("polyline", { points: corners.join(" "), class: `curve curve-${number}` }), circles];
}

// curves: [{ name, points: [[x, y], ...] }]; click: called with the x of a point; steps: whether a value lasts until
// the next point; isLead: whether the values are above or below zero
export function chart(curves, { x, y, click, steps = false, isLead = false }) {
  const all = curves.flatMap((curve) => curve.points);
  if (!all.length) return null;
  const [lowX, highX] = extent(all.map((point) => point[0]));
  const [lowY, highY] = extent([...all.map((point) => point[1]), ...(isLead ? [0] : [])]);
  const atX = (value) => LEFT + 6 + ((value - lowX) / (highX - lowX || 1)) * (WIDE - LEFT - 20);
  const atY = (value) =>
    highY === lowY ? (TOP + FLOOR) / 2 : FLOOR - ((value - lowY) / (highY - lowY)) * (FLOOR - TOP);
  const ground = isLead ? atY(0) : FLOOR;
  const shown = isLead ? [lowY, 0, highY] : [lowY, highY];
  const marksOf = ({ name, points }) =>
    points.map(([at, value]) => {
      const title = `${isLead ? `${name}, ` : ""}${x} ${text(at)}: ${value}`;
      // before the first step no player leads, so it has no mark
      return { x: atX(at), y: atY(value), title, step: isLead && at === 0 ? null : at };
    });
  const spoken = ({ name, points }) => `${name} from ${points[0][1]} to ${points.at(-1)[1]}`;
  return svg(
    `${y} by ${x}: ${curves.map(spoken).join("; ")}`,
    axis(LEFT, ground, WIDE - 8, ground),
    axis(LEFT, TOP, LEFT, FLOOR),
    [...new Set(shown)].map((value) =>
      label(LEFT - 4, atY(value) + 4, isLead && value > 0 ? `+${value}` : text(value)),
    ),
    label(LEFT, TALL - 6, text(lowX), "start"),
    label(WIDE - 8, TALL - 6, highX === lowX ? x : `${text(highX)} ${x}`),
    curves.map((one, number) => curve(number, marksOf(one), click, steps)),
  );
}

// The points of each turn as bars, by the left axis, and the total as a line, by the right one; of several games the
// totals alone. scores: for each game the points of its turns; click: called with the number of a turn, from 1
export function scoreChart(scores, hue, click) {
  const count = Math.max(1, ...scores.map((game) => game.length));
  const totals = scores.map((game) => game.reduce((sums, points) => [...sums, (sums.at(-1) ?? 0) + points], []));
  const most = Math.max(1, ...totals.flat());
  const high = Math.max(1, ...scores.flat());
  const isOne = scores.length === 1;
  const wide = (WIDE - LEFT - RIGHT) / count;
  const middle = (turn) => LEFT + (turn + 0.5) * wide;
  const heightOf = (points, top) => (Math.max(0, points) / top) * (FLOOR - TOP);
  const every = Math.ceil(count / 16); // numbers below the axis, no more than fit
  const bar = (points, at) => {
    const height = heightOf(points, high);
    const size = { x: middle(at) - wide / 2 + 1, y: FLOOR - height, width: Math.max(1, wide - 2), height };
    const title = s("title", `turn ${at + 1}: ${points} points`);
    return s(
      "g",
      { "data-turn": at + 1, class: "bar", onclick: () => click(at + 1) },
      s("rect", { ...size, hue: hue(at + 1) }, title),
    );
  };
  const markOf = (sum, at) => {
    const title = `after turn ${at + 1}: ${sum} in all`;
    return { x: middle(at), y: FLOOR - heightOf(sum, most), title, step: at + 1 };
  };
  return svg(
    `${isOne ? "Points of each turn and their total" : "Totals by turn"}; the table holds the figures`,
    axis(LEFT, FLOOR, WIDE - RIGHT, FLOOR),
    isOne && [axis(LEFT, TOP, LEFT, FLOOR), label(LEFT - 4, TOP + 4, high), label(LEFT - 4, FLOOR, 0)],
    axis(WIDE - RIGHT, TOP, WIDE - RIGHT, FLOOR),
    label(WIDE - RIGHT + 4, TOP + 4, most, "start"),
    label(WIDE - RIGHT + 4, FLOOR, 0, "start"),
    isOne && scores[0].map(bar),
    totals.map((sums, game) => curve(game, sums.map(markOf), click, false)),
    Array.from({ length: count }, (_, at) => at % every === 0 && label(middle(at), TALL - 8, at + 1, "middle")),
    label(LEFT - 4, TALL - 8, "turn"),
  );
}

// How far each player is ahead after each step. curves: [{ name, leads: the points after each step, from step 0 on }]
export const leadChart = (curves, click) =>
  chart(
    curves.map(({ name, leads }) => ({ name, points: [...leads.entries()] })),
    { x: "steps", y: "Lead", click, isLead: true },
  );
