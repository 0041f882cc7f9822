/**
 * Hints: the search's ranked moves, growing while it thinks.
 * @module
 */

import { named } from "../board/seats.js";
import { post, remove } from "../core/api.js";
import { button, el, refill } from "../core/dom.js";
import { number, percent, sentence, t } from "../core/language.js";
import { fail } from "../core/toasts.js";

const SECONDS = 6;

/** Hints of one table. */
export class Hints {
  /** @param {string} id The table's. @param {(move: any) => void} play */
  constructor(id, play) {
    this.table = id;
    this.play = play;
    this.advice = null;
    this.thinking = false;
    this.element = el("div", { class: "hints" });
  }

  /** @returns {import("./panels.js").Panel} */
  panel() {
    return { id: "hint", title: t("panel.hint"), element: this.element, update: (table) => this.update(table), fits: (table) => table.hints && table.seat !== null && !table.status.over };
  }

  /** @param {any} table */
  update(table) {
    if (this.seen?.turn !== table.turn) [this.advice, this.thinking] = [null, false];
    this.seen = table;
    this.draw();
  }

  /** @param {{turn: string, advice?: any, error?: any, final: boolean}} told */
  hear(told) {
    if (told.turn !== this.seen?.turn) return;
    if (told.error) fail(new Error(told.error.words ?? String(told.error)));
    this.advice = told.advice ?? this.advice;
    this.thinking = !told.final;
    this.draw();
  }

  async ask() {
    this.thinking = true;
    this.draw();
    await post(`tables/${this.table}/hint`, { turn: this.seen.turn, seconds: SECONDS }).catch((error) => {
      this.thinking = false;
      fail(error);
      this.draw();
    });
  }

  stop() {
    this.thinking = false;
    remove(`tables/${this.table}/hint`).catch(fail);
    this.draw();
  }

  draw() {
    const turn = Boolean(this.seen?.turn);
    refill(
      this.element,
      el(
        "div",
        { class: "hint-head" },
        this.thinking
          ? button(t("hint.stop"), () => this.stop(), { "data-focus": "hint" })
          : button(t("hint.ask"), () => this.ask(), { class: "primary", "data-focus": "hint", disabled: !turn }),
        el("span", { class: "quiet", role: "status" }, this.#status(turn)),
      ),
      this.advice ? candidates(this.advice, this.seen, this.play) : null,
    );
  }

  /** @param {boolean} turn */
  #status(turn) {
    if (!turn) return t("hint.wait");
    if (!this.advice) return t(this.thinking ? "hint.thinking" : "hint.about");
    const tried = number(Number(this.advice.search?.iterations ?? 0));
    return t(this.advice.search?.solved ? "hint.solved" : "hint.tried", { tried });
  }
}

/**
 * Ranked moves as bars.
 * @param {any} advice @param {any} table @param {(move: any) => void} [play]
 */
export function candidates(advice, table, play) {
  const shown = advice.candidates ?? [];
  const scores = shown.map((each) => each.expectedScore ?? 0);
  const [low, high] = [Math.min(0, ...scores), Math.max(1, ...scores)];
  return el("ol", { class: "candidates" }, shown.map((each, at) => el("li", { class: at ? "" : "first" }, candidate(each, table, low, high, play, at))));
}

/** @param {any} found @param {any} table @param {number} low @param {number} high @param {any} play @param {number} at */
function candidate(found, table, low, high, play, at) {
  const [win, score] = [found.winProbability ?? 0, found.expectedScore ?? 0];
  return [
    el("div", { class: "candidate-head" }, el("b", {}, sentence(named(found.words, table))), play ? button(t("hint.play"), () => play(found.move), { class: "small", "data-focus": `play-${at}`, "aria-label": t("hint.playThis", { words: named(found.words, table) }) }) : null),
    found.visits === undefined && !win ? null : [
      bar("win", t("hint.win"), win, `${percent(win)}`, found.winStandardError),
      bar("score", t("hint.score"), (score - low) / (high - low || 1), number(score, 1), (found.scoreStandardError ?? 0) / (high - low || 1)),
    ],
    found.reason ? el("p", { class: "reason" }, named(found.reason, table)) : null,
    line(found.principalVariation ?? [], table),
  ];
}

/** @param {string} kind @param {string} label @param {number} share @param {string} words @param {number} [error] */
function bar(kind, label, share, words, error = 0) {
  return el(
    "div",
    { class: `bar-row ${kind}` },
    el("span", { class: "bar-label" }, label),
    el("span", { class: "bar-track", "aria-hidden": "true" }, el("i", { class: "bar-fill", style: { width: `${Math.max(0, Math.min(1, share)) * 100}%` } }), error ? el("i", { class: "bar-error", style: { left: `${(share - error) * 100}%`, width: `${error * 200}%` } }) : null),
    el("span", { class: "bar-value" }, words),
  );
}

/** @param {any[]} moves The line that the search expects. @param {any} table */
function line(moves, table) {
  if (moves.length < 2) return null;
  return el(
    "details",
    { class: "line" },
    el("summary", {}, t("hint.line", { n: moves.length })),
    el("ol", {}, moves.map((each) => el("li", {}, el("b", {}, named(`seat ${each.seat ?? 0}`, table)), " ", named(each.words ?? "", table)))),
  );
}
