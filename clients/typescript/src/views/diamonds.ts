import { create } from "@bufbuild/protobuf";

import {
  DiamondsActionReason,
  DiamondsCapturedSchema,
  DiamondsPhase,
  DiamondsSuit,
  DiamondsTeamStartGems,
  DiamondsTrickSchema,
  DiamondsViewSchema,
  type DiamondsCard,
  type DiamondsEvent,
  type DiamondsMove,
  type DiamondsOptions,
  type DiamondsSuitAction,
  type DiamondsView,
} from "../gen/adamas/v1/diamonds_pb.js";
import { copied, remove, several, ViewBuilder } from "./builder.js";

const FIRST_SHOWROOM = 3;
const SUITS = 4;
const BONUS_ACTIONS = 2;
const CAPTURED = {
  [DiamondsSuit.DIAMONDS]: "diamonds",
  [DiamondsSuit.HEARTS]: "hearts",
  [DiamondsSuit.SPADES]: "spades",
  [DiamondsSuit.CLUBS]: "clubs",
} as const;

/** Keeps what a seat of Diamonds has seen: its hand, the tricks, and where the crystals are. */
export class DiamondsViewBuilder extends ViewBuilder<DiamondsView, DiamondsMove, DiamondsEvent> {
  readonly #view: DiamondsView;
  readonly #sides: number;
  /** Why the seat has an action to do that has not been told yet. */
  #action = DiamondsActionReason.UNSPECIFIED;
  #suitsCompared = 0;
  #bonusActions = 0;

  constructor(options: DiamondsOptions, seats: number, seat: number) {
    super();
    this.#sides = options.teams ? seats / 2 : seats;
    const six = options.teams && options.teamStartGems === DiamondsTeamStartGems.SIX;
    const first = six ? 2 * FIRST_SHOWROOM : FIRST_SHOWROOM;
    this.#view = create(DiamondsViewSchema, {
      options,
      seats,
      seat,
      vaults: Array<number>(this.#sides).fill(0),
      showrooms: Array<number>(this.#sides).fill(first),
      supplyLeft: Math.max(0, (options.supply ?? 0) - first * this.#sides),
    });
  }

  tell({ event }: DiamondsEvent): void {
    const view = this.#view;
    switch (event.case) {
      case "roundStarted":
        this.#startRound(event.value.round, event.value.dealer);
        break;
      case "passCountChosen":
        view.passCount = event.value.passCount;
        view.phase = DiamondsPhase.PASS;
        break;
      case "cardsPassed":
        view.phase = DiamondsPhase.PLAY;
        if (event.value.seat === view.seat) view.passed.forEach((card) => this.#loseCard(card));
        break;
      case "cardPlayed":
        this.#cardPlayed(event.value.seat, event.value.card!);
        break;
      case "trickWon":
        this.#trickWon(event.value.seat);
        break;
      case "suitAction":
        this.#suitAction(event.value);
        break;
      case "majority":
        this.#suitsCompared += 1;
        if (event.value.seats.includes(view.seat)) this.#action = DiamondsActionReason.MAJORITY;
        break;
    }
  }

  override play({ move }: DiamondsMove): void {
    if (move.case === "pass") this.#view.passed = [...move.value.cards];
    if (move.case === "bonus") this.#action = DiamondsActionReason.NO_TRICK;
  }

  /** The seat has been dealt its hand. After the event that begins the round. */
  deal(cards: readonly DiamondsCard[]): void {
    this.#view.hand.push(...cards);
  }

  /** The seat has been passed a card. After the event that tells of it. */
  draw(card: DiamondsCard): void {
    this.#view.received.push(card);
    this.#view.hand.push(card);
  }

  #startRound(round: number, dealer: number): void {
    const view = this.#view;
    Object.assign(view, { round, dealer, phase: DiamondsPhase.PASS_COUNT, passCount: 0 });
    Object.assign(view, { hand: [], passed: [], received: [], tricks: [], captured: [] });
    if (view.options!.exposeCaptured ?? true) {
      view.captured = several(DiamondsCapturedSchema, this.#sides);
    }
    if (round === 1 && view.options!.thiefToken) view.thief = dealer;
    this.#suitsCompared = 0;
    this.#bonusActions = 0;
  }

  #loseCard({ suit, rank }: DiamondsCard): void {
    remove(this.#view.hand, (card) => card.suit === suit && card.rank === rank);
  }

  #cardPlayed(seat: number, card: DiamondsCard): void {
    const view = this.#view;
    let trick = view.tricks.at(-1);
    if (trick === undefined || trick.winner !== undefined) {
      trick = create(DiamondsTrickSchema, { leader: seat });
      view.tricks.push(trick);
    }
    trick.cards.push(card);
    if (trick.cards.length === view.seats * (view.seats === 2 ? 2 : 1)) {
      trick.winner = (trick.leader + winning(trick.cards)) % view.seats;
    }
    if (seat === view.seat) {
      this.#loseCard(card);
      if (card.suit !== trick.cards[0]!.suit) this.#action = DiamondsActionReason.OFF_SUIT;
    }
  }

  #trickWon(seat: number): void {
    const view = this.#view;
    const captured = view.captured[seat % this.#sides];
    for (const { suit } of captured ? view.tricks.at(-1)!.cards : []) {
      captured![CAPTURED[suit as keyof typeof CAPTURED]] += 1;
    }
    if (seat === view.seat) this.#action = DiamondsActionReason.TRICK;
  }

  #suitAction({ seat, suit, reason, moved, victim, thief }: DiamondsSuitAction): void {
    const view = this.#view;
    const side = seat % this.#sides;
    if (thief !== undefined) view.thief = thief;
    if (seat === view.seat) {
      this.#action = DiamondsActionReason.UNSPECIFIED;
      if (reason === DiamondsActionReason.NO_TRICK) this.#bonusActions += 1;
    }
    if (!moved) return;
    if (suit === DiamondsSuit.CLUBS) view.showrooms[victim!]! -= 1;
    else if (suit === DiamondsSuit.SPADES) view.showrooms[side]! -= 1;
    else if (view.options!.supply) view.supplyLeft -= 1;
    const toVault = suit === DiamondsSuit.DIAMONDS || suit === DiamondsSuit.SPADES;
    (toVault ? view.vaults : view.showrooms)[side]! += 1;
  }

  view(): DiamondsView {
    const found = copied(DiamondsViewSchema, this.#view, { turn: this.#view.seat });
    if (this.#action !== DiamondsActionReason.UNSPECIFIED) {
      found.phase = DiamondsPhase.VICTIM;
      found.victimReason = this.#action;
    } else if (this.#suitsCompared === SUITS) {
      found.phase = DiamondsPhase.BONUS;
    }
    const bonus = this.#action === DiamondsActionReason.NO_TRICK;
    if (bonus || found.phase === DiamondsPhase.BONUS) {
      found.bonusActionsLeft = BONUS_ACTIONS - this.#bonusActions;
    }
    return found;
  }
}

/** The place of the highest card of the suit that was led. */
function winning(cards: readonly DiamondsCard[]): number {
  let best = 0;
  for (const [place, { suit, rank }] of cards.entries()) {
    if (suit === cards[0]!.suit && rank > cards[best]!.rank) best = place;
  }
  return best;
}
