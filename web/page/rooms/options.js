/**
 * The settings of a game, made from what the service says of it (GetGame): its named variants,
 * and every option with its type, range and default.
 * @module
 */

import { el } from "../core/dom.js";
import { t } from "../core/language.js";

/** @param {string} name snake_case of the protos. @returns {string} camelCase of the JSON. */
export function camel(name) {
  return name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}

/** @param {any} options @returns {any} The game's own part of GameOptions. */
function inner(options) {
  return Object.values(options ?? {})[0] ?? {};
}

/**
 * The dialog of one game.
 * @param {any} description GetGameResponse for a number of seats.
 * @param {number} seats
 * @param {Record<string, any>} chosen Options that differ from their defaults; changed in place.
 * @param {() => void} changed
 */
export function settings(description, seats, chosen, changed) {
  const fits = (each) => !each.seats?.length || each.seats.includes(seats);
  return [
    variants((description.variants ?? []).filter(fits), chosen, changed),
    el(
      "details",
      { class: "options" },
      el("summary", {}, t("lobby.options")),
      el("div", { class: "option-grid" }, (description.options ?? []).filter(fits).map((option) => field(option, chosen, changed))),
    ),
  ];
}

/** @param {any[]} list @param {Record<string, any>} chosen @param {() => void} changed */
function variants(list, chosen, changed) {
  if (list.length < 2) return null;
  const same = (variant) => JSON.stringify(sorted(inner(variant.options))) === JSON.stringify(sorted(chosen));
  const choose = (variant) => {
    for (const name of Object.keys(chosen)) delete chosen[name];
    Object.assign(chosen, inner(variant.options));
    changed();
  };
  return el(
    "fieldset",
    { class: "variants" },
    el("legend", {}, t("lobby.variant")),
    list.map((variant) =>
      el(
        "label",
        { class: "pick", title: variant.description },
        el("input", { type: "radio", name: "variant", "data-focus": `variant-${variant.variantId}`, checked: same(variant), on: { change: () => choose(variant) } }),
        el("span", {}, el("b", {}, variant.name), el("small", {}, variant.description)),
      ),
    ),
  );
}

/** @param {Record<string, any>} fields */
function sorted(fields) {
  return Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** @param {any} option @param {Record<string, any>} chosen @param {() => void} changed */
function field(option, chosen, changed) {
  const name = camel(option.name);
  const id = `option-${name}`;
  const set = (value, normal) => {
    if (value === normal) delete chosen[name];
    else chosen[name] = value;
    changed();
  };
  return el(
    "div",
    { class: "option" },
    el("label", { for: id }, option.title),
    control(option, chosen[name], { id, "data-focus": id, "aria-describedby": `${id}-text` }, set),
    el("small", { id: `${id}-text` }, option.description),
  );
}

/** @param {any} option @param {any} value @param {Record<string, any>} attributes @param {(value: any, normal: any) => void} set */
function control(option, value, attributes, set) {
  if (option.boolOption) {
    const normal = option.boolOption.defaultValue ?? false;
    return el("input", { ...attributes, type: "checkbox", checked: value ?? normal, on: { change: (event) => set(event.target.checked, normal) } });
  }
  if (option.intOption) {
    const { defaultValue: normal = 0, minValue: min = 0, maxValue: max = 0 } = option.intOption;
    const change = (event) => set(Math.min(max, Math.max(min, Math.round(Number(event.target.value)))), normal);
    return el("input", { ...attributes, type: "number", min, max, value: value ?? normal, on: { change } });
  }
  const { defaultValue: normal = "", choices = [] } = option.choiceOption ?? {};
  return el(
    "select",
    { ...attributes, on: { change: (event) => set(event.target.value, normal) } },
    choices.map((each) => el("option", { value: each.value ?? "", selected: (value ?? normal) === (each.value ?? "") }, each.title)),
  );
}
