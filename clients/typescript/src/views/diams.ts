import { create } from "@bufbuild/protobuf";

import {
  DiamsCardSchema,
  DiamsDrillTo,
  DiamsOverflow,
  DiamsPhase,
  DiamsRoundPointsSchema,
  DiamsSafeSchema,
  DiamsSpecial,
  DiamsStepSchema,
  DiamsViewSchema,
  DiamsVisitMode,
  type DiamsCard,
  type DiamsDiamond,
  type DiamsEvent,
  type DiamsMove,
  type DiamsOptions,
  type DiamsView,
} from "../gen/adamas/v1/diams_pb.js";
import { copied, remove, several, ViewBuilder } from "./builder.js";

/** All cards, the closing card included. */
const PILE = 54;
const DEALT = 3;
const HAND_LIMIT = 5;
const NOT_IN_HISTORY: readonly unknown[] = [
  "cardTurned",
  "closing",
  "roundStarted",
  "roundScored",
  undefined,
];

/** Keeps what a seat of Diam's has seen, the history that a view needs included. */
export class DiamsViewBuilder extends ViewBuilder<DiamsView, DiamsMove, DiamsEvent> {
  readonly #view: DiamsView;
  readonly #handLimit: number;
  /** Of the seat's own turn; LIMIT once it has played. */
  #phase = DiamsPhase.DRAW;
  #drilled = 0;

  constructor(options: DiamsOptions, seats: number, seat: number) {
    super();
    this.#view = create(DiamsViewSchema, { options, seats, seat });
    this.#handLimit = options.handLimit ?? HAND_LIMIT;
  }

  tell(message: DiamsEvent): void {
    this.#happened(message.event);
    if (!NOT_IN_HISTORY.includes(message.event.case)) this.#view.history.push(message);
  }

