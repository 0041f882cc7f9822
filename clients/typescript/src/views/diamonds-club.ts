import { clone, create } from "@bufbuild/protobuf";

import {
  DiamondsClubAnimalsSchema,
  DiamondsClubBuildingsSchema,
  DiamondsClubBuildSchema,
  DiamondsClubColumnSchema,
  DiamondsClubGemsSchema,
  DiamondsClubKind,
  DiamondsClubMarkerSchema,
  DiamondsClubPhase,
  DiamondsClubPlayerSchema,
  DiamondsClubSpace,
  DiamondsClubStripRefresh,
  DiamondsClubSymbol,
  DiamondsClubTableSchema,
  DiamondsClubTrack,
  DiamondsClubTracksSchema,
  DiamondsClubViewSchema,
  type DiamondsClubBuilt,
  type DiamondsClubCellBought,
  type DiamondsClubColumn,
  type DiamondsClubEvent,
  type DiamondsClubMove,
  type DiamondsClubOptions,
  type DiamondsClubPlayer,
  type DiamondsClubRoundStarted,
  type DiamondsClubSetExchanged,
  type DiamondsClubTable,
  type DiamondsClubTilesKept,
  type DiamondsClubView,
} from "../gen/adamas/v1/diamonds_club_pb.js";
import { copied, ViewBuilder } from "./builder.js";

const LOWEST_VALUE = 2;
const STRIPS = 6;
const GEMS = ["blue", "yellow", "green", "red", "diamonds"] as const;
const BUILDINGS = ["fountains", "orangeries", "pavilions", "roseGardens"] as const;
const TRACKS = ["forest", "technology", "money"] as const;
const ANIMALS = ["ponds", "deerParks", "aviaries"] as const;

/** What is printed on the box's parts, as far as a view needs it. */
export interface ClubTables {
  /** Coins of a round by the level of the money track. */
  readonly income: readonly number[];
  /** Steps on the start-player track that a symbol brings. */
  readonly hats: Partial<Record<DiamondsClubSymbol, number>>;
  /** Light spaces of a park, those with a picture included. */
  readonly lightSpaces: number;
  /** The buildings printed on each seat's board, from left to right. */
  readonly printed: readonly (readonly DiamondsClubKind[])[];
  /** Landscape tiles of each building at the start. */
  readonly stack: number;
}

const { FOUNTAIN, ORANGERY, PAVILION, ROSE_GARDEN } = DiamondsClubKind;

/** Those of the standard data sets. */
export const STANDARD_TABLES: ClubTables = {
  income: [10, 11, 12, 13, 14],
  hats: {
    [DiamondsClubSymbol.HATS]: 3,
    [DiamondsClubSymbol.RIGHT_2]: 2,
    [DiamondsClubSymbol.SHIP_2]: 2,
    [DiamondsClubSymbol.RIGHT_3]: 1,
    [DiamondsClubSymbol.SHIP_3]: 1,
  },
  lightSpaces: 14,
  printed: [
    [FOUNTAIN, ORANGERY, PAVILION],
    [ORANGERY, PAVILION, ROSE_GARDEN],
    [PAVILION, ROSE_GARDEN, FOUNTAIN],
    [ROSE_GARDEN, FOUNTAIN, ORANGERY],
  ],
  stack: 21,
};

/**
 * Keeps what a seat of Diamonds Club has seen. Nothing is hidden, but a table tells what happens, not
 * how it stands.
 */
export class DiamondsClubViewBuilder extends ViewBuilder<
  DiamondsClubView,
  DiamondsClubMove,
  DiamondsClubEvent
