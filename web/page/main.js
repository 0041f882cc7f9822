/**
 * The page: its bar, and the room that the fragment names.
 * @module
 */

import { el, refill } from "./core/dom.js";
import { language, LANGUAGES, speak, t } from "./core/language.js";
import { read } from "./core/routes.js";
import { paint, theme, THEMES } from "./core/settings.js";
import { fail, toasts } from "./core/toasts.js";
import { openJournal, openJoin } from "./rooms/doors.js";
import { openLobby } from "./rooms/lobby.js";
import { openTable } from "./rooms/table.js";

/** @type {Record<string, (place: HTMLElement, route: any) => Promise<() => void> | (() => void)>} */
const ROOMS = { lobby: openLobby, tables: openTable, join: openJoin, journal: openJournal };

const bar = el("header", { class: "bar" });
const main = el("main", { class: "room", id: "room", tabindex: "-1" });
let leave = () => {};
let visit = 0;

/** Opens the room of the fragment, and closes the one before. */
async function enter() {
  const mine = ++visit;
  leave();
  leave = () => {};
  const route = read(location.hash);
  main.replaceChildren();
  main.className = `room ${route.room}`;
  try {
    const closed = await ROOMS[route.room](main, route);
    if (mine === visit) leave = closed;
    else closed();
  } catch (error) {
    fail(error);
    main.replaceChildren(el("div", { class: "sorry" }, el("h1", {}, t("sorry.title")), el("p", {}, error.message), el("a", { href: "#/" }, t("sorry.back"))));
  }
}

/** @param {string} name @param {[string, string][]} values @param {string} chosen @param {(value: string) => void} choose */
function choice(name, values, chosen, choose) {
  const select = el(
    "select",
    { "aria-label": t(`bar.${name}`), "data-focus": name, on: { change: (event) => choose(event.target.value) } },
    values.map(([value, words]) => el("option", { value, selected: value === chosen }, words)),
  );
  return el("label", { class: "bar-choice" }, select);
}

/** Draws the bar in the language of the moment. */
function drawBar() {
  refill(
    bar,
    el("a", { class: "skip", href: "#room", on: { click: skip } }, t("bar.skip")),
    el("a", { class: "brand", href: "#/" }, el("img", { src: "/page/icon.svg", alt: "", width: 28, height: 28 }), "Adamas"),
    el("span", { class: "bar-space" }),
    choice("language", LANGUAGES, language(), changeLanguage),
    choice("theme", THEMES.map((each) => [each, t(`bar.themes.${each}`)]), theme(), paint),
  );
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  main.focus();
}

/** @param {string} chosen */
function changeLanguage(chosen) {
  speak(chosen);
  drawBar();
  enter();
}

speak(language());
paint(theme());
drawBar();
document.body.append(bar, main, toasts);
addEventListener("hashchange", enter);
enter();