  #happened(event: DiamsEvent["event"]): void {
    const view = this.#view;
    switch (event.case) {
      case "cardDrawn":
        view.deckSize -= 1;
        view.handSizes[event.value.seat]! += 1;
        break;
      case "cardPlaced":
      case "cardOffered":
      case "cardSold":
        this.#lose(event.value.seat, diamondCard(event.value.diamond!));
        view.market.push(event.value.diamond!);
        break;
      case "cardTaken":
        remove(view.market, (other) => sameDiamond(other, event.value.diamond!));
        this.#gain(event.value.seat, diamondCard(event.value.diamond!));
        break;
      case "deposited":
        this.#deposited(event.value);
        break;
      case "specialDeposited":
        this.#deposited(event.value);
        this.#special(event.value.seat, DiamsSpecial.DEPOSIT);
        break;
      case "saleStarted":
        this.#special(event.value.seat, event.value.special);
        break;
      case "drillStarted":
        this.#special(event.value.seat, DiamsSpecial.DRILL);
        this.#drilled = event.value.opponent;
        break;
      case "drillNamed":
        if (event.value.found) this.#drillFound(event.value.seat, event.value.diamond!);
        break;
      case "shoplifted":
        this.#special(event.value.seat, DiamsSpecial.SHOPLIFTING);
        break;
      case "cardGivenUp":
        this.#lose(event.value.seat, event.value.card!);
        this.#lay(event.value.card!, view.options!.overflowTo !== DiamsOverflow.DISCARD);
        break;
      case "cardTurned":
        view.deckSize -= 1;
        this.#lay(event.value.card!, true);
        break;
      case "closing":
        view.deckSize -= 1;
        view.closer = event.value.seat;
        break;
      case "roundStarted":
        this.#startRound(event.value.round, event.value.starter);
        break;
      case "roundScored": {
        const points = event.value.results.map((result) => result.points);
        view.finishedRounds.push(create(DiamsRoundPointsSchema, { points }));
        break;
      }
    }
  }

  override play({ move }: DiamsMove): void {
    const view = this.#view;
    if (move.case === "draw") {
      this.#phase = DiamsPhase.PLAY;
    } else if (move.case === "visit" && move.value.mode === DiamsVisitMode.SUM) {
      this.#phase = DiamsPhase.TAKE;
      const placed = move.value.placed!;
      view.step = create(DiamsStepSchema, { placed, missing: placed.kind });
    } else if (move.case === "take" && view.step!.missing > move.value.kind) {
      view.step!.missing -= move.value.kind;
      view.step!.last = diamondCard(move.value);
    } else if (move.case === "sale") {
      this.#phase = DiamsPhase.OFFER;
      view.step = create(DiamsStepSchema, { opponent: move.value.opponent });
    } else if (move.case === "drill") {
      this.#phase = DiamsPhase.NAME;
      view.step = create(DiamsStepSchema, { opponent: move.value });
    } else if (move.case === "giveUp") {
      view.step = create(DiamsStepSchema, { last: move.value });
    } else {
      this.#phase = DiamsPhase.LIMIT;
      delete view.step;
    }
    if (move.case === "deposit" || move.case === "specialDeposit") {
      for (const diamond of move.value.diamonds) {
        remove(view.hand, (card) => sameCard(card, diamondCard(diamond)));
      }
      view.safe.push(...move.value.diamonds);
    }
  }

  /** The seat has been dealt its hand. After the event that begins the round. */
  deal(cards: readonly DiamsCard[]): void {
    this.#view.hand.push(...cards);
  }

  /** The seat has drawn a card. After the event that tells of it. */
  draw(card: DiamsCard): void {
    this.#view.hand.push(card);
  }

  view(): DiamsView {
    const view = this.#view;
    if (this.#phase === DiamsPhase.LIMIT && view.hand.length <= this.#handLimit) {
      this.#phase = DiamsPhase.DRAW;
      delete view.step;
    }
    const closed = this.#phase === DiamsPhase.DRAW && view.closer !== undefined;
    const phase = closed ? DiamsPhase.PLAY : this.#phase; // once it is out nobody draws
    return copied(DiamsViewSchema, view, { turn: view.seat, phase });
  }

  #startRound(round: number, starter: number): void {
    const view = this.#view;
    Object.assign(view, { round, starter, market: [], removed: [], hand: [], safe: [], history: [] });
    view.handSizes = Array<number>(view.seats).fill(DEALT);
    view.safeSizes = Array<number>(view.seats).fill(0);
    view.safes = view.options!.openSafes ? several(DiamsSafeSchema, view.seats) : [];
    view.deckSize = PILE - DEALT * view.seats;
    delete view.closer;
    delete view.step;
    this.#phase = DiamsPhase.DRAW;
  }

  #gain(seat: number, card: DiamsCard): void {
    this.#view.handSizes[seat]! += 1;
    if (seat === this.#view.seat) this.#view.hand.push(card);
  }

  #lose(seat: number, card: DiamsCard): void {
    this.#view.handSizes[seat]! -= 1;
    if (seat === this.#view.seat) remove(this.#view.hand, (other) => sameCard(other, card));
  }

  /** A card that everybody sees goes to the market if it may, or else leaves the game. */
  #lay(card: DiamsCard, toMarket: boolean): void {
    if (card.card.case === "diamond" && toMarket) this.#view.market.push(card.card.value);
    else this.#view.removed.push(card);
  }

  #special(seat: number, special: DiamsSpecial): void {
    const card = create(DiamsCardSchema, { card: { case: "special", value: special } });
    this.#lose(seat, card);
    this.#view.removed.push(card);
  }

  #deposited({ seat, count, diamonds }: { seat: number; count: number; diamonds: DiamsDiamond[] }) {
    const view = this.#view;
    view.handSizes[seat]! -= count;
    view.safeSizes[seat]! += count;
    view.safes[seat]?.diamonds.push(...diamonds);
  }

  #drillFound(seat: number, diamond: DiamsDiamond): void {
    const view = this.#view;
    view.safeSizes[this.#drilled]! -= 1;
    for (const safe of this.#safesOf(this.#drilled)) {
      remove(safe, (other) => sameDiamond(other, diamond));
    }
    if (view.options!.drillTo === DiamsDrillTo.SAFE) {
      view.safeSizes[seat]! += 1;
      for (const safe of this.#safesOf(seat)) safe.push(diamond);
    } else {
      this.#gain(seat, diamondCard(diamond));
    }
  }

  /** Where the contents of a seat's safe are written down. */
  #safesOf(seat: number): DiamsDiamond[][] {
    const open = this.#view.safes[seat];
    return [...(seat === this.#view.seat ? [this.#view.safe] : []), ...(open ? [open.diamonds] : [])];
  }
}

function diamondCard(diamond: DiamsDiamond): DiamsCard {
  return create(DiamsCardSchema, { card: { case: "diamond", value: diamond } });
}

function sameDiamond(one: DiamsDiamond, other: DiamsDiamond): boolean {
  return one.kind === other.kind && one.pure === other.pure;
}

function sameCard({ card: one }: DiamsCard, { card: other }: DiamsCard): boolean {
  if (one.case === "diamond" && other.case === "diamond") return sameDiamond(one.value, other.value);
  return one.case === other.case && one.value === other.value;
}
