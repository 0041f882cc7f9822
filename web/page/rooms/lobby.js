/**
 * The lobby: a new table, and those that this browser sits at.
 * @module
 */

import { gem } from "../art/gems.js";
import { icon } from "../art/icons.js";
import { seatName } from "../board/seats.js";
import { get, post, remove, stream } from "../core/api.js";
import { button, el, refill } from "../core/dom.js";
import { language, t } from "../core/language.js";
import { go } from "../core/routes.js";
import { keep, kept } from "../core/settings.js";
import { fail, tell } from "../core/toasts.js";
import { settings } from "./options.js";

const USUAL_LEVEL = 5;
const COVERS = {
  dao: () => ["metal", "wood", "water", "fire", "earth"].map((sign) => icon(sign, { class: `icon ${sign}` })),
  diamonds: () => ["diamonds", "hearts", "spades", "clubs"].map((sign) => icon(sign, { class: `icon suit ${sign}` })),
  diams: () => ["trillion", "hexagon", "marquise", "pear", "star"].map((cut, at) => gem(cut, { class: `gem kind-${[3, 6, 7, 9, 10][at]}` })),
  diamonds_club: () => ["fountain", "forest", "rose_garden", "aviary", "ship"].map((sign) => icon(sign, { class: `icon tile-sign ${sign}` })),
};

/** @param {HTMLElement} place */
export async function openLobby(place) {
  const { games } = await get("games");
  const draft = draftOf(games);
  const form = el("section", { class: "new-table", "aria-labelledby": "new-title" });
  const list = el("section", { class: "my-tables", "aria-labelledby": "mine-title" });
  const draw = () => refill(form, newTable(games, draft, draw));
  place.append(el("div", { class: "lobby-grid" }, form, list));
  draw();
  drawTables(list, games, []);
  addJournal(list);
  return stream({}, { tables: ({ tables }) => drawTables(list, games, tables) });
}

/** @param {any[]} games A table as it might be: what this browser played last, or the first game. */
function draftOf(games) {
  const last = games.find((game) => game.summary.gameId === kept("game")) ?? games[0];
  return { game: last.summary.gameId, described: last, ...seatsFor(last, Math.max(last.summary.minSeats, 3)), options: {}, undo: "fair", hints: true };
}

/** @param {any} description @param {number} count */
function seatsFor(description, count) {
  const level = levelsOf(description).includes(USUAL_LEVEL) ? USUAL_LEVEL : undefined;
  const seats = Array.from({ length: count }, (_, at) => (at ? { kind: "bot", level } : { kind: "you" }));
  return { seats };
}

/** @param {any} description @returns {number[]} */
const levelsOf = (description) => (description.levels ?? []).map((each) => each.level);

/** @param {any[]} games @param {any} draft @param {() => void} draw */
function newTable(games, draft, draw) {
  const described = draft.described;
  return el(
    "form",
    { on: { submit: (event) => begin(event, draft) } },
    el("h1", { id: "new-title" }, t("lobby.title")),
    el("fieldset", { class: "covers" }, el("legend", { class: "unseen" }, t("lobby.game")), games.map((game) => cover(game, draft, draw))),
    el("p", { class: "blurb" }, described.description),
    seatRows(draft, draw),
    settings(described, draft.seats.length, draft.options, draw),
    manners(draft),
    el("div", { class: "form-end" }, el("button", { class: "primary large", type: "submit" }, t(watching(draft) ? "lobby.watch" : "lobby.start"))),
  );
}

/** @param {any} draft @returns {boolean} Whether bots alone play. */
const watching = (draft) => draft.seats.every((seat) => seat.kind === "bot");

