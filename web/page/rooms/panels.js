/**
 * The panels beside the board, one open at a time.
 * @module
 */

import { el } from "../core/dom.js";

/**
 * @typedef {object} Panel
 * @property {string} id
 * @property {string} title
 * @property {HTMLElement} element
 * @property {(table: any) => void} update
 * @property {(table: any) => boolean} [fits] Whether it is offered now.
 * @property {() => void} [opened]
 */

/** Tabs as the ARIA pattern has them: arrows move between tabs, the panel follows. */
export class Panels {
  /** @param {Panel[]} panels @param {string} label */
  constructor(panels, label) {
    this.panels = panels;
    this.open = panels[0].id;
    this.tabs = panels.map((panel) =>
      el("button", { type: "button", role: "tab", id: `tab-${panel.id}`, "aria-controls": `panel-${panel.id}`, on: { click: () => this.show(panel.id) } }, panel.title),
    );
    for (const panel of panels) {
      for (const [name, value] of Object.entries({ role: "tabpanel", id: `panel-${panel.id}`, "aria-labelledby": `tab-${panel.id}`, tabindex: "0" })) panel.element.setAttribute(name, value);
      panel.element.classList.add("panel");
    }
    const list = el("div", { class: "tabs", role: "tablist", "aria-label": label, on: { keydown: (event) => this.#arrow(event) } }, this.tabs);
    this.element = el("aside", { class: "rail", "aria-label": label }, list, panels.map((panel) => panel.element));
    this.#select(this.open);
  }

  /** @param {string} id */
  show(id) {
    this.#select(id);
    this.panels.find((panel) => panel.id === id)?.opened?.();
  }

  /** @param {any} table */
  update(table) {
    this.panels.forEach((panel, at) => {
      this.tabs[at].hidden = panel.fits ? !panel.fits(table) : false;
      panel.update(table);
    });
    const open = this.panels.findIndex((panel) => panel.id === this.open);
    if (this.tabs[open].hidden) this.#select(this.panels[0].id);
  }

  /** @param {string} id */
  #select(id) {
    this.open = id;
    this.panels.forEach((panel, at) => {
      const chosen = panel.id === id;
      panel.element.hidden = !chosen;
      this.tabs[at].setAttribute("aria-selected", String(chosen));
      this.tabs[at].tabIndex = chosen ? 0 : -1;
    });
  }

  /** @param {KeyboardEvent} event */
  #arrow(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const shown = this.panels.filter((_, at) => !this.tabs[at].hidden);
    const at = shown.findIndex((panel) => panel.id === this.open);
    const next = shown[(at + step + shown.length) % shown.length];
    this.show(next.id);
    this.tabs[this.panels.indexOf(next)].focus();
  }
}
