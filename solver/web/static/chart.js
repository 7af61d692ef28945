// A line chart with two axes, as SVG.

import { s } from "./dom.js";

const WIDE = 360;
const TALL = 150;
const [LEFT, RIGHT, TOP, BOTTOM] = [38, 8, 8, 24];

// curves: [{ name, points: [[x, y], ...] }]; click: called with the x of a point
export function chart(curves, { x, y, click }) {
  const all = curves.flatMap((curve) => curve.points);
  if (!all.length) return null;
  const [lowX, highX] = extent(all.map((point) => point[0]));
  const [lowY, highY] = extent(all.map((point) => point[1]));
  const atX = (value) => LEFT + ((value - lowX) / (highX - lowX || 1)) * (WIDE - LEFT - RIGHT);
  const atY = (value) => TALL - BOTTOM - ((value - lowY) / (highY - lowY || 1)) * (TALL - TOP - BOTTOM);
  const text = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(1));
  return s(
    "svg",
    { viewBox: `0 0 ${WIDE} ${TALL}`, class: "chart", role: "img", "aria-label": `${y} by ${x}: ${curves.map((curve) => `${curve.name} from ${curve.points[0][1]} to ${curve.points.at(-1)[1]}`).join("; ")}` },
    s("line", { x1: LEFT, y1: TALL - BOTTOM, x2: WIDE - RIGHT, y2: TALL - BOTTOM, class: "axis" }),
    s("line", { x1: LEFT, y1: TOP, x2: LEFT, y2: TALL - BOTTOM, class: "axis" }),
    s("text", { x: LEFT - 4, y: TOP + 8, "text-anchor": "end" }, text(highY)),
    s("text", { x: LEFT - 4, y: TALL - BOTTOM, "text-anchor": "end" }, text(lowY)),
    s("text", { x: LEFT, y: TALL - 8 }, text(lowX)),
    s("text", { x: WIDE - RIGHT, y: TALL - 8, "text-anchor": "end" }, `${text(highX)} ${x}`),
    curves.map((curve, number) => [
      s("polyline", { points: curve.points.map((point) => `${atX(point[0])},${atY(point[1])}`).join(" "), class: `curve curve-${number}` }),
      curve.points.map((point) =>
        s("circle", { cx: atX(point[0]), cy: atY(point[1]), r: click ? 5 : 2, class: `mark curve-${number}${click ? " active" : ""}`, onclick: click && (() => click(point[0])) },
          s("title", {}, `${x} ${text(point[0])}: ${point[1]}`))),
    ]),
  );
}

const extent = (values) => [Math.min(...values), Math.max(...values)];