/** @param {any} game @param {any} draft @param {() => void} draw */
function cover(game, draft, draw) {
  const id = game.summary.gameId;
  const choose = () => {
    const count = Math.min(Math.max(draft.seats.length, game.summary.minSeats), game.summary.maxSeats);
    Object.assign(draft, { game: id, described: game, options: {}, ...seatsFor(game, count) });
    keep("game", id);
    describe(draft, draw);
  };
  return el(
    "label",
    { class: `cover ${id}` },
    el("input", { type: "radio", name: "game", value: id, "data-focus": `game-${id}`, checked: id === draft.game, on: { change: choose } }),
    el("span", { class: "cover-art", "aria-hidden": "true" }, COVERS[id]?.() ?? icon("any")),
    el("span", { class: "cover-name" }, game.summary.name),
    el("small", {}, t("lobby.players", { from: game.summary.minSeats, to: game.summary.maxSeats })),
  );
}

/** Fetches the defaults for as many seats as there are. @param {any} draft @param {() => void} draw */
async function describe(draft, draw) {
  draw();
  const asked = [draft.game, draft.seats.length].join();
  const described = await get(`games/${draft.game}`, { seats: draft.seats.length }).catch(fail);
  if (!described || asked !== [draft.game, draft.seats.length].join()) return;
  draft.described = described;
  draw();
}

/** @param {any} draft @param {() => void} draw */
function seatRows(draft, draw) {
  const { minSeats, maxSeats } = draft.described.summary;
  const resize = (by) => {
    draft.seats = by > 0 ? [...draft.seats, seatsFor(draft.described, 2).seats[1]] : draft.seats.slice(0, -1);
    describe(draft, draw);
  };
  return el(
    "fieldset",
    { class: "seat-rows" },
    el("legend", {}, t("lobby.seats")),
    draft.seats.map((seat, at) => seatRow(draft, seat, at, draw)),
    el(
      "div",
      { class: "seat-count" },
      button("−", () => resize(-1), { "aria-label": t("lobby.fewer"), "data-focus": "fewer", disabled: draft.seats.length <= minSeats }),
      el("span", { "aria-live": "polite" }, t("lobby.count", { n: draft.seats.length })),
      button("+", () => resize(1), { "aria-label": t("lobby.more"), "data-focus": "more", disabled: draft.seats.length >= maxSeats }),
    ),
  );
}

/** @param {any} draft @param {any} seat @param {number} at @param {() => void} draw */
function seatRow(draft, seat, at, draw) {
  const sit = (event) => {
    const kind = event.target.value;
    if (kind === "you") for (const each of draft.seats) if (each.kind === "you") each.kind = "open";
    draft.seats[at] = kind === "bot" ? seatsFor(draft.described, 2).seats[1] : { kind };
    draw();
  };
  const kinds = ["you", "bot", "open"];
  return el(
    "div",
    { class: `seat-row ${seat.kind}` },
    el("span", { class: "medal", "aria-hidden": "true" }, icon({ you: "person", bot: "bot", open: "chair" }[seat.kind])),
    el("select", { "aria-label": t("lobby.who", { seat: at + 1 }), "data-focus": `seat-${at}`, on: { change: sit } }, kinds.map((kind) => el("option", { value: kind, selected: kind === seat.kind }, t(`lobby.kinds.${kind}`)))),
    seatDetail(draft, seat, at),
  );
}

/** @param {any} draft @param {any} seat @param {number} at */
function seatDetail(draft, seat, at) {
  if (seat.kind === "you") {
    const change = (event) => keep("name", event.target.value);
    return el("input", { "aria-label": t("lobby.name"), placeholder: t("lobby.name"), maxlength: 24, autocomplete: "nickname", "data-focus": "name", value: kept("name") ?? "", on: { input: change } });
  }
  if (seat.kind === "open") return el("span", { class: "quiet" }, t("lobby.invited"));
  const levels = draft.described.levels ?? [];
  const change = (event) => { seat.level = Number(event.target.value); };
  return el(
    "select",
    { "aria-label": t("lobby.level", { seat: at + 1 }), "data-focus": `level-${at}`, on: { change } },
    levels.map(({ level, rating }) => el("option", { value: level, selected: level === seat.level }, t("lobby.levelOf", { level, rating: Math.round(rating ?? 0) }))),
  );
}

