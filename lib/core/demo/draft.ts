import type { DemoCalendar } from "@/lib/core/demo/demo-calendar";
import type {
  DemoCardCredit,
  DemoDeposit,
  DemoEnd,
  DemoMovement,
  DemoPurchase,
  DemoRuleMove,
  HistoryStep,
} from "@/lib/core/demo/history-step";
import type { MemberName } from "@/lib/core/demo/northwind";
import { seededNumbers } from "@/lib/core/demo/seeded-numbers";

const SEED = 8_820;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/** Banking days before today, and New York time. */
interface Moment {
  day: number;
  time: string;
}

export type Ask = Omit<DemoMovement, "askedAt" | "end"> & Moment;
export type Purchase = Omit<DemoPurchase, "madeAt" | "end"> & Moment;

/** Collects what happens, with the delays and preferences of the three deciders. */
export class Draft {
  readonly movements: DemoMovement[] = [];
  readonly deposits: DemoDeposit[] = [];
  readonly purchases: DemoPurchase[] = [];
  readonly cardCredits: DemoCardCredit[] = [];
  /** How rules were created and requested. */
  readonly ruleSteps: HistoryStep[] = [];
  readonly ruleMoves: DemoRuleMove[] = [];
  readonly number = seededNumbers(SEED);

  constructor(readonly calendar: DemoCalendar) {}

  /** Decided within an hour and a half, by one of the three deciders. */
  approved(ask: Ask, isUndone = false): void {
    const askedAt = this.calendar.at(ask.day, ask.time);
    const chance = this.number(0, 99);
    const by: MemberName = chance < 50 ? "JONAS" : chance < 90 ? "MARA" : "PRIYA";
    const at = new Date(askedAt.getTime() + this.number(3, 85) * MINUTE_MS + this.number(0, 59) * SECOND_MS);
    this.add(ask, askedAt, { kind: "APPROVED", by, at, isUndone });
  }

  denied(ask: Ask, by: MemberName, minutesLater: number, note: string): void {
    const askedAt = this.calendar.at(ask.day, ask.time);
    this.add(ask, askedAt, {
      kind: "DENIED",
      by,
      at: new Date(askedAt.getTime() + minutesLater * MINUTE_MS),
      note,
    });
  }

  /** No one decides within 24 hours. */
  expired(ask: Ask): void {
    this.add(ask, this.calendar.at(ask.day, ask.time), { kind: "EXPIRED" });
  }

  /** Requested with a key that needs no approval. */
  unasked(ask: Ask): void {
    this.add(ask, this.calendar.at(ask.day, ask.time), { kind: "NOT_ASKED" });
  }

  private add({ day: _day, time: _time, ...movement }: Ask, askedAt: Date, end: DemoEnd): void {
    this.movements.push({ ...movement, askedAt, end });
  }

  /** A client pays over ACH. */
  deposit(day: number, time: string, payerName: string, amountInCents: number, returnedAt?: Date): void {
    this.deposits.push({
      to: "Client payments",
      amountInCents,
      payerName,
      origin: "DIRECT_DEPOSIT",
      madeAt: this.calendar.at(day, time),
      ...(returnedAt && { returnedAt }),
    });
  }

  /** A client's check, deposited the banking day before, so that it clears in the morning of `day`. */
  check(day: number, payerName: string, amountInCents: number): void {
    this.deposits.push({
      to: "Client payments",
      amountInCents,
      payerName,
      origin: "CHECK_DEPOSIT",
      madeAt: this.calendar.at(day + 1, "15:30"),
    });
  }

  purchase({ day, time, ...purchase }: Purchase, end: DemoPurchase["end"] = "SETTLED"): void {
    this.purchases.push({ ...purchase, madeAt: this.calendar.at(day, time), end });
  }

  cardCredit(subtype: DemoCardCredit["subtype"], { day, time, ...credit }: Purchase): void {
    this.cardCredits.push({ ...credit, subtype, madeAt: this.calendar.at(day, time) });
  }
}
