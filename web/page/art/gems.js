/**
 * Cut stones. A cut is a polygon; its facets are computed and lit from the upper left, so ten
 * kinds differ in shape as well as in colour.
 * @module
 */

import { svg } from "../core/dom.js";

/** @typedef {[number, number]} Point In a square from -1 to 1, y downwards. */

/** @param {number} sides @param {number} [turn] In degrees. @returns {Point[]} */
function regular(sides, turn = -90) {
  return Array.from({ length: sides }, (_, at) => {
    const angle = ((turn + (360 * at) / sides) * Math.PI) / 180;
    return [Math.cos(angle), Math.sin(angle)];
  });
}

/** @type {Record<string, Point[]>} */
const CUTS = {
  round: regular(12, -75),
  square: [[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]],
  trillion: [[-0.28, -0.86], [0.28, -0.86], [0.95, 0.52], [0.68, 0.86], [-0.68, 0.86], [-0.95, 0.52]],
  emerald: [[-0.42, -1], [0.42, -1], [0.76, -0.66], [0.76, 0.66], [0.42, 1], [-0.42, 1], [-0.76, 0.66], [-0.76, -0.66]],
  pentagon: regular(5),
  hexagon: regular(6),
  marquise: [[0, -1], [0.5, -0.55], [0.68, 0], [0.5, 0.55], [0, 1], [-0.5, 0.55], [-0.68, 0], [-0.5, -0.55]],
  octagon: regular(8, -67.5),
  pear: [[0, -1], [0.42, -0.38], [0.7, 0.24], [0.56, 0.74], [0, 0.98], [-0.56, 0.74], [-0.7, 0.24], [-0.42, -0.38]],
  kite: [[-0.5, -0.78], [0.5, -0.78], [0.98, -0.26], [0, 0.96], [-0.98, -0.26]],
  rhomb: [[0, -1], [0.72, 0], [0, 1], [-0.72, 0]],
  star: regular(10).map(([x, y], at) => (at % 2 ? [x * 0.7, y * 0.7] : [x, y])),
};

/**
 * Draws a stone of a cut, in the colour of the CSS property `--gem`.
 * @param {string} cut A name of {@link CUTS}.
 * @param {Record<string, any>} [attributes]
 * @returns {SVGElement}
 */
export function gem(cut, attributes = {}) {
  const outer = CUTS[cut].map(([x, y]) => /** @type {Point} */ ([x * 44 + 50, y * 44 + 50]));
  const inner = CUTS[cut].map(([x, y]) => /** @type {Point} */ ([x * 24 + 50, y * 24 + 48]));
  return svg(
    "svg",
    { viewBox: "0 0 100 100", "aria-hidden": "true", class: "gem", ...attributes },
    svg("polygon", { class: "gem-body", points: text(outer) }),
    outer.map((_, at) => facet(outer, inner, at)),
    svg("polygon", { class: "gem-table", points: text(inner) }),
    svg("polygon", { class: "gem-edge", points: text(outer) }),
  );
}

/** @param {Point[]} outer @param {Point[]} inner @param {number} at */
function facet(outer, inner, at) {
  const then = (at + 1) % outer.length;
  const [x, y] = [(outer[at][0] + outer[then][0]) / 2 - 50, (outer[at][1] + outer[then][1]) / 2 - 50];
  const light = (-x - 1.4 * y) / 110;
  const corners = [outer[at], outer[then], inner[then], inner[at]];
  const fill = light > 0 ? "#fff" : "#000";
  return svg("polygon", { points: text(corners), fill, "fill-opacity": Math.abs(light * 0.5).toFixed(2) });
}

/** @param {Point[]} points */
function text(points) {
  return points.map((point) => point.map((value) => value.toFixed(1)).join(",")).join(" ");
}
