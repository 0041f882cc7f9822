/**
 * Ways in that lead on to a table: an invitation, and a game of the tournament journal.
 * @module
 */

import { post } from "../core/api.js";
import { el } from "../core/dom.js";
import { t } from "../core/language.js";
import { go } from "../core/routes.js";
import { keep, kept } from "../core/settings.js";
import { fail } from "../core/toasts.js";

/** @param {HTMLElement} place @param {import("../core/routes.js").Route} route */
export function openJoin(place, { id, invitation }) {
  const name = el("input", { id: "name", maxlength: 24, required: true, autocomplete: "nickname", value: kept("name") ?? "" });
  const join = async (event) => {
    event.preventDefault();
    keep("name", name.value.trim());
    await post(`tables/${id}/join`, { invitation, name: name.value.trim() }).then(() => go(`#/tables/${id}`), fail);
  };
  place.append(
    el(
      "form",
      { class: "card-form", on: { submit: join } },
      el("h1", {}, t("join.title")),
      el("p", {}, t("join.text")),
      el("label", { for: "name" }, t("lobby.name")),
      name,
      el("button", { class: "primary", type: "submit" }, t("join.sit")),
    ),
  );
  name.focus();
  return () => {};
}

/** @param {HTMLElement} place @param {import("../core/routes.js").Route} route */
export async function openJournal(place, { id }) {
  place.append(el("p", { class: "quiet" }, t("journal.opening")));
  const table = await post(`journal/${id}`);
  go(`#/tables/${table.id}`);
  return () => {};
}
