/**
 * The board of a game that has none of its own: the view as nested lists, the moves as words.
 * @module
 */

import { area, t } from "../board/scene.js";
import { plate, plates } from "../board/seats.js";
import { el } from "../core/dom.js";

/** @param {any} value @returns {Node | string} */
function tree(value) {
  if (Array.isArray(value)) return el("ol", { class: "plain-list" }, value.map((each) => el("li", {}, tree(each))));
  if (value === null || typeof value !== "object") return String(value);
  return el(
    "dl",
    { class: "plain-fields" },
    Object.entries(value).map(([name, each]) => [el("dt", {}, name), el("dd", {}, tree(each))]),
  );
}

/** @type {import("./index.js").Game} */
export const game = {
  hue: "plain",
  round: () => "",

  draw(scene) {
    return [
      plates(scene.table.seats.map((_, seat) => plate(scene, seat))),
      area(t("plain.title"), { class: "plain-stage" }, tree(scene.view)),
    ];
  },

  steps: () => ({ prompt: t("plain.prompt"), parts: (_, at) => [[`move:${at}`]] }),
};