/** @param {any} draft Whether moves may be taken back and hints asked for. */
function manners(draft) {
  const rules = ["fair", "any", "none"];
  return el(
    "div",
    { class: "manners" },
    el("label", {}, t("lobby.undo"), el("select", { "data-focus": "undo", on: { change: (event) => { draft.undo = event.target.value; } } }, rules.map((rule) => el("option", { value: rule, selected: rule === draft.undo }, t(`lobby.undoRules.${rule}`))))),
    el("label", { class: "check" }, el("input", { type: "checkbox", checked: draft.hints, on: { change: (event) => { draft.hints = event.target.checked; } } }), t("lobby.hints")),
  );
}

/** @param {Event} event @param {any} draft */
async function begin(event, draft) {
  event.preventDefault();
  const name = kept("name")?.trim() || t("lobby.you");
  const seats = draft.seats.map((seat) => (seat.kind === "you" ? { kind: "you", name } : seat));
  const asked = { options: { [draft.game]: draft.options }, seats, undo: draft.undo, hints: draft.hints };
  await post("tables", asked).then((table) => go(`#/tables/${table.id}`), fail);
}

/** @param {HTMLElement} place @param {any[]} games @param {any[]} tables */
function drawTables(place, games, tables) {
  const journal = place.querySelector(".journal");
  refill(
    place,
    el("h2", { id: "mine-title" }, t("lobby.mine")),
    tables.length ? el("ul", { class: "table-list" }, tables.map((table) => entry(table, games))) : el("p", { class: "quiet" }, t("lobby.none")),
    importer(),
    journal,
  );
}

/** @param {any} table @param {any[]} games */
function entry(table, games) {
  const game = games.find((each) => each.summary.gameId === table.game);
  const state = table.status.over ? "over" : table.yourTurn ? "yourTurn" : "running";
  const names = table.seats.map((_, seat) => seatName(table, seat)).join(", ");
  return el(
    "li",
    { class: `table-entry ${state}` },
    el(
      "a",
      { href: `#/tables/${table.id}`, "data-focus": table.id },
      el("b", {}, game?.summary.name ?? table.game),
      el("span", { class: `state ${state}` }, t(`lobby.state.${table.imported ? "imported" : state}`)),
      el("small", {}, `${names} · ${ago(table.changed)}`),
    ),
    table.owner ? button("×", () => remove(`tables/${table.id}`).catch(fail), { class: "plain", "aria-label": t("lobby.remove", { names }) }) : null,
  );
}

/** @param {number} changed Unix time in seconds. @returns {string} */
function ago(changed) {
  const seconds = changed - Date.now() / 1000;
  const units = [["day", 86400], ["hour", 3600], ["minute", 60]];
  const [unit, size] = units.find(([, each]) => -seconds >= each) ?? ["minute", 60];
  return new Intl.RelativeTimeFormat(language(), { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

/** A field for a record of a game. */
function importer() {
  const open = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    const found = await post("records", await file.text()).catch(fail);
    if (found) tell(t("lobby.imported", { n: found.tables.length }));
    if (found?.tables.length === 1) go(`#/tables/${found.tables[0].id}`);
  };
  return el("label", { class: "import" }, t("lobby.import"), el("input", { type: "file", accept: ".json,.jsonl,application/json", on: { change: open } }));
}

/** The tournament journal that the host was started with, if there is one. @param {HTMLElement} place */
async function addJournal(place) {
  const { games } = await get("journal").catch(() => ({ games: [] }));
  if (!games.length) return;
  place.append(
    el(
      "details",
      { class: "journal" },
      el("summary", {}, t("journal.title", { n: games.length })),
      el("ul", { class: "table-list" }, games.map((each) => el("li", { class: "table-entry" }, el("a", { href: `#/journal/${encodeURIComponent(each.game)}` }, each.players.join(" – "))))),
    ),
  );
}