> {
  readonly #view: DiamondsClubView;
  readonly #table: DiamondsClubTable;
  readonly #tables: ClubTables;
  #kept = false;

  /** `tables`: of the data sets that the options name. */
  constructor(
    options: DiamondsClubOptions,
    seats: number,
    seat: number,
    tables: ClubTables = STANDARD_TABLES,
  ) {
    super();
    this.#tables = tables;
    const { stack } = tables;
    this.#table = create(DiamondsClubTableSchema, {
      players: Array.from({ length: seats }, () => firstPlayer(options)),
      stacks: { fountains: stack, orangeries: stack, pavilions: stack, roseGardens: stack },
    });
    this.#view = create(DiamondsClubViewSchema, { options, seats, seat, table: this.#table });
  }

  tell({ event }: DiamondsClubEvent): void {
    const table = this.#table;
    switch (event.case) {
      case "roundStarted":
        this.#startRound(event.value);
        break;
      case "cellBought":
        this.#cellBought(event.value);
        break;
      case "out":
        table.players[event.value.seat]!.out = true;
        if (event.value.phase === DiamondsClubPhase.MARKET && table.players.every((p) => p.out)) {
          table.phase = DiamondsClubPhase.BUILD;
          for (const player of table.players) player.out = false;
        }
        break;
      case "diamondGiven":
        table.players[event.value.seat]!.gems!.diamonds += 1;
        break;
      case "setExchanged":
        this.#setExchanged(event.value);
        break;
      case "tilesKept":
        this.#tilesKept(event.value);
        break;
      case "built":
        this.#built(event.value);
        break;
      case "bonusTaken":
        table.bonuses.push(event.value);
        break;
    }
  }

  override play({ move }: DiamondsClubMove): void {
    if (move.case !== "build") return;
    const { chart, kind } = move.value;
    // Only the joker's chart sells more than one kind; the others have the numbers of theirs.
    const bought = kind || (chart as number as DiamondsClubKind);
    this.#table.purchase = create(DiamondsClubBuildSchema, { chart, kind: bought });
  }

  view(): DiamondsClubView {
    const { seat } = this.#view;
    const phase = this.#phase();
    const table = copied(DiamondsClubTableSchema, this.#table, { turn: seat, phase });
    if (phase !== DiamondsClubPhase.EXCHANGE) delete table.lastSet;
    return copied(DiamondsClubViewSchema, this.#view, { table });
  }

  #phase(): DiamondsClubPhase {
    const { mines, rights, ships } = this.#table.players[this.#view.seat]!;
    if (this.#table.phase === DiamondsClubPhase.MARKET) return DiamondsClubPhase.MARKET;
    const sorts = [mines, rights, ships].filter((tiles) => tiles.length > 0).length;
    if (sorts === 3 && !this.#kept) return DiamondsClubPhase.EXCHANGE;
    if (sorts > 0 && !this.#kept) return DiamondsClubPhase.KEEP;
    return this.#table.purchase ? DiamondsClubPhase.PAYMENT : DiamondsClubPhase.BUILD;
  }

  #startRound({ round, starter, market }: DiamondsClubRoundStarted): void {
    const table = this.#table;
    const { seats, options } = this.#view;
    Object.assign(table, { round, starter, phase: DiamondsClubPhase.MARKET });
    this.#kept = false;
    delete table.lastSet;
    delete table.purchase;
    table.market = market.map((column) => clone(DiamondsClubColumnSchema, column));
    table.startTrack = market
      .slice(0, seats)
      .map((_, position) => ({ seat: (starter + position) % seats, position }))
      .map((marker) => create(DiamondsClubMarkerSchema, marker))
      .reverse();
    for (const player of table.players) {
      player.coins = this.#tables.income[player.tracks!.money]!;
      player.out = false;
      player.charts = [];
    }
    if (options!.stripRefresh === DiamondsClubStripRefresh.CYCLE) {
      table.drawnDark = drawnAfter(table.drawnDark, market.slice(0, seats));
      table.drawnLight = drawnAfter(table.drawnLight, market.slice(seats));
    }
  }

  #cellBought({ seat, row, column, symbol, coins, track, animal }: DiamondsClubCellBought): void {
    const player = this.#table.players[seat]!;
    player.coins -= coins;
    this.#table.market[column]!.coins[row] = coins;
    if (symbol <= DiamondsClubSymbol.MINE_RED) {
      player.mines.push(symbol as number);
    } else if (symbol <= DiamondsClubSymbol.RIGHT_5) {
      player.rights.push(symbol - DiamondsClubSymbol.RIGHT_2 + LOWEST_VALUE);
    } else if (symbol <= DiamondsClubSymbol.SHIP_5) {
      player.ships.push(symbol - DiamondsClubSymbol.SHIP_2 + LOWEST_VALUE);
    } else if (track) {
      const level = ++player.tracks![TRACKS[track - 1]!];
      const { income } = this.#tables;
      if (track === DiamondsClubTrack.MONEY) player.coins += income[level]! - income[level - 1]!;
    } else if (animal) {
      if (this.#freeLightSpaces(player) === 0) player.darkTiles += 1;
      player.animals![ANIMALS[animal - 1]!] += 1;
    }
    this.#advance(seat, this.#tables.hats[symbol] ?? 0);
  }

  /** Moves a marker on the start-player track; it comes to lie on top of any there. */
  #advance(seat: number, steps: number): void {
    if (steps === 0) return;
    const track = this.#table.startTrack;
    const [own] = track.splice(track.findIndex((marker) => marker.seat === seat), 1);
    own!.position += steps;
    const ahead = track.filter((marker) => marker.position > own!.position).length;
    track.splice(ahead, 0, own!);
  }

  #setExchanged({ seat, set, gems }: DiamondsClubSetExchanged): void {
    const player = this.#table.players[seat]!;
    player.mines.splice(player.mines.indexOf(set!.mine), 1);
    player.rights.splice(player.rights.indexOf(set!.right), 1);
    player.ships.splice(player.ships.indexOf(set!.ship), 1);
    for (const gem of GEMS) player.gems![gem] += gems![gem];
    if (seat === this.#view.seat) this.#table.lastSet = set!;
  }

  #tilesKept({ seat, kept }: DiamondsClubTilesKept): void {
    const player = this.#table.players[seat]!;
    player.mines = kept!.mine ? [kept!.mine] : [];
    player.rights = kept!.right ? [kept!.right] : [];
    player.ships = kept!.ship ? [kept!.ship] : [];
    if (seat === this.#view.seat) this.#kept = true;
  }

  #built({ seat, chart, kind, payment, space }: DiamondsClubBuilt): void {
    const table = this.#table;
    const player = table.players[seat]!;
    const stacks = table.stacks!;
    for (const gem of GEMS) player.gems![gem] -= payment![gem];
    player.charts.push(chart);
    if (kind === DiamondsClubKind.FOREST) {
      player.forests += 1;
      const largest = BUILDINGS.reduce((most, name) => (stacks[name] > stacks[most] ? name : most));
      stacks[largest] -= 1;
    } else {
      player.buildings![BUILDINGS[kind - 1]!] += 1;
      stacks[BUILDINGS[kind - 1]!] -= 1;
    }
    if (space === DiamondsClubSpace.DARK) player.darkTiles += 1;
    if (space === DiamondsClubSpace.PRINTED) {
      player.printedCovered[this.#printedSpace(seat, kind)] = true;
    }
    if (seat === this.#view.seat) delete table.purchase;
  }

  /** The first open space that shows the building, or any if that will do. */
  #printedSpace(seat: number, kind: DiamondsClubKind): number {
    const covered = this.#table.players[seat]!.printedCovered;
    const open = [...covered.keys()].filter((space) => !covered[space]);
    return open.find((space) => this.#tables.printed[seat]![space] === kind) ?? open[0]!;
  }

  /** Light spaces without a picture that are still free. */
  #freeLightSpaces(player: DiamondsClubPlayer): number {
    const { forests, darkTiles, printedCovered, buildings, animals } = player;
    let tiles = forests - darkTiles - printedCovered.filter(Boolean).length;
    for (const name of BUILDINGS) tiles += buildings![name];
    for (const name of ANIMALS) tiles += animals![name];
    return this.#tables.lightSpaces - printedCovered.length - tiles;
  }
}

function firstPlayer(options: DiamondsClubOptions): DiamondsClubPlayer {
  return create(DiamondsClubPlayerSchema, {
    gems: create(DiamondsClubGemsSchema, {
      blue: options.startGemsBlue ?? 1,
      yellow: options.startGemsYellow ?? 1,
      green: options.startGemsGreen ?? 1,
      red: options.startGemsRed ?? 1,
      diamonds: options.startGemsDiamonds ?? 0,
    }),
    buildings: create(DiamondsClubBuildingsSchema),
    animals: create(DiamondsClubAnimalsSchema),
    tracks: create(DiamondsClubTracksSchema),
    printedCovered: [false, false, false],
  });
}

/** Strips are drawn from the pile; once it is empty all but those just laid are in it again. */
function drawnAfter(drawn: readonly number[], columns: readonly DiamondsClubColumn[]): number[] {
  let out = new Set(drawn);
  for (const [index, { strip }] of columns.entries()) {
    if (out.size === STRIPS) out = new Set(columns.slice(0, index).map((column) => column.strip));
    out.add(strip);
  }
  return [...out].sort((one, other) => one - other);
}
