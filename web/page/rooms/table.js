/**
 * A table: the board, the decision at hand, and the panels beside it.
 * @module
 */

import { sceneOf } from "../board/scene.js";
import { get, post, remove, stream } from "../core/api.js";
import { button, el, refill } from "../core/dom.js";
import { t } from "../core/language.js";
import { sliding } from "../core/motion.js";
import { go } from "../core/routes.js";
import { fail, tell } from "../core/toasts.js";
import { gameOf } from "../games/index.js";
import { beliefsPanel } from "./beliefs.js";
import { Decision } from "./decision.js";
import { Hints } from "./hints.js";
import { logPanel } from "./log.js";
import { Panels } from "./panels.js";
import { peoplePanel } from "./people.js";
import { result } from "./result.js";
import { Review } from "./review.js";
import { seatName } from "../board/seats.js";
import { pace, rewind } from "./watch.js";

/** @param {HTMLElement} place @param {import("../core/routes.js").Route} route */
export async function openTable(place, { id }) {
  const room = new TableRoom(place, id, await get(`tables/${id}`));
  return () => room.close();
}

/** One table, as long as it is looked at. */
class TableRoom {
  /** @param {HTMLElement} place @param {string} id @param {any} table */
  constructor(place, id, table) {
    this.id = id;
    this.game = gameOf(table.game);
    this.latest = table;
    /** @type {Decision | null} */
    this.decision = null;
    this.#furnish(place);
    this.hear(table);
    this.end = stream({ table: id }, {
      table: (told) => this.hear(told),
      hint: (told) => this.hints.hear(told),
      review: (told) => this.review.hear(told),
      gone: () => this.#gone(),
      lost: () => this.head.classList.add("lost"),
      found: () => this.head.classList.remove("lost"),
    });
  }

  close() {
    this.end();
    removeEventListener("keydown", this.escape);
  }

  /** @param {HTMLElement} place */
  #furnish(place) {
    const told = (table) => this.hear(table);
    this.hints = new Hints(this.id, (move) => this.#play(move));
    this.review = new Review(this.id, (ply, seat) => this.look(ply, seat));
    this.panels = new Panels([logPanel(), this.hints.panel(), beliefsPanel(this.id, this.game), this.review.panel(), peoplePanel(this.id, told)], t("panel.all"));
    this.head = el("div", { class: "table-head" });
    this.board = el("div", { class: `board ${this.game.hue}` });
    this.dock = el("div", { class: "dock" });
    this.controls = [pace(this.id, told), rewind((ply, seat) => this.look(ply, seat))];
    this.undo = el("span", { class: "dock-buttons" });
    this.foot = el("div", { class: "table-foot" }, this.controls.map((control) => control.element), this.undo);
    const stage = el("div", { class: "stage" }, this.head, this.board, el("div", { class: "dock-frame" }, this.dock, this.foot));
    place.append(stage, this.panels.element);
    this.escape = (event) => { if (event.key === "Escape") this.decision?.clear(); };
    addEventListener("keydown", this.escape);
  }

  /** Takes in a table, unless a newer one is known. @param {any} table */
  hear(table) {
    if (table.version < this.latest.version) return;
    const looking = this.shown && this.shown.ply !== this.shown.plies && this.latest.plies === table.plies;
    this.latest = table;
    if (!looking) this.show(table);
  }

  /** Shows an earlier position. @param {number} ply @param {number} [seat] */
  async look(ply, seat = this.shown.seat ?? 0) {
    const asked = (this.asked = (this.asked ?? 0) + 1);
    const found = await get(`tables/${this.id}`, { ply, seat }).catch(fail);
    if (found && asked === this.asked) this.show(found);
  }

  /** @param {any} table */
  show(table) {
    this.shown = table;
    this.#decide(table);
    sliding(this.board, () => this.#draw(table));
    this.panels.update(table);
  }

  /** @param {any} table */
  #decide(table) {
    if (!table.turn || !table.moves?.length) this.decision = null;
    else if (this.decision?.turn === table.turn) this.decision.adopt(table, this.game);
    else this.decision = new Decision(table, this.game, (move) => this.#play(move));
  }

  /** @param {any} table */
  #draw(table) {
    const scene = sceneOf(table, this.decision?.choice.tokens() ?? new Set());
    this.board.classList.toggle("mine", Boolean(this.decision));
    refill(this.head, this.#title(table, scene), table.trouble ? el("p", { class: "trouble", role: "alert" }, table.trouble) : null);
    const end = table.status.over && table.ply === table.plies;
    refill(this.board, end ? result(table, this.game, this.#afterwards()) : null, table.view ? this.game.draw(scene) : null);
    if (this.decision) this.decision.bind(this.board, this.dock);
    else refill(this.dock, el("p", { class: "prompt" }, this.#waiting(table)));
    for (const control of this.controls) control.update(table);
    refill(this.undo, this.#undo(table));
  }

  /** @param {any} table @param {any} scene */
  #title(table, scene) {
    const name = t(`games.${table.game}`);
    document.title = this.decision ? t("table.turnTitle", { name }) : `${name} · Adamas`;
    return [
      el("h1", {}, name),
      el("span", { class: "round" }, this.game.round(scene.view)),
      el("span", { class: "lost-notice", role: "status" }, t("table.lost")),
    ];
  }

  /** @param {any} table @returns {string} */
  #waiting(table) {
    if (table.ply !== table.plies) return t("table.earlier");
    if (table.status.over) return t("table.over");
    const names = (table.status.seatsToMove ?? []).map((seat) => seatName(table, seat));
    return t("table.waiting", { names: new Intl.ListFormat(document.documentElement.lang).format(names) });
  }

  #afterwards() {
    const save = el("a", { class: "button", href: `/api/tables/${this.id}/record`, download: `adamas-${this.latest.game}.json` }, t("result.save"));
    return [button(t("result.review"), () => this.panels.show("review"), { class: "primary", "data-focus": "to-review" }), save, el("a", { class: "button", href: "#/" }, t("result.again"))];
  }

  /** @param {any} table */
  #undo(table) {
    const { possible, asked } = table.undo ?? {};
    if (table.seat === null || table.ply !== table.plies) return null;
    const ask = () => post(`tables/${this.id}/undo`).then((told) => this.hear(told), fail);
    const refuse = () => remove(`tables/${this.id}/undo`).then((told) => this.hear(told), fail);
    if (asked === null || asked === undefined) return possible ? button(t("undo.ask"), ask, { "data-focus": "undo" }) : null;
    if (asked === table.seat) return [el("span", { class: "quiet" }, t("undo.asked")), button(t("undo.drop"), refuse, { "data-focus": "undo" })];
    return [el("span", {}, t("undo.wanted", { name: seatName(table, asked) })), button(t("undo.agree"), ask, { class: "primary", "data-focus": "undo" }), button(t("undo.refuse"), refuse, { "data-focus": "refuse" })];
  }

  /** @param {any} move @returns {Promise<boolean>} Whether the host took it. */
  async #play(move) {
    const { turn } = this.latest;
    const told = await post(`tables/${this.id}/moves`, { turn, move }).catch(fail);
    if (told) this.hear(told);
    return Boolean(told);
  }

  #gone() {
    tell(t("table.gone"));
    go("#/");
  }
}
